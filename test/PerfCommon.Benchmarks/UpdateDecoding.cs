using BenchmarkDotNet.Attributes;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Benchmarks;

/// <summary>Measures decoding one update of 23 fields, every field by its dictionary type.</summary>
[MemoryDiagnoser]
public class UpdateDecoding
{
    private readonly FieldListDecoder _decoder = new(Samples.Dictionary.Types, StampFields.First, StampFields.Count);
    private readonly byte[] _update = Samples.CreateUpdate(streamId: 2);

    [GlobalSetup]
    public void Check()
    {
        if (HeaderAndFields() != DecodeResult.Success || _decoder.UnknownFields > 0)
            throw new InvalidOperationException("the sample update cannot be decoded");
    }

    [Benchmark(Baseline = true)]
    public DecodeResult HeaderAndFields() =>
        UpdateHeader.TryRead(_update, out UpdateHeader header) ? _decoder.Decode(_update, header.PayloadStart) : DecodeResult.Invalid;
}
