namespace PerfCommon.Codec;

/// <summary>State of a stream.</summary>
public enum StreamState : byte
{
    /// <summary>Not said.</summary>
    Unspecified = 0,

    /// <summary>Open.</summary>
    Open = 1,

    /// <summary>Complete, no updates follow.</summary>
    NonStreaming = 2,

    /// <summary>Closed, may be asked for again.</summary>
    ClosedRecover = 3,

    /// <summary>Closed for good.</summary>
    Closed = 4,

    /// <summary>To be asked for by the key given.</summary>
    Redirected = 5,
}
