namespace PerfCommon.Workers;

/// <summary>What a worker measures sample by sample: latencies, but for the last three.</summary>
internal enum Series
{
    Updates,
    Posts, // that came back
    Generic,
    Messages, // opaque ones
    RoundTrips, // on the login stream
    SendLag, // how late each tick started against its schedule
    Decoding, // how long it took for an update, in nanoseconds
}
