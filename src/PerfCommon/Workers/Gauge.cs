namespace PerfCommon.Workers;

/// <summary>Quantities of a worker: current values or maxima.</summary>
internal enum Gauge
{
    Sources, // connected ones
    Consumers, // logged in
    Items, // in the cache
    Watchers, // open streams of consumers
    QueuedBytesMax, // greatest number of bytes queued for one connection
    ItemBytes, // of all items in the cache
    UsersAsked, // simulated ones that are requested
    UsersIn, // those that have all their images
    BurstMicros, // the longest current interval by which updates are held for batching
    KeptBytes, // kept because of peers: arrays of channels, and memory of its task
    QueuedBytes, // queued for the sockets of all connections, at the last collection
}
