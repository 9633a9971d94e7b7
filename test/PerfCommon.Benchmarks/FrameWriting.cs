using BenchmarkDotNet.Attributes;
using PerfCommon.Transport;

namespace PerfCommon.Benchmarks;

/// <summary>Measures writing a message of 76 bytes to a channel, without the system.</summary>
[MemoryDiagnoser]
public class FrameWriting
{
    private readonly RsslChannel _channel = MemoryChannels.CreateWriting();

    [Benchmark(Baseline = true, OperationsPerInvoke = MemoryChannels.Burst)]
    public void Unpacked() => MemoryChannels.WriteUnpacked(_channel);

    [Benchmark(OperationsPerInvoke = MemoryChannels.Burst)]
    public void Packed50() => MemoryChannels.WritePacked(_channel);

    [GlobalCleanup]
    public void Close() => _channel.Dispose();
}
