namespace PerfCommon.Workers;

/// <summary>Quantities that a worker measures sample by sample: latencies, except the last four.</summary>
public enum Series
{
    /// <summary>Latencies of updates.</summary>
    Updates,

    /// <summary>Latencies of posts that were reflected.</summary>
    Posts,

    /// <summary>Latencies of generic messages.</summary>
    Generic,

    /// <summary>Latencies of opaque messages.</summary>
    Messages,

    /// <summary>In a hub: from the end of the receive call to the last watcher's socket.</summary>
    Through,

    /// <summary>Round trips on the login stream.</summary>
    RoundTrips,

    /// <summary>How late each tick started against its schedule.</summary>
    SendLag,

    /// <summary>Encoding times of messages with a stamp, in nanoseconds.</summary>
    Encoding,

    /// <summary>Decoding times of updates, in nanoseconds.</summary>
    Decoding,
}
