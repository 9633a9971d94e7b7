using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Makes texts and states of messages fit to print.</summary>
internal static class WireText
{
    /// <summary>Shows a text without the NUL characters some programs end it with.</summary>
    /// <param name="bytes">Text of a message.</param>
    public static string Show(ReadOnlySpan<byte> bytes) => PrintableText.From(bytes.TrimEnd((byte)0));

    /// <summary>Shows a state with its text, such as <c>Closed/Suspect/NotEntitled "no such user"</c>.</summary>
    /// <param name="state">State of a message.</param>
    public static string Show(scoped in RwfState state)
    {
        string text = Show(state.Text);
        string states = $"{state.StreamState}/{state.DataState}/{state.Code}";
        return text.Length == 0 ? states : $"{states} \"{text}\"";
    }
}
