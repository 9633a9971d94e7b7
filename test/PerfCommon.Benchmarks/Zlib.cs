using BenchmarkDotNet.Attributes;
using PerfCommon.Transport.Compression;

namespace PerfCommon.Benchmarks;

/// <summary>
/// Measures zlib on bodies of market data. One stream for the whole connection, so inflating alone cannot be repeated: it is the
/// difference.
/// </summary>
[MemoryDiagnoser]
public class Zlib
{
    private const int Level = 5; // default of the tools

    private readonly byte[] _compressed = new byte[16 * 1024];
    private readonly byte[] _room = new byte[16 * 1024];
    private byte[] _body = [];
    private ZlibFrameCompressor[] _streams = []; // a separate one for each benchmark: it compresses what it inflates

    [Params(Samples.MessageBytes, 4096, 6144)]
    public int Bytes { get; set; }

    [GlobalSetup]
    public void Fill()
    {
        _body = Samples.CreateStructured(Bytes);
        _streams = [new ZlibFrameCompressor(Level), new ZlibFrameCompressor(Level)];
        if (CompressAndInflate() != Bytes || !_room.AsSpan(0, Bytes).SequenceEqual(_body))
            throw new InvalidOperationException("the body did not come back");
    }

    [Benchmark]
    public int Compress() => _streams[0].Compress(_body, _compressed);

    [Benchmark]
    public int CompressAndInflate()
    {
        int count = _streams[1].Compress(_body, _compressed);
        return _streams[1].Inflate(_compressed.AsSpan(0, count), _room);
    }

    [GlobalCleanup]
    public void Close()
    {
        foreach (ZlibFrameCompressor stream in _streams)
            stream.Dispose();
    }
}
