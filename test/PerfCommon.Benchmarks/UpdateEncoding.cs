using BenchmarkDotNet.Attributes;
using PerfCommon.Load;
using PerfCommon.MsgData;

namespace PerfCommon.Benchmarks;

/// <summary>Measures encoding one update of 23 fields, header included, field by field.</summary>
[MemoryDiagnoser]
public class UpdateEncoding
{
    private const int StreamId = 4711;

    private readonly FieldListTemplate _template = Samples.Messages.Updates[0];
    private readonly byte[] _room = new byte[1024];
    private ulong _stamp = 57_132_000_000;

    [Benchmark(Baseline = true)]
    public int Plain() => default(UpdateMessage).Encode(_room, StreamId, _template, stamp: 0);

    [Benchmark]
    public int Stamped() => default(UpdateMessage).Encode(_room, StreamId, _template, _stamp++);
}
