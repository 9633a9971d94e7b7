using System.Diagnostics;
using System.Text;

namespace PerfCommon.Codec;

/// <summary>State of a stream.</summary>
public enum StreamState : byte // wire/rwf 5
{
    /// <summary>Not specified.</summary>
    Unspecified = 0,

    /// <summary>Open.</summary>
    Open = 1,

    /// <summary>Complete, no updates follow.</summary>
    NonStreaming = 2,

    /// <summary>Closed, may be requested again.</summary>
    ClosedRecover = 3,

    /// <summary>Closed for good.</summary>
    Closed = 4,

    /// <summary>To be requested by the key in the message.</summary>
    Redirected = 5,
}

/// <summary>Health of the data of a stream.</summary>
public enum DataState : byte // wire/rwf 5
{
    /// <summary>Unchanged.</summary>
    NoChange = 0,

    /// <summary>Good.</summary>
    Ok = 1,

    /// <summary>Stale or otherwise unreliable.</summary>
    Suspect = 2,
}

/// <summary>Code of a state; up to 127, unknown values are no error.</summary>
public enum StateCode : byte // wire/rwf 5
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Not found.</summary>
    NotFound = 1,

    /// <summary>Timeout.</summary>
    Timeout = 2,

    /// <summary>Not entitled.</summary>
    NotEntitled = 3,

    /// <summary>Invalid argument.</summary>
    InvalidArgument = 4,

    /// <summary>Usage error.</summary>
    UsageError = 5,

    /// <summary>Preempted.</summary>
    Preempted = 6,

    /// <summary>Jit conflation started.</summary>
    JitConflationStarted = 7,

    /// <summary>Realtime resumed.</summary>
    RealtimeResumed = 8,

    /// <summary>Failover started.</summary>
    FailoverStarted = 9,

    /// <summary>Failover completed.</summary>
    FailoverCompleted = 10,

    /// <summary>Gap detected.</summary>
    GapDetected = 11,

    /// <summary>No resources.</summary>
    NoResources = 12,

    /// <summary>Too many items.</summary>
    TooManyItems = 13,

    /// <summary>Already open.</summary>
    AlreadyOpen = 14,

    /// <summary>Source unknown.</summary>
    SourceUnknown = 15,

    /// <summary>Not open.</summary>
    NotOpen = 16,

    /// <summary>Non updating item.</summary>
    NonUpdatingItem = 19,

    /// <summary>Unsupported view type.</summary>
    UnsupportedViewType = 20,

    /// <summary>Invalid view.</summary>
    InvalidView = 21,

    /// <summary>Full view provided.</summary>
    FullViewProvided = 22,

    /// <summary>Unable to request as batch.</summary>
    UnableToRequestAsBatch = 23,

    /// <summary>No batch view support in req.</summary>
    NoBatchViewSupportInReq = 26,

    /// <summary>Exceeded max mounts per user.</summary>
    ExceededMaxMountsPerUser = 27,

    /// <summary>Error.</summary>
    Error = 28,

    /// <summary>Dacs down.</summary>
    DacsDown = 29,

    /// <summary>User unknown to perm sys.</summary>
    UserUnknownToPermSys = 30,

    /// <summary>Dacs max logins reached.</summary>
    DacsMaxLoginsReached = 31,

    /// <summary>Dacs user access to app denied.</summary>
    DacsUserAccessToAppDenied = 32,

    /// <summary>Gap fill.</summary>
    GapFill = 34,

    /// <summary>App authorization failed.</summary>
    AppAuthorizationFailed = 35,
}

/// <summary>State of a stream and of its data.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel.</remarks>
[DebuggerDisplay("{StreamState}/{DataState}/{Code} {TextShown}")]
public ref struct RwfState(StreamState stream, DataState data, StateCode code = StateCode.None, ReadOnlySpan<byte> text = default)
{
    /// <summary>State of the stream, 0 to 31.</summary>
    public StreamState StreamState { get; set; } = stream;

    /// <summary>State of the data, 0 to 7.</summary>
    public DataState DataState { get; set; } = data;

    /// <summary>Code; unknown values are no error.</summary>
    public StateCode Code { get; set; } = code;

    /// <summary>Text for people; may be empty.</summary>
    public ReadOnlySpan<byte> Text { get; set; } = text;

    private readonly string TextShown => Encoding.UTF8.GetString(Text);
}

public static partial class RwfPrimitives
{
    /// <summary>Reads a state of 3 bytes or more.</summary>
    public static DecodeResult TryReadState(ReadOnlySpan<byte> content, out RwfState value)
    {
        RwfReader reader = new(content);
        RwfState read = ReadState(ref reader);
        value = reader.Good ? read : default; // wire/rwf 3
        return OutcomeOf(reader, content);
    }

    // wire/rwf 2
    internal static RwfState ReadState(scoped ref RwfReader reader)
    {
        byte states = reader.ReadByte();
        byte code = reader.ReadByte();
        ReadOnlySpan<byte> text = reader.ReadBuf15();
        return new RwfState((StreamState)(states >> 3), (DataState)(states & 7), (StateCode)code, text);
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Writes a state into the open entry.</summary>
    public bool WriteState(scoped in RwfState value)
    {
        if (Failed)
            return false;
        if (_open.LengthAt != PendingBuf16)
            ThrowMisuse("no entry waits for a state");

        // wire/rwf 9.3
        // The length is known: two bytes, and the text with its length of one byte or two.
        int textHead = value.Text.Length < LengthMark.TwoByteRb15 ? 1 : ReservedBuf15;
        PutU16ob(2 + textHead + value.Text.Length);
        PutState(value);
        _open.LengthAt = NoLength;
        return !Failed;
    }

    // wire/rwf 2
    private void PutState(scoped in RwfState value)
    {
        if ((byte)value.StreamState > 0x1F || (byte)value.DataState > 7) // wire/rwf 2
            Fail(EncodeProblem.InvalidValue);
        PutByte(((int)value.StreamState << 3) | (int)value.DataState);
        PutByte((int)value.Code);
        PutBuf15(value.Text);
    }
}
