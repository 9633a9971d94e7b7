using BenchmarkDotNet.Attributes;
using K4os.Compression.LZ4;
using PerfCommon.Transport.Compression;

namespace PerfCommon.Benchmarks;

/// <summary>Measures lz4 on bodies of market data: one small message, a pack, the largest fragment.</summary>
[MemoryDiagnoser]
public class Lz4 : IDisposable
{
    private readonly Lz4BlockEncoder _encoder = new();
    private byte[] _body = [];
    private byte[] _compressed = [];
    private byte[] _room = [];

    [Params(Samples.MessageBytes, 4096, 6144)]
    public int Bytes { get; set; }

    [GlobalCleanup]
    public void Dispose()
    {
        _encoder.Dispose();
        GC.SuppressFinalize(this);
    }

    [GlobalSetup]
    public void Fill()
    {
        _body = Samples.CreateStructured(Bytes);
        _room = new byte[LZ4Codec.MaximumOutputSize(Bytes)];
        _compressed = _room.AsSpan(0, Encode()).ToArray();
        if (Decode() != Bytes || !_room.AsSpan(0, Bytes).SequenceEqual(_body))
            throw new InvalidOperationException("the body did not come back");
    }

    /// <summary>Encodes in the package's own way, which clears a table for each block.</summary>
    [Benchmark]
    public int EncodeAlone() => LZ4Codec.Encode(_body, _room);

    [Benchmark]
    public int Encode() => _encoder.Encode(_body, _room);

    [Benchmark]
    public int Decode() => Lz4BlockDecoder.Decode(_compressed, _room);
}
