using BenchmarkDotNet.Attributes;
using PerfCommon.Transport;

namespace PerfCommon.Benchmarks;

/// <summary>
/// Measures reading a message of 76 bytes from a channel, one copy into its buffer included, without the system.
/// </summary>
[MemoryDiagnoser]
public class FrameReading
{
    private readonly RsslChannel _unpacked = MemoryChannels.CreateReading(packed: false);
    private readonly RsslChannel _packed = MemoryChannels.CreateReading(packed: true);

    [Benchmark(Baseline = true, OperationsPerInvoke = MemoryChannels.Burst)]
    public int Unpacked() => Read(_unpacked);

    [Benchmark(OperationsPerInvoke = MemoryChannels.Burst)]
    public int Packed50() => Read(_packed);

    [GlobalCleanup]
    public void Close()
    {
        _unpacked.Dispose();
        _packed.Dispose();
    }

    private static int Read(RsslChannel channel)
    {
        int sum = 0;
        for (int i = 0; i < MemoryChannels.Burst; i++)
        {
            if (!channel.TryRead(out ReadOnlySpan<byte> message) || message.Length != Samples.MessageBytes)
                throw new InvalidOperationException($"no message: {channel.Closed}");
            sum += message[0];
        }

        return sum;
    }
}
