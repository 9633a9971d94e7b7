using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Tests.Workers;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Load;

public sealed class BurstTests : IDisposable
{
    private readonly LoopbackPair _pair = new();
    private readonly WorkerRecording _recording = new();

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void Begin_TheReaderStopped_CarriesOverAndGivesUpBeyond()
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        MessageOutput output = new(pair.Server, Packing.None, _recording.Counters);
        Burst burst = Create(output, SessionSamples.Updates(rate: 500_000, stampRate: 0, tickRate: 20));
        burst.Begin(TickAt(0), connection: 0);
        burst.Send();
        int left = burst.Left;
        Assert.Equal((true, 25_000 - output.Messages), (burst.IsBlocked, left));

        Assert.True(burst.Begin(TickAt(1), connection: 0));
        Assert.True(burst.Begin(TickAt(2), connection: 0)); // 100 ms of load wait
        Assert.Equal((0, left + 50_000), (_recording.Counters[Counter.UpdatesNotSent], burst.Left));
        Assert.True(burst.Begin(TickAt(3), connection: 0));
        Assert.Equal((left, left), (_recording.Counters[Counter.UpdatesNotSent], _recording.Counters[Counter.UpdatesStopped]));
        Assert.Equal((75_000, true), (burst.Left, burst.IsBlocked));
        burst.Discard();
        Assert.Equal((left + 75_000, left, 0),
            (_recording.Counters[Counter.UpdatesNotSent], _recording.Counters[Counter.UpdatesStopped], burst.Left));
    }

    [Fact]
    public void Begin_OneTickASecond_CarriesNothingOver()
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        MessageOutput output = new(pair.Server, Packing.None, _recording.Counters);
        Burst burst = Create(output, SessionSamples.Updates(50_000, 0, tickRate: 1));
        burst.Begin(TickAt(0), connection: 0);
        burst.Send();
        long sent = output.Messages;
        burst.Begin(TickAt(1), connection: 0);

        Assert.Equal((50_000 - sent, 50_000), (_recording.Counters[Counter.UpdatesNotSent], burst.Left));
    }

    [Fact]
    public void Send_AfterAStall_SendsEveryTickWithItsStampAndShowsTheLag()
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        Burst burst = Create(new MessageOutput(pair.Server, Packing.None, _recording.Counters),
            SessionSamples.Updates(rate: 400_000, stampRate: 20, tickRate: 20));
        for (int tick = 0; tick < 3; tick++)
        {
            burst.Begin(TickAt(tick), connection: 0);
            burst.Send();
        }

        int received = 0;
        pair.Until(() =>
        {
            burst.Send();
            pair.Server.Flush();
            while (pair.Client.TryRead(out ReadOnlySpan<byte> message))
                Assert.Equal(received++, NumberEncoder.NumberIn(message));
            return received == 60_000;
        });

        Assert.Equal((3, 0), (_recording.Counters[Counter.UpdateStampsSent], _recording.Counters[Counter.UpdatesNotSent]));
        Assert.Equal(2, _recording[Series.SendLag].CollectRest().Count); // of the two that another tick overtook
    }

    [Theory]
    [InlineData(false, 1_000)]
    [InlineData(true, 1)]
    public void Send_StampsDue_TellsWhenEachTickWasDue(bool nanos, long nanosPerUnit)
    {
        const long Due = 5_000_000;
        LatencyUnit unit = nanos ? LatencyUnit.Nanoseconds : LatencyUnit.Microseconds;
        BurstPlan plan = new(MessageKind.Update, rate: 1_000, StampCells.All, tickRate: 1_000, seed: 1, unit, stampsDue: true);
        Burst burst = Create(new MessageOutput(_pair.Server, Packing.None, _recording.Counters), plan);
        for (int tick = 0; tick < 3; tick++)
            burst.Begin(new TickInfo(tick, tick, Due + (tick * Clock.NanosPerMilli), LagNanos: 0, SkippedBefore: 0), connection: 0);
        burst.Send();
        List<long> stamps = [];
        _pair.Until(() =>
        {
            _pair.Server.Flush();
            while (_pair.Client.TryRead(out ReadOnlySpan<byte> message))
                stamps.Add(NumberEncoder.StampIn(message));
            return stamps.Count == 3;
        });

        Assert.Equal([Due / nanosPerUnit, (Due + 1_000_000) / nanosPerUnit, (Due + 2_000_000) / nanosPerUnit], stamps);
    }

    [Theory]
    [InlineData(1_000, 1_000)]
    [InlineData(1_001, 1_000)]
    [InlineData(7, 1_000)]
    [InlineData(100_000, 333)]
    public void Begin_TicksOfASecond_AskForExactlyTheRate(int rate, int tickRate)
    {
        Burst burst = Create(new MessageOutput(_pair.Server, Packing.None, _recording.Counters), SessionSamples.Updates(rate, 0, tickRate));
        long due = 0;
        for (int tick = 0; tick < tickRate; tick++)
        {
            burst.Begin(new TickInfo(tick, tick, 0, 0, 0), connection: 0);
            due += burst.Left;
            burst.Discard();
        }

        Assert.Equal(rate, due);
        Assert.Equal((rate, 0), (_recording.Counters[Counter.UpdatesNotSent], _recording.Counters[Counter.UpdatesStopped]));
    }

    [Fact]
    public void Begin_TicksSkipped_CountsWhatTheyShouldHaveSent()
    {
        Burst burst = Create(new MessageOutput(_pair.Server, Packing.None, _recording.Counters),
            SessionSamples.Updates(rate: 1_500, 0, tickRate: 1_000));
        Assert.True(burst.Begin(new TickInfo(Index: 2_000, InSecond: 0, 0, 0, SkippedBefore: 2_000), connection: 0));

        Assert.Equal((3_000, 0), (_recording.Counters[Counter.UpdatesNotSent], _recording.Counters[Counter.UpdatesStopped]));
        Assert.Equal(2, burst.Left);
    }

    /// <summary>At a rate below that of ticks the first of a second have the messages: the tick after the skipped ones may have none.</summary>
    [Fact]
    public void Begin_TicksSkippedBeforeOneWithoutMessages_CountsWhatTheyShouldHaveSent()
    {
        Burst burst = Create(new MessageOutput(_pair.Server, Packing.None, _recording.Counters), SessionSamples.Updates(rate: 100, 0, tickRate: 1_000));
        Assert.False(burst.Begin(new TickInfo(Index: 2_500, InSecond: 500, 0, 0, SkippedBefore: 2_000), connection: 0));

        Assert.Equal((200, 0), (_recording.Counters[Counter.UpdatesNotSent], burst.Left));
    }

    [Fact]
    public void Begin_NothingToSendFor_IsNotDue()
    {
        Burst<NumberEncoder> burst = Create(new MessageOutput(_pair.Server, Packing.None, _recording.Counters),
            SessionSamples.Updates(rate: 1_000));
        burst.Encoder.IsIdle = true;
        Assert.False(burst.Begin(new TickInfo(5, 5, 0, 0, SkippedBefore: 5), connection: 0));
        Assert.Equal((0, 0L), (burst.Left, _recording.Counters[Counter.UpdatesNotSent]));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    public void Send_BlockedThenFree_GoesOnWhereItStopped(int packCount)
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        Burst burst = Create(new MessageOutput(pair.Server, new Packing(packCount, 3_000), _recording.Counters),
            SessionSamples.Updates(50_000, StampCells.All, 1));
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
        Assert.Equal((50_000, 0), (_recording.Counters[Counter.UpdateStampsSent], _recording.Counters[Counter.UpdatesNotSent]));
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

    private static TickInfo TickAt(int index) => new(index, InSecond: index, DueNanos: 0, LagNanos: 0, SkippedBefore: 0);

    private Burst<NumberEncoder> Create(MessageOutput output, BurstPlan plan) =>
        new(plan, _recording, output, new NumberEncoder(size: 100));
}
