using BenchmarkDotNet.Attributes;
using PerfCommon.Measurement;

namespace PerfCommon.Benchmarks;

/// <summary>Measures recording one latency sample, statistics and histogram, without and with the stamp that it needs.</summary>
[MemoryDiagnoser]
public class LatencyRecording
{
    private const int UsualNanos = 20_000;
    private const int Spread = 255;

    private readonly LatencySeries _series = new(LatencyUnit.Nanoseconds);
    private long _turn;

    [Benchmark(Baseline = true)]
    public void Record() => _series.Record(UsualNanos + ((_turn++ & Spread) << 6));

    [Benchmark]
    public void StampAndRecord() => _series.Record(UsualNanos + (Clock.NowNanos & Spread));
}
