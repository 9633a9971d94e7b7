using System.Diagnostics;
using System.Text;

namespace PerfCommon.Codec;

/// <summary>State of a stream and of its data.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel.</remarks>
[DebuggerDisplay("{StreamState}/{DataState}/{Code} {TextShown}")]
public ref struct RwfState
{
    /// <summary>Makes a state.</summary>
    /// <param name="stream">State of the stream.</param>
    /// <param name="data">State of the data.</param>
    /// <param name="code">Code.</param>
    /// <param name="text">Text for people; may be empty.</param>
    public RwfState(StreamState stream, DataState data, StateCode code = StateCode.None, ReadOnlySpan<byte> text = default)
    {
        StreamState = stream;
        DataState = data;
        Code = code;
        Text = text;
    }

    /// <summary>State of the stream, 0 to 31.</summary>
    public StreamState StreamState { get; set; }

    /// <summary>State of the data, 0 to 7.</summary>
    public DataState DataState { get; set; }

    /// <summary>Code; unknown values are no error.</summary>
    public StateCode Code { get; set; }

    /// <summary>Text for people; may be empty.</summary>
    public ReadOnlySpan<byte> Text { get; set; }

    private readonly string TextShown => Encoding.UTF8.GetString(Text);
}
