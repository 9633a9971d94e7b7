using PerfCommon.Transport;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>The machine's own limits: bytes a second over loopback TCP, a busy round trip, the wake-up of an idle core.</summary>
internal sealed record MachineLimits
{
    /// <summary>The write size of the tools: the bytes that they queue before they flush.</summary>
    public const int UsualWriteBytes = ChannelOptions.BytesAtOnce;

    private const int MaxRounds = 100_000;
    private const double NanosPerMicro = 1000;
    private static readonly int[] WriteSizes = [6 * 1024, 32 * 1024, UsualWriteBytes, 64 * 1024];

    /// <summary>Bytes a second that arrived, by the bytes of each write.</summary>
    public required IReadOnlyList<(int WriteBytes, double BytesPerSecond)> Streams { get; init; }

    /// <summary>The busy round trip in microseconds; null when none was completed in time.</summary>
    public required (double Mean, double P50, double P99)? RoundMicros { get; init; }

    /// <summary>From a send to a thread that slept, in microseconds; null when none arrived.</summary>
    public required (double Mean, double P50, double P99)? WakeUpMicros { get; init; }

    /// <summary>Bytes a second with the write size of the tools.</summary>
    public double BytesPerSecond => Streams.First(stream => stream.WriteBytes == UsualWriteBytes).BytesPerSecond;

    /// <summary>Measures the limits, one after the other.</summary>
    /// <param name="messageBytes">Bytes of the message that is sent back and forth.</param>
    /// <param name="seconds">Time for each.</param>
    /// <param name="stop">Ends it early.</param>
    /// <exception cref="OperationCanceledException">It was ended early.</exception>
    public static MachineLimits Measure(int messageBytes, int seconds, CancellationToken stop)
    {
        TimeSpan time = TimeSpan.FromSeconds(seconds);
        MachineLimits limits = new()
        {
            Streams = [.. WriteSizes.Select(bytes => (bytes, MeasureStream(bytes, time, stop)))],
            RoundMicros = Measure(stream => stream.MeasureRounds(messageBytes, MaxRounds, time, stop)),
            WakeUpMicros = Measure(stream => stream.MeasureWakeUps(time, stop)),
        };
        stop.ThrowIfCancellationRequested();
        return limits;
    }

    private static double MeasureStream(int writeBytes, TimeSpan time, CancellationToken stop)
    {
        using LoopbackStream stream = new();
        return stream.MeasureBytesPerSecond(writeBytes, time, stop);
    }

    private static (double, double, double)? Measure(Func<LoopbackStream, long[]> measure)
    {
        using LoopbackStream stream = new();
        long[] times = measure(stream);
        return times.Length == 0
            ? null
            : (times.Average() / NanosPerMicro, times[times.Length / 2] / NanosPerMicro, times[times.Length * 99 / 100] / NanosPerMicro);
    }
}
