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

    [Theory]
    [InlineData(1_000, 1_000)]
    [InlineData(1_001, 1_000)]
    [InlineData(7, 1_000)]
    [InlineData(100_000, 333)]
    public void Begin_TicksOfASecond_AskForExactlyTheRate(int rate, int tickRate)
    {
        Burst burst = Create(new MessageOutput(_pair.Server, Packing.None), SessionSamples.Updates(rate, 0, tickRate));
        long due = 0;
        for (int tick = 0; tick < tickRate; tick++)
        {
            burst.Begin(new TickInfo(tick, tick, 0, 0, 0), connection: 0);
            due += burst.Left;
            burst.GiveUp(forLackOfBuffers: false);
        }

        Assert.Equal(rate, due);
        Assert.Equal((rate, 0), (_counters[Counter.UpdatesNotSent], _counters[Counter.UpdatesStopped]));
    }

    [Fact]
    public void Begin_TicksSkipped_CountsWhatTheyShouldHaveSent()
    {
        Burst burst = Create(new MessageOutput(_pair.Server, Packing.None), SessionSamples.Updates(rate: 1_500, 0, tickRate: 1_000));
        Assert.True(burst.Begin(new TickInfo(Index: 2_000, InSecond: 0, 0, 0, SkippedBefore: 2_000), connection: 0));

        Assert.Equal((3_000, 0), (_counters[Counter.UpdatesNotSent], _counters[Counter.UpdatesStopped]));
        Assert.Equal(2, burst.Left);
    }

    [Fact]
    public void Begin_NothingToSendFor_IsNotDue()
    {
        Burst<NumberEncoder> burst = Create(new MessageOutput(_pair.Server, Packing.None), SessionSamples.Updates(rate: 1_000));
        burst.Encoder.IsIdle = true;
        Assert.False(burst.Begin(new TickInfo(5, 5, 0, 0, SkippedBefore: 5), connection: 0));
        Assert.Equal((0, 0L), (burst.Left, _counters[Counter.UpdatesNotSent]));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    public void Send_BlockedThenFree_GoesOnWhereItStopped(int packCount)
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        Burst burst = Create(new MessageOutput(pair.Server, new Packing(packCount, 3_000)), SessionSamples.Updates(50_000, StampCells.All, 1));
        burst.Begin(TickAt(0), connection: 0);
        burst.Send();
        Assert.True(burst is { IsBlocked: true, Left: > 0 });
        List<byte[]> received = [];
        pair.Until(() =>
        {
            burst.Send();
            pair.Server.Flush();
            while (pair.Client.TryRead(out ReadOnlySpan<byte> message))
                received.Add(message.ToArray());
            return received.Count == 50_000;
        });

        Assert.Equal((0, false), (burst.Left, burst.IsBlocked));
        Assert.Equal(Enumerable.Range(0, 50_000).Select(i => (long)i), received.Select(message => NumberEncoder.NumberIn(message)));
        Assert.All(received, message => Assert.NotEqual(0, NumberEncoder.StampIn(message)));
        Assert.Equal((50_000, 0), (_counters[Counter.UpdateStampsSent], _counters[Counter.UpdatesNotSent]));
    }

    [Fact]
    public void Send_AnyNumberOfConnections_StampsAsManyASecondAsAsked()
    {
        BurstPlan plan = SessionSamples.Updates(rate: 5_000, stampRate: 37, tickRate: 500);
        for (int connection = 0; connection < 3; connection++)
        {
            int stamps = Enumerable.Range(0, 500).Count(tick => plan.StampPlaceIn(new TickInfo(tick, tick, 0, 0, 0), connection) >= 0);
            Assert.Equal(37, stamps);
        }
    }

    // A stamp so far behind that its message is never reached.
    private static BurstPlan PlanWithLateStamp() => Enumerable.Range(1, 1_000).Select(seed => SessionSamples.Updates(50_000, 1, 1, seed: seed))
        .First(plan => plan.StampPlaceIn(TickAt(0), 0) > 40_000);

    private static TickInfo TickAt(int index) => new(index, InSecond: 0, DueNanos: 0, LagNanos: 0, SkippedBefore: 0);

    private Burst<NumberEncoder> Create(MessageOutput output, BurstPlan plan) => new(plan, _counters, output, new NumberEncoder(size: 100));
}
