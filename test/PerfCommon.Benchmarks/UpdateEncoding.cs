using BenchmarkDotNet.Attributes;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Benchmarks;

/// <summary>What does one update of 23 fields cost to encode, header included, field by field?</summary>
[MemoryDiagnoser]
public class UpdateEncoding
{
    private const int StreamId = 4711;

    private readonly FieldListTemplate _template = Samples.Messages.Updates[0];
    private readonly byte[] _room = new byte[1024];
    private ulong _stamp = 57_132_000_000;

    [Benchmark(Baseline = true)]
    public int Plain()
    {
        RwfWriter writer = new(_room);
        MarketPriceHeaders.TryWriteUpdateHeader(ref writer, StreamId);
        _template.EncodeList(ref writer);
        return writer.Written;
    }

    [Benchmark]
    public int Stamped()
    {
        RwfWriter writer = new(_room);
        MarketPriceHeaders.TryWriteUpdateHeader(ref writer, StreamId);
        _template.EncodeList(ref writer, StampFields.Update, _stamp++);
        return writer.Written;
    }
}
