using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>When a worker serves what, on a clock that only the test advances.</summary>
public sealed class WorkerRulesTests : IDisposable
{
    private const long Milli = Clock.NanosPerMilli;
    private const int TickRate = 1_000;

    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(Clock.NanosPerSecond), new WorkerOptions { TickRate = TickRate });
    private readonly ProbeConnection _peer = new();

    private TimeSource Time => _workers.Network.Time;

    private Worker Near => _workers.Client;

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void IsEnding_BeforeAndAfterTheRequest_TellsSo()
    {
        Open(new ScriptedConnection());
        Assert.Equal((false, false), (Near.IsEnding, Near.IsEndRequested));
        Near.RequestEnd();
        Assert.Equal((false, true), (Near.IsEnding, Near.IsEndRequested));
        Near.Turn(0);
        Assert.Equal((true, false), (Near.IsEnding, Near.HasEnded)); // its connection is not drained yet
    }

    /// <summary>Messages are read until the next tick is due; without ticks, and at the end, without such a limit.</summary>
    [Fact]
    public void OnReadable_WhileTicking_MayTakeUntilTheNextTick()
    {
        ScriptedConnection one = Open(new ScriptedConnection());
        ReadOne();
        Assert.Equal(long.MaxValue, one.Until[^1]);
        one.Ticking = true;
        Near.Turn(0); // the first tick is due at once
        long due = Time.NowNanos + Milli;
        ReadOne();
        Assert.Equal(due, one.Until[^1]);
        Near.RequestEnd();
        Near.Turn(0);
        ReadOne();
        Assert.Equal(long.MaxValue, one.Until[^1]);

        void ReadOne()
        {
            int before = one.Until.Count;
            Assert.Equal(1, _peer.Queue(1, bytes: 20));
            _workers.Server.Turn(0);
            Near.Turn(0);
            Assert.InRange(one.Until.Count, before + 1, int.MaxValue);
        }
    }

    /// <summary>Under a flood it is checked now and then whether the next tick is due.</summary>
    [Fact]
    public void OnReadable_AFloodWhileTicking_StopsWhenTheNextTickIsDue()
    {
        const int MessagesOfATick = 1_000, MessagesBetweenLooks = 256;
        ScriptedConnection one = Open(new ScriptedConnection { Ticking = true });
        Near.Turn(0); // the first tick is due at once
        one.Message = () => Time.Advance(Milli / MessagesOfATick);
        Assert.Equal(2_000, _peer.Queue(2_000, bytes: 8));
        _workers.Server.Turn(0);
        Near.Turn(0);
        Assert.InRange(one.Received, MessagesOfATick, MessagesOfATick + MessagesBetweenLooks);
        Near.Turn(0);
        Assert.Equal(2_000, one.Received);
    }

    [Fact]
    public void Receive_ReceiverWantsNoMore_StopsThere()
    {
        ScriptedConnection one = Open(new ScriptedConnection { Wanted = 3 });
        Assert.Equal(10, _peer.Queue(10, bytes: 20));
        _workers.Server.Turn(0);
        int times = one.Until.Count;
        Near.Turn(0);
        Assert.Equal((times + 1, 3), (one.Until.Count, one.Received));
    }

    /// <summary>Work for spare time is done for one tick's length before others are served.</summary>
    [Fact]
    public void OnIdle_EndlessWork_TakesATick()
    {
        int calls = 0;
        ScriptedConnection one = Open(new ScriptedConnection());
        one.Idle = Work;
        Near.Turn(0);
        Assert.Equal(10, calls);

        bool Work()
        {
            calls++;
            Time.Advance(Milli / 10);
            return true;
        }
    }

    /// <summary>While ticks are sent it is done until the next one is due, and for a tenth of a tick at least.</summary>
    [Theory]
    [InlineData(250, 750)]
    [InlineData(950, 100)] // less is left of the tick
    [InlineData(10_000, 100)] // ticks are late
    public void OnIdle_EndlessWorkWhileTicking_EndsWithTheTickButHasItsShare(int microsLater, int expected)
    {
        int calls = 0;
        ScriptedConnection one = Open(new ScriptedConnection { Ticking = true });
        Near.Turn(0); // the first tick is due at once
        Time.Advance(microsLater * Clock.NanosPerMicro);
        one.Idle = () =>
        {
            calls++;
            Time.Advance(Clock.NanosPerMicro);
            return true;
        };
        Near.Turn(0);
        Assert.Equal(expected, calls);
    }

    /// <summary>Where bursts are blocked, the same work gets a tenth of a tick before them.</summary>
    [Fact]
    public void OnIdle_BurstsAreBlocked_TakesItsShareOfATickBeforeThem()
    {
        int calls = 0, before = 0;
        ScriptedConnection one = Open(new ScriptedConnection { Blocked = true });
        one.Continue = () => before = calls;
        one.Idle = () =>
        {
            calls++;
            Time.Advance(Milli / 1_000);
            return true;
        };
        Near.Turn(0);
        Assert.Equal(1 + 100, before); // the time counts from the end of the first
    }

    /// <summary>A connection that runs on demand is looked at every 100 ms: what is due at that moment is done.</summary>
    [Fact]
    public void OnDue_ConnectionOnDemand_IsLookedAtEveryTenthOfASecond()
    {
        ScriptedConnection one = Open(new ScriptedConnection { OnDemand = true });
        Near.Turn(0);
        long looked = LookNow();
        one.DueNanos = looked + (100 * Milli);
        Time.Advance((100 * Milli) - 1);
        Near.Turn(0);
        Assert.Empty(one.Due);
        Time.Advance(1);
        Near.Turn(0);
        Assert.Equal([looked + (100 * Milli)], one.Due);
    }

    [Fact]
    public void Connect_BesideIdleConnections_ReportsAFailureAtTheNextLook()
    {
        Open(new ScriptedConnection { OnDemand = true });
        Near.Turn(0);
        Dialer dialer = Near.Connect(new ScriptedConnection(), new ConnectOptions { Host = MemoryNetwork.Host, Port = 7 }, givesUpWhenRefused: false);
        Assert.True(dialer.NextAttemptNanos <= 0); // at once, whatever the clock shows
        Near.Turn(0);
        Time.Advance(100 * Milli);
        Near.Turn(0);
        Assert.True(Near.Recording.Notices.TryDequeue(out string notice));
        Assert.StartsWith("Connection failed: ", notice, StringComparison.Ordinal);
        Assert.Equal(Time.NowNanos + Clock.NanosPerSecond, dialer.NextAttemptNanos);
    }

    [Fact]
    public void Serve_RefusedConnection_IsCountedAndReported()
    {
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0, MaxConnections = 3 }, _workers.Network);
        Near.Connect(new ScriptedConnection(), new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        Near.Turn(0);
        Assert.True(listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted));
        accepted.Refuse("no room");
        _workers.Server.Serve(accepted, _peer);
        _workers.Server.Turn(0);
        Assert.Equal((1, 0), (_workers.Server.Recording.Counters[Counter.ConnectionsRefused], _workers.Server.ServedConnections));
        Assert.True(_workers.Server.Recording.Notices.TryDequeue(out string notice));
        Assert.Equal("Connection refused: 3 are open.", notice);
    }

    [Fact]
    public void Connection_WhosePeerIsSilent_IsCountedOnce()
    {
        Open(new ScriptedConnection());
        for (int second = 0; second < 100 && _peer.Reason is null; second++)
        {
            Time.Advance(Clock.NanosPerSecond);
            _workers.Server.Turn(0);
        }

        Assert.Equal(CloseKind.PingTimeout, _peer.Reason?.Kind);
        Assert.Equal(1, _workers.Server.Recording.Counters[Counter.ConnectionsSilent]);
    }

    [Fact]
    public void QueuedBytes_OfAnInterval_AreThoseOfAllConnections()
    {
        Open(new ScriptedConnection());
        Worker server = _workers.Server;
        server.Recording.RequestInterval();
        server.Turn(0);
        Assert.Equal(0, server.Recording[Gauge.QueuedBytes]);
        Assert.True(server.Recording.TryCollect(out _));
        Assert.InRange(_peer.Queue(100, bytes: 6_000), 1, 100);
        server.Recording.RequestInterval();
        server.Turn(0);
        Assert.InRange(_peer.Channel.BytesQueued, 1, long.MaxValue); // more than the network takes
        Assert.Equal(_peer.Channel.BytesQueued, server.Recording[Gauge.QueuedBytes]);
    }

    private ScriptedConnection Open(ScriptedConnection connection) => _workers.Open(_peer, connection);

    // Passes until the worker has just looked at its connections.
    private long LookNow()
    {
        Time.Advance(100 * Milli);
        Near.Turn(0);
        return Time.NowNanos;
    }
}
