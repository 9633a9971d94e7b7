using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfCommon.Load;

/// <summary>
/// Records the latencies of received messages of one kind from their stamps, without phases of the run. One owner thread.
/// </summary>
/// <param name="recording">The recording.</param>
/// <param name="time">The clock of the worker.</param>
/// <param name="series">Series of the samples, in the unit of the stamps, without phases.</param>
public sealed class StampRecorder(WorkerRecording recording, TimeSource time, Series series)
{
    private readonly LatencySeries _latency = recording[series];

    /// <summary>Records that a message with this stamp has been decoded now.</summary>
    public void Record(ulong stamp)
    {
        long now = _latency.Unit.FromNanos(time.NowNanos);
        _latency.Record(now - (long)stamp);
        recording.RecordSample(series, (long)stamp, now);
    }
}
