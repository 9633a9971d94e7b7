namespace PerfCommon.Workers;

/// <summary>What a worker has so and so much of, now or at most.</summary>
internal enum Gauge
{
    Sources, // connected ones
    Consumers, // logged in
    Items, // in the cache
    Watchers, // open streams of consumers
    QueuedBytesMax, // most bytes that waited for one connection
    ItemBytes, // of all items in the cache
    UsersAsked, // simulated ones that should be there
    UsersIn, // those of them that have all their images
    BurstMicros, // the longest interval by which updates wait for others now
    KeptBytes, // of what peers have the worker keep: arrays of channels, and what its task keeps
    QueuedBytes, // waiting for the sockets of all connections, at the last collection
}
