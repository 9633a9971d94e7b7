namespace PerfCommon.Workers;

/// <summary>Quantities of a worker, current values or maxima; a role adds its own by a <see cref="RecordingSchema"/>.</summary>
public enum Gauge
{
    /// <summary>Greatest number of bytes queued for one connection.</summary>
    QueuedBytesMax,

    /// <summary>Bytes kept because of peers: arrays of channels, and memory of the worker's task.</summary>
    KeptBytes,

    /// <summary>Bytes queued for the sockets of all connections, at the last collection.</summary>
    QueuedBytes,
}
