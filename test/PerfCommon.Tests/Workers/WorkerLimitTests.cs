using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Limits of a worker's parts at their boundary values, filled and emptied.</summary>
public sealed class WorkerLimitTests
{
    private static readonly NoticeKind Cause = NoticeKind.Warning(908, "Cause", "{Sentence}", "A cause");
    private static readonly NoticeKind NoCause = NoticeKind.Information(907, "NoCause", "{Sentence}");

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void NoticeGate_AtTheEndOfItsSecond_PassesAsManyAgain(int perSecond)
    {
        NoticeGate gate = new(perSecond);
        long now = 1_000;
        for (int round = 0; round < 100; round++)
        {
            for (int i = 0; i < perSecond; i++)
                Assert.True(gate.TryPass("a", now));
            Assert.False(gate.TryPass("b", now + Clock.NanosPerSecond - 1));
            Assert.Null(gate.CollectHeld(now + Clock.NanosPerSecond - 1));
            Assert.False(gate.TryPass("b", now));
            now += Clock.NanosPerSecond;
            Assert.Equal("b (repeated 2 times)", gate.CollectHeld(now));
            Assert.Null(gate.CollectHeld(now));
        }
    }

    [Fact]
    public void NoticeGate_OfSeveralSentences_SaysTheLastAndOneAgainInTheNextSecond()
    {
        NoticeGate gate = new(1);
        Assert.True(gate.TryPass("a", 0));
        foreach (string sentence in (string[])["b", "c", "c"])
            Assert.False(gate.TryPass(sentence, 1));
        Assert.Equal("c (the last of 3 notices that came too fast)", gate.CollectHeld(Clock.NanosPerSecond));
        Assert.True(gate.TryPass("d", Clock.NanosPerSecond));
        for (int i = 0; i < 1_234; i++)
            Assert.False(gate.TryPass("e", Clock.NanosPerSecond));
        Assert.Equal("e (repeated 1,234 times)", gate.CollectHeld(long.MaxValue));
    }

    /// <summary>10,000 notices wait; those beyond are counted where they have a cause, until they are collected.</summary>
    [Fact]
    public void RunNotices_AtTheirMaximum_CountTheRestByItsCause()
    {
        RunNotices notices = new();
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 10_000; i++)
                notices.Add(NoCause, i);
            Assert.Empty(notices.CollectUnreported());
            notices.Add(Cause, "one");
            notices.Add(Cause, "two");
            notices.Add(NoCause, "three");
            Assert.Equal([("A cause", 2L)], notices.CollectUnreported());
            Assert.Empty(notices.CollectUnreported());
            for (int i = 0; i < 10_000; i++)
                Assert.True(notices.TryDequeue(out _));
            Assert.False(notices.TryDequeue(out string none));
            Assert.Equal("", none);
        }
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(9, 0)]
    [InlineData(10, 1)]
    [InlineData(19, 1)]
    [InlineData(1_000, 100)]
    public void BurstPlan_OfATickRate_CarriesTheTicksOfATenthOfASecond(int tickRate, int carried)
    {
        int rate = tickRate == 0 ? 10 : tickRate; // the least that a plan is made for
        BurstPlan plan = new(MessageKind.Update, rate, 0, rate, seed: 1, LatencyUnit.Microseconds, stampsDue: tickRate == 9, measuresEncoding: tickRate == 10);
        Assert.Equal((carried, false, tickRate == 9, tickRate == 10, MessageKind.Update, LatencyUnit.Microseconds),
            (plan.TicksCarried, plan.StampsAll, plan.StampsDue, plan.MeasuresEncoding, plan.Kind, plan.Unit));
        Assert.True(new BurstPlan(MessageKind.Post, rate, StampCells.All, rate, 1, LatencyUnit.Nanoseconds) is
        {
            StampsAll: true, Kind: MessageKind.Post,
            Unit: LatencyUnit.Nanoseconds
        });
    }

    [Fact]
    public void SendingTimes_OfMoreSpansThanAreKept_KeepTheFirstAndTheLast()
    {
        SendingTimes times = new();
        times.EndSpan(); // none has begun
        Assert.Empty(times.Spans);
        for (int i = 1; i <= 300; i++)
        {
            times.AddTick(i * 1_000, (i * 1_000) + 10);
            times.AddTick((i * 1_000) + 10, (i * 1_000) + 20 + (i == 5 ? 960 : 0));
            times.EndSpan();
            times.EndSpan();
        }

        Assert.Equal(256, times.Spans.Count);
        Assert.Equal((1_000, 300_020), (times.Spans[0].FromNanos, times.Spans[^1].ToNanos));
        Assert.Equal(new SendingSpan(300_000, 300_020), times.Spans[^1]);
        Assert.DoesNotContain(times.Spans, span => span.FromNanos == 6_000); // joined with the fifth, the nearest
    }

    [Fact]
    public void ConnectionAccount_OfMany_KeepsTheTenThatLostMost()
    {
        WorkerRecording recording = new();
        for (int i = 0; i < 30; i++)
        {
            CounterSet counters = new();
            counters.Add(Counter.UpdatesNotSent, i % 3 == 0 ? 0 : i);
            recording.RecordConnection(new ConnectionAccount($"peer {i}", 1, counters.Snapshot()), path: null);
        }

        Assert.Equal((30L, 0), (recording.ConnectionsEnded, recording.Paths.Count));
        Assert.Equal([29, 28, 26, 25, 23, 22, 20, 19, 17, 16], recording.Connections.Select(account => account.NotSent));
        Assert.Equal("peer 29", recording.Connections[0].Address);
    }

    /// <summary>A warm-up runs both connections from their handshake to their end, and is over also where its code is never in use.</summary>
    [Fact]
    public void ConnectionWarmUp_OfTwoConnections_RunsThemToTheirEnd()
    {
        List<string> events = [];
        OrderedConnection server = new("server", events), client = new("client", events);
        WorkerRecording served = new(), connected = new();
        int looks = 0;
        ConnectionWarmUp.Run(server, served, client, connected, () => ++looks > 5);
        Assert.Equal(6, looks);
        List<string> once = [.. events.Where(entry => !entry.EndsWith(" turn", StringComparison.Ordinal))];
        Assert.Equal(["client opened 0", "server opened 0"], once.Where(entry => entry.EndsWith(" 0", StringComparison.Ordinal)).Order());
        Assert.True(once.IndexOf("client finishing") < once.IndexOf("server finishing") || !once.Contains("server finishing"));
        Assert.Contains("client finishing", once);
        Assert.InRange(events.Count(entry => entry == "client turn"), 95, int.MaxValue); // a hundred turns at least
        Assert.NotNull(connected.TimeOf(Moment.End));
    }
}
