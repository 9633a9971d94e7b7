using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Functions that the messages of all domains share.</summary>
/// <remarks>Encoders return the bytes written; 0 when the buffer is too small.</remarks>
internal static class DomainMsg
{
    /// <summary>The group of all our streams.</summary>
    public static ReadOnlySpan<byte> GroupId => [0, 0]; // wire/domains 1

    /// <summary>Formats a state with its text, such as <c>Closed/Suspect/NotEntitled "no such user"</c>.</summary>
    public static string Show(scoped in RwfState state)
    {
        string text = PrintableText.FromTerminated(state.Text);
        string states = $"{state.StreamState}/{state.DataState}/{state.Code}";
        return text.Length == 0 ? states : $"{states} \"{text}\"";
    }

    /// <summary>True for a refresh or status that is the last message of its stream.</summary>
    public static bool EndsStream(scoped in RwfMsg msg) =>
        (msg.MsgClass == MsgClass.Refresh || (msg.MsgClass == MsgClass.Status && msg.Has(StatusFlags.HasState))) && IsFinal(msg.State);

    /// <summary>True for a state that ends its stream.</summary>
    public static bool IsFinal(scoped in RwfState state) =>
        state.StreamState is StreamState.Closed or StreamState.ClosedRecover or StreamState.Redirected; // wire/domains 5.4

    /// <summary>Encodes a message that consists of a header only.</summary>
    public static int Encode(Span<byte> room, scoped in RwfMsg header)
    {
        RwfWriter writer = new(room);
        writer.TryWriteHeader(header);
        return writer.Written;
    }

    /// <summary>Encodes a status that carries only a state; on a private stream its flag is set.</summary>
    public static int EncodeStatus(Span<byte> room, DomainType domain, int streamId, scoped in RwfState state, bool isPrivate = false)
    {
        RwfMsg status = new()
        {
            MsgClass = MsgClass.Status,
            DomainType = domain,
            StreamId = streamId,
            Flags = StatusFlags.HasState | (isPrivate ? StatusFlags.PrivateStream : 0), // wire/domains 12
            State = state,
        };
        return Encode(room, status);
    }
}
