using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Connections that get their turns on demand, and the ticks of those that want some.</summary>
public sealed class WorkerListTests : IDisposable
{
    private const long Milli = Clock.NanosPerMilli;

    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(Clock.NanosPerSecond), new WorkerOptions { TickRate = 100 });
    private readonly List<string> _events = [];
    private readonly OrderedConnection _one, _two;
    private readonly ProbeConnection _peerOfOne = new();

    public WorkerListTests()
    {
        (_one, _two) = (new("one", _events) { IsOnDemand = true }, new("two", _events) { IsOnDemand = true });
        _workers.Join(_peerOfOne, _one);
        Turns(8);
        _workers.Join(new ProbeConnection(), _two);
        Turns(8);
        Taken();
    }

    private Worker Near => _workers.Client;

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Activate_OnDemand_GivesTurnsWhileItIsBusy()
    {
        Near.Turn(0);
        Assert.Empty(Taken());
        for (int round = 0; round < 3; round++)
        {
            Near.Activate(_one);
            Near.Activate(_one);
            Assert.True(_one.IsInTurn);
            Near.Turn(0);
            Assert.Equal(["one turn"], Taken());
            Assert.False(_one.IsInTurn);
            Near.Turn(0);
            Assert.Empty(Taken());
            _two.IsBusyNow = true;
            Near.Activate(_two);
            Near.Activate(_one);
            Near.Turn(0);
            Near.Turn(0);
            Assert.Equal(["two turn", "one turn", "two turn"], Taken());
            _two.IsBusyNow = false;
            Near.Turn(0);
            Assert.Equal(["two turn"], Taken());
            Near.Turn(0);
            Assert.Empty(Taken());
        }
    }

    /// <summary>Bytes that arrive give a connection its turn.</summary>
    [Fact]
    public void Bytes_ForAConnectionOnDemand_GiveItATurn()
    {
        Assert.Equal(1, _peerOfOne.Queue(1, bytes: 20));
        _workers.Server.Turn(0);
        Near.Turn(0);
        Near.Turn(0);
        Assert.Empty(Taken()); // it has nothing to do after it has read
        Assert.Equal((1L, 0L), (_one.Channel.MessagesRead, _two.Channel.MessagesRead));
    }

    /// <summary>Each tick is sent before the next connection takes it; then every active connection continues.</summary>
    [Fact]
    public void Ticks_AreForThoseThatWantThemAndAreSentAtOnce()
    {
        (_one.IsBusyNow, _one.IsTicking, _two.IsBusyNow) = (true, true, true);
        Near.Activate(_one);
        Near.Activate(_two);
        Near.Turn(0);
        Assert.Equal(["one tick 0", "one turn", "one turn", "two turn"], Taken());
        _workers.Network.Time.Advance((10 * Milli) - 1);
        Near.Turn(0);
        Assert.Equal(["one turn", "two turn"], Taken());
        _workers.Network.Time.Advance(1);
        _two.IsTicking = true;
        Near.Turn(0);
        Assert.Equal(["one tick 1", "one turn", "two tick 1", "two turn", "one turn", "two turn"], Taken());
        (_one.IsTicking, _two.IsTicking) = (false, false);
        _workers.Network.Time.Advance(10 * Milli);
        Near.Turn(0);
        Assert.Equal(["one turn", "two turn"], Taken());
        Assert.Equal(2, Near.Recording[Series.SendLag].CollectRest().Count);
        (long from, long to) = Assert.Single(Near.Recording.Sending.Spans);
        Assert.Equal(20 * Milli, to - from);
    }

    /// <summary>A connection that needs no more turns does not end the ticks of another.</summary>
    [Fact]
    public void Ticks_WhenAnotherConnectionIsIdle_GoOn()
    {
        (_one.IsBusyNow, _one.IsTicking) = (true, true);
        Near.Activate(_one);
        Near.Activate(_two);
        Near.Turn(0);
        Assert.False(_two.IsInTurn);
        Taken();
        _workers.Network.Time.Advance(10 * Milli);
        Near.Turn(0);
        Assert.Equal(["one tick 1", "one turn", "one turn"], Taken());
    }

    /// <summary>Messages that still wait for output buffers go first: those of a tick follow in the same turn, and not before.</summary>
    [Fact]
    public void Ticks_WhileEarlierMessagesWait_AreNotSentAtOnce()
    {
        (_one.IsBusyNow, _one.IsTicking, _one.IsWaiting) = (true, true, true);
        Near.Activate(_one);
        Near.Turn(0);
        Assert.Equal(["one tick 0", "one turn"], Taken());
    }

    /// <summary>Ticks without messages are no part of the time in which the worker had some to send, nor of its lag.</summary>
    [Fact]
    public void Ticks_WithNothingToSend_AreNotRecorded()
    {
        (_one.IsBusyNow, _one.IsTicking, _one.HasToSend) = (true, true, false);
        Near.Activate(_one);
        for (int tick = 0; tick < 5; tick++)
        {
            Near.Turn(0);
            _workers.Network.Time.Advance(10 * Milli);
        }

        Assert.Equal(5, Taken().Count(entry => entry.StartsWith("one tick", StringComparison.Ordinal)));
        _one.HasToSend = true;
        Near.Turn(0);
        _one.IsTicking = false;
        Near.Turn(0);
        Assert.Equal((1L, 10 * Milli), (Near.Recording[Series.SendLag].CollectRest().Count,
            Near.Recording.Sending.Spans.Single().ToNanos - Near.Recording.Sending.Spans.Single().FromNanos));
    }

    /// <summary>What is due on an active connection is done in the turn in which its time has come.</summary>
    [Fact]
    public void OnDue_OfAnActiveConnection_IsCalledAtItsTime()
    {
        _one.IsBusyNow = true;
        Near.Activate(_one);
        _one.DueNanos = _workers.Network.Time.NowNanos + 5;
        _workers.Network.Time.Advance(4);
        Near.Turn(0);
        Assert.Equal(["one turn"], Taken());
        _workers.Network.Time.Advance(1);
        Near.Turn(0);
        Assert.Equal(["one turn", "one due"], Taken());
        Near.Turn(0);
        Assert.Equal(["one turn"], Taken());
    }

    private List<string> Taken()
    {
        List<string> taken = [.. _events];
        _events.Clear();
        return taken;
    }

    private void Turns(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Near.Turn(0);
            _workers.Server.Turn(0);
        }
    }
}
