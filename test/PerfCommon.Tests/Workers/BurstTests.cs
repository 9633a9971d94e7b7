using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public sealed class BurstTests : IDisposable
{
    private readonly LoopbackPair _pair = new();
    private readonly CounterSet _counters = new();

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void Begin_TheReaderStopped_CountsWhatWasLeft()
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        MessageOutput output = new(pair.Server, Packing.None);
        Burst burst = Create(output, PlanWithLateStamp());
        burst.Begin(TickAt(0), connection: 0);
        burst.Send();
        int left = burst.Left;

        Assert.True(burst.IsBlocked);
        Assert.Equal(50_000 - output.Messages, left);
        Assert.Equal(0, _counters[Counter.UpdateStampsSent]);
        Assert.True(burst.Begin(TickAt(1), connection: 0));
        Assert.Equal((left, left), (_counters[Counter.UpdatesNotSent], _counters[Counter.UpdatesStopped]));
        Assert.Equal((50_000, true), (burst.Left, burst.IsBlocked));
    }

    // A stamp so far behind that its message is never reached.
    private static BurstPlan PlanWithLateStamp() => Enumerable.Range(1, 1_000).Select(seed => SessionSamples.Updates(50_000, 1, 1, seed: seed))
        .First(plan => plan.StampPlaceIn(TickAt(0), 0) > 40_000);

    private static TickInfo TickAt(int index) => new(index, InSecond: 0, DueNanos: 0, LagNanos: 0, SkippedBefore: 0);

    private Burst<NumberEncoder> Create(MessageOutput output, BurstPlan plan) => new(plan, _counters, output, new NumberEncoder(size: 100));
}
