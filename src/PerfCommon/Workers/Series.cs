namespace PerfCommon.Workers;

/// <summary>What a worker measures sample by sample: latencies, but for the last four.</summary>
internal enum Series
{
    Updates,
    Posts, // that came back
    Generic,
    Messages, // opaque ones
    Through, // a hub: from the end of the receive call to the last watcher's socket
    RoundTrips, // on the login stream
    SendLag, // how late each tick started against its schedule
    Encoding, // how long it took for a message with a stamp, in nanoseconds
    Decoding, // how long it took for an update, in nanoseconds
}
