namespace PerfCommon.Workers;

/// <summary>Quantities that a worker measures sample by sample: latencies, except the last four.</summary>
internal enum Series
{
    Updates,
    Posts, // that were reflected
    Generic,
    Messages, // opaque ones
    Through, // in a hub: from the end of the receive call to the last watcher's socket
    RoundTrips, // on the login stream
    SendLag, // how late each tick started against its schedule
    Encoding, // encoding time of a message with a stamp, in nanoseconds
    Decoding, // decoding time of an update, in nanoseconds
}
