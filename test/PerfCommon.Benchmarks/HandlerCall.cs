using BenchmarkDotNet.Attributes;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;

namespace PerfCommon.Benchmarks;

/// <summary>Measures the extra cost of decoding an update in a handler instead of in the session's loop.</summary>
[MemoryDiagnoser]
public class HandlerCall
{
    private const int Updates = 256;

    private readonly byte[][] _updates = [.. Enumerable.Range(1, Updates).Select(Samples.CreateUpdate)];
    private readonly FieldListDecoder _decoder = new(Samples.Dictionary.Types, StampFields.First, StampFields.Count);
    private readonly ConsumerHandler _handler = new Decoding();
    private readonly ConsumerHandler _counting = new Counting();

    [Benchmark(Baseline = true, OperationsPerInvoke = Updates)]
    public ulong Inlined()
    {
        foreach (byte[] message in _updates)
        {
            if (UpdateHeader.TryRead(message, out UpdateHeader update) && update.DomainType == DomainType.MarketPrice)
                _decoder.Decode(update.Message, update.PayloadStart);
        }

        return _decoder.Checksum;
    }

    [Benchmark(OperationsPerInvoke = Updates)]
    public void ThroughHandler()
    {
        foreach (byte[] message in _updates)
        {
            if (UpdateHeader.TryRead(message, out UpdateHeader update) && update.DomainType == DomainType.MarketPrice)
                _handler.OnUpdate(update.StreamId, update);
        }
    }

    [Benchmark(OperationsPerInvoke = Updates)]
    public long CountInlined()
    {
        long bytes = 0;
        foreach (byte[] message in _updates)
        {
            if (UpdateHeader.TryRead(message, out UpdateHeader update) && update.DomainType == DomainType.MarketPrice)
                bytes += update.Payload.Length;
        }

        return bytes;
    }

    [Benchmark(OperationsPerInvoke = Updates)]
    public void CountThroughHandler()
    {
        foreach (byte[] message in _updates)
        {
            if (UpdateHeader.TryRead(message, out UpdateHeader update) && update.DomainType == DomainType.MarketPrice)
                _counting.OnUpdate(update.StreamId, update);
        }
    }

    private sealed class Counting : ConsumerHandler
    {
        public long Bytes { get; private set; }

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update) => Bytes += update.Payload.Length;
    }

    private sealed class Decoding : ConsumerHandler
    {
        private readonly FieldListDecoder _decoder = new(Samples.Dictionary.Types, StampFields.First, StampFields.Count);

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update) =>
            _decoder.Decode(update.Message, update.PayloadStart);
    }
}
