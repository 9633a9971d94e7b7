using PerfCommon.Measurement;
using PerfHub.Consumers;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>The connections whose updates wait, by the time of their flush and their phase.</summary>
[Trait("Category", "Fast")]
public sealed class UpdateWindowsTests : IDisposable
{
    private readonly ConsumerBench _bench = new();
    private readonly UpdateWindows _windows = new();
    private readonly List<HubSession> _sessions;

    public UpdateWindowsTests()
    {
        for (int i = 0; i <= BurstInterval.Phases; i++)
            _bench.Talk();
        _sessions = _bench.Hub.Accepted;
        Assert.Equal(Enumerable.Range(0, 17), _sessions.Select(session => session.SlotNumber));
    }

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Windows_WithoutAConnection_AreNeverDue()
    {
        Assert.Equal((long.MaxValue, false), (_windows.NextDueNanos, _windows.HoldsUpdates));
        Assert.False(_windows.TryDequeue(long.MaxValue, out _, out _));
        Assert.Empty(_windows.Fresh);
    }

    [Fact]
    public void Hold_OfAConnectionThatWaits_LeavesItsTime()
    {
        _windows.Hold(_sessions[0], 100);
        _windows.Hold(_sessions[0], 50);
        _windows.Hold(_sessions[0], 200);
        Assert.Equal((100L, 100L, true), (_sessions[0].Wait.UntilNanos, _windows.NextDueNanos, _windows.HoldsUpdates));
        Assert.Equal([_sessions[0]], Dequeue(100));
        Assert.Equal((long.MaxValue, false), (_windows.NextDueNanos, _windows.HoldsUpdates));
    }

    [Fact]
    public void TryDequeue_AtItsTime_IsTrueAndBeforeItFalse()
    {
        _windows.Hold(_sessions[3], 100);
        Assert.False(_windows.TryDequeue(99, out _, out _));
        Assert.True(_windows.HoldsUpdates);
        Assert.True(_windows.TryDequeue(100, out List<HubSession> held, out long due));
        Assert.Equal(100, due);
        Assert.Equal([_sessions[3]], held);
    }

    [Fact]
    public void TryDequeue_OfSeveralTimes_IsInTheirOrder()
    {
        _windows.Hold(_sessions[1], 300);
        _windows.Hold(_sessions[2], 100);
        _windows.Hold(_sessions[3], 200);
        Assert.Equal(100, _windows.NextDueNanos);
        Assert.Equal([_sessions[2]], Dequeue(250));
        Assert.Equal(200, _windows.NextDueNanos);
        Assert.Equal([_sessions[3]], Dequeue(250));
        Assert.False(_windows.TryDequeue(250, out _, out _));
        Assert.Equal([_sessions[1]], Dequeue(long.MaxValue)); // where all have to go
    }

    /// <summary>Connections of one phase and time are flushed together: the seventeenth has the phase of the first.</summary>
    [Fact]
    public void Hold_ConnectionsOfOnePhase_AreFlushedTogether()
    {
        _windows.Hold(_sessions[0], 100);
        _windows.Hold(_sessions[1], 100);
        _windows.Hold(_sessions[16], 100);
        List<HubSession>[] both = [Dequeue(100), Dequeue(100)];
        Assert.Equal([[0, 16], [1]], both.Select(held => held.Select(session => session.SlotNumber).ToArray()).OrderBy(numbers => numbers[0]));
        Assert.False(_windows.HoldsUpdates);
    }

    [Fact]
    public void Hold_OnePhaseAtAnotherTime_IsFlushedThen()
    {
        _windows.Hold(_sessions[0], 100);
        _windows.Hold(_sessions[16], 200);
        Assert.Equal([_sessions[0]], Dequeue(100));
        Assert.False(_windows.TryDequeue(199, out _, out _));
        Assert.Equal([_sessions[16]], Dequeue(200));
    }

    /// <summary>A list is used again once it is returned, without the connections of before; until then it is not touched.</summary>
    [Fact]
    public void Return_OfAList_IsForOthersFromThenOn()
    {
        List<HubSession> first = HoldAndDequeue(0, 100), second = HoldAndDequeue(1, 200);
        Assert.NotSame(first, second);
        Assert.Equal([_sessions[0]], first);
        _windows.Return(first);
        Assert.Empty(first);
        List<HubSession> third = HoldAndDequeue(2, 300);
        Assert.Same(first, third);
        Assert.Equal([_sessions[2]], third);
        Assert.NotSame(third, HoldAndDequeue(3, 400));
    }

    [Fact]
    public void Connections_HeldThousandTimes_NeedNoFurtherLists()
    {
        HashSet<List<HubSession>> lists = new(ReferenceEqualityComparer.Instance);
        for (int round = 1; round <= 1_000; round++)
        {
            foreach (HubSession session in _sessions)
                _windows.Hold(session, round);
            int flushed = 0;
            while (_windows.TryDequeue(round, out List<HubSession> held, out long due))
            {
                Assert.Equal(round, due);
                flushed += held.Count;
                held.ForEach(session => session.Wait.Release());
                lists.Add(held);
                _windows.Return(held);
            }

            Assert.Equal(_sessions.Count, flushed);
        }

        Assert.Equal(BurstInterval.Phases, lists.Count);
    }

    /// <summary>The common interval is that of settings without one for each connection.</summary>
    [Theory]
    [InlineData(false, 160)]
    [InlineData(true, 0)]
    public void RecordArrivals_OfAThread_AreOfTheCommonInterval(bool isPerSession, int millis)
    {
        const long Milli = Clock.NanosPerMilli;
        _windows.RecordArrivals(new BurstSettings(160 * Milli, 500 * Milli, 50 * Milli, isPerSession), 1_000 * Milli, 4);
        Assert.Equal(millis * Milli, _windows.Burst.Nanos);
        _windows.RecordArrivals(new BurstSettings(160 * Milli, 500 * Milli, 50 * Milli, isPerSession), 1_160 * Milli, 0);
        Assert.Equal(isPerSession ? 0 : 210 * Milli, _windows.Burst.Nanos); // four in its window
    }

    private List<HubSession> Dequeue(long untilNanos)
    {
        Assert.True(_windows.TryDequeue(untilNanos, out List<HubSession> held, out _));
        return held;
    }

    private List<HubSession> HoldAndDequeue(int number, long nanos)
    {
        _windows.Hold(_sessions[number], nanos);
        return Dequeue(nanos);
    }
}
