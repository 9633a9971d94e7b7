namespace PerfCommon.Workers;

/// <summary>What a worker measures sample by sample.</summary>
internal enum Series
{
    /// <summary>Latency of updates.</summary>
    Updates,

    /// <summary>Latency of posts that came back.</summary>
    Posts,

    /// <summary>Latency of generic messages.</summary>
    Generic,

    /// <summary>Latency of opaque messages.</summary>
    Messages,

    /// <summary>Round trips on the login stream.</summary>
    RoundTrips,

    /// <summary>How late each tick started against its schedule.</summary>
    SendLag,
}
