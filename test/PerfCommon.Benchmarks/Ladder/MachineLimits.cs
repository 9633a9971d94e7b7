using System.Globalization;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>The machine's own limits, measured in the same run: bytes a second over loopback TCP, and a busy round trip.</summary>
internal sealed class MachineLimits
{
    /// <summary>The write size of the tools: what they queue before they flush.</summary>
    public const int UsualWriteBytes = 32 * 1024;

    private const int MostRounds = 100_000;
    private const double NanosPerMicro = 1000;
    private static readonly int[] WriteSizes = [6 * 1024, UsualWriteBytes, 64 * 1024];

    private readonly List<LadderRow> _rows = [];

    /// <summary>Bytes a second with writes of 32 KB.</summary>
    public double BytesPerSecond { get; private set; }

    /// <summary>Mean of a round trip in microseconds.</summary>
    public double RoundMicros { get; private set; }

    public IReadOnlyList<LadderRow> Rows => _rows;

    public static MachineLimits Measure(int seconds, CancellationToken stop)
    {
        MachineLimits limits = new();
        foreach (int bytes in WriteSizes)
            limits.MeasureStream(bytes, seconds, stop);
        limits.MeasureRounds(seconds, stop);
        stop.ThrowIfCancellationRequested();
        return limits;
    }

    /// <summary>A rate of bytes as a part of the limit.</summary>
    public string Share(double bytesPerSecond) => string.Create(CultureInfo.InvariantCulture, $"{bytesPerSecond / BytesPerSecond:P0} of 32 KB");

    /// <summary>A round trip as a multiple of the busy one.</summary>
    public string Times(double micros) => string.Create(CultureInfo.InvariantCulture, $"{micros / RoundMicros:F1} x ping-pong");

    private void MeasureStream(int writeBytes, int seconds, CancellationToken stop)
    {
        using LoopbackStream stream = new();
        double rate = stream.MeasureBytesPerSecond(writeBytes, TimeSpan.FromSeconds(seconds), stop);
        if (writeBytes == UsualWriteBytes)
            BytesPerSecond = rate;
        _rows.Add(new LadderRow($"loopback TCP, writes of {writeBytes / 1024} KB", string.Create(CultureInfo.InvariantCulture, $"{rate / 1e9:F2} GB/s")));
    }

    private void MeasureRounds(int seconds, CancellationToken stop)
    {
        using LoopbackStream stream = new();
        long[] times = stream.MeasureRounds(Samples.MessageBytes, MostRounds, TimeSpan.FromSeconds(seconds), stop);
        if (times.Length == 0)
            return;
        RoundMicros = times.Average() / NanosPerMicro;
        _rows.Add(new LadderRow($"busy ping-pong, {Samples.MessageBytes} bytes", string.Create(CultureInfo.InvariantCulture,
            $"mean {RoundMicros:F1} us, p50 {times[times.Length / 2] / NanosPerMicro:F1} us, p99 {times[times.Length * 99 / 100] / NanosPerMicro:F1} us")));
    }
}
