using BenchmarkDotNet.Attributes;
using PerfCommon.Transport.Compression;

namespace PerfCommon.Benchmarks;

/// <summary>What does lz4 cost on bodies of market data: one small message, a pack, the largest fragment?</summary>
[MemoryDiagnoser]
public class Lz4
{
    private byte[] _body = [];
    private byte[] _compressed = [];
    private byte[] _room = [];

    [Params(Samples.MessageBytes, 4096, 6144)]
    public int Bytes { get; set; }

    [GlobalSetup]
    public void Fill()
    {
        _body = Samples.CreateStructured(Bytes);
        _room = new byte[LZ4Codec.MaximumOutputSize(Bytes)];
        _compressed = _room.AsSpan(0, Encode()).ToArray();
        if (Decode() != Bytes || !_room.AsSpan(0, Bytes).SequenceEqual(_body))
            throw new InvalidOperationException("the body did not come back");
    }

    [Benchmark]
    public int Encode() => LZ4Codec.Encode(_body, _room);

    [Benchmark]
    public int Decode() => LZ4Codec.Decode(_compressed, _room);
}
