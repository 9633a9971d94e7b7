using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>How connections begin and end, in which order, and who follows them; on a clock that only the test advances.</summary>
public sealed class WorkerEndingTests : IDisposable
{
    private const long Second = Clock.NanosPerSecond;

    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(5 * Second));
    private readonly List<string> _events = [];
    private readonly OrderedConnection _first, _other;
    private readonly ScriptedConnection _firstPeer = new(), _otherPeer = new();

    public WorkerEndingTests()
    {
        _first = new("first", _events) { IsFirst = true };
        _other = new("other", _events);
        Join(_other, _otherPeer);
        Join(_first, _firstPeer);
        Assert.Equal(["other opened 0", "first opened 1"], Taken());
    }

    private Worker Near => _workers.Client;

    private TimeSource Time => _workers.Network.Time;

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Opened_Connections_AreCountedAndHaveTheirTime()
    {
        Assert.Equal((2, 0, 5 * Second, 5 * Second), (Near.OpenConnections, Near.ServedConnections, _first.OpenedNanos, _other.OpenedNanos));
        Assert.Equal((2, 2), (_workers.Server.OpenConnections, _workers.Server.ServedConnections));
        Assert.Equal((5 * Second, null, null),
            (Near.Recording.TimeOf(Moment.Connected), Near.Recording.TimeOf(Moment.Disconnected), Near.Recording.TimeOf(Moment.End)));
    }

    /// <summary>Those whose messages are forwarded are read to their end before the others stop; the task says when these may.</summary>
    [Fact]
    public void RequestEnd_ConnectionsThatEndFirst_AreOverBeforeTheOthers()
    {
        StubTask task = new() { DelaysEnd = true };
        Near.Task = task;
        Near.RequestEnd();
        for (int turn = 0; turn < 3; turn++)
            Near.Turn(0);
        Assert.Equal(["first last", "first finishing"], Taken());
        Assert.Equal((0, false, false, true), (task.FirstOver, Near.IsEnding, _first.IsOpen, _other.IsOpen));
        Turns(5); // its peer ends its stream, too
        Assert.Equal(["first closed PeerClosed"], Taken());
        Assert.Equal((1, false, 1, true), (task.FirstOver, Near.IsEnding, Near.OpenConnections, _first.WasDrained));
        Time.Advance(Second);
        task.DelaysEnd = false;
        Near.Turn(0);
        Assert.Equal(["other last", "other finishing"], Taken());
        Assert.Equal((true, false, 6 * Second), (Near.IsEnding, Near.HasEnded, Near.Recording.TimeOf(Moment.End)));
        Turns(5);
        Assert.Equal(["other closed PeerClosed"], Taken());
        Assert.Equal((true, 1, 0), (Near.HasEnded, task.FirstOver, Near.OpenConnections));
        Assert.Equal((false, 6 * Second), (Near.Recording.AnyBroken, Near.Recording.TimeOf(Moment.Disconnected)));
    }

    /// <summary>One that opens while those that end first do is finished at once if it is one of them, and any once the worker ends.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Opened_WhileTheFirstEnd_IsFinishedWhereItIsOneOfThem(bool isFirst)
    {
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0 }, _workers.Network);
        OrderedConnection late = new("late", _events) { IsFirst = isFirst };
        Near.Task = new StubTask { DelaysEnd = true };
        Near.RequestEnd();
        Near.Turn(0);
        Taken();
        Near.Connect(late, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        Near.Turn(0);
        Assert.True(listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted));
        _workers.Server.Serve(accepted, new ScriptedConnection());
        Turns(6);
        Assert.Equal(isFirst ? ["late opened 2", "late last", "late finishing", "late closed PeerClosed"] : ["late opened 2"],
            Taken().Where(entry => entry.StartsWith("late", StringComparison.Ordinal)));
    }

    [Fact]
    public void Finish_OfOne_LeavesTheOthers()
    {
        Near.Finish(_other);
        Near.Finish(_other);
        Assert.Equal(["other last", "other finishing"], Taken());
        Assert.Equal((8 * Second, long.MaxValue, false, true), (_other.DrainEnd, _first.DrainEnd, _other.IsOpen, _first.IsOpen));
        Turns(5);
        Assert.Equal(["other closed PeerClosed"], Taken());
        Assert.Equal((1, false, true, false), (Near.OpenConnections, Near.IsEnding, _other.WasDrained, _other.WasCut));
        Time.Advance(7 * Second);
        Turns(2);
        Assert.Empty(Taken());
        Assert.Equal(5 * Second, Near.Recording.TimeOf(Moment.Disconnected));
    }

    /// <summary>A peer that does not end its stream is disconnected after three seconds, and not before.</summary>
    [Fact]
    public void Finish_PeerThatDoesNotEnd_IsCutAfterThreeSeconds()
    {
        Near.Finish(_other);
        Taken();
        Time.Advance((3 * Second) - 1);
        Near.Turn(0);
        Assert.Equal((0, false, 2), (Taken().Count, _other.WasCut, Near.OpenConnections));
        Time.Advance(1);
        Near.Turn(0);
        Near.Turn(0);
        Assert.Equal(["other closed Local"], Taken());
        Assert.Equal((true, false, 1, CloseKind.Local), (_other.WasCut, _other.WasDrained, Near.OpenConnections, _other.Closed!.Kind));
    }

    /// <summary>A connection is followed by another where it says so, unless the end was requested.</summary>
    [Theory]
    [InlineData(true, false, true)]
    [InlineData(false, false, false)] // it says null
    [InlineData(true, true, false)]
    public void Closed_Connection_IsFollowedByItsSuccessor(bool hasNext, bool isEnding, bool isFollowed)
    {
        List<CloseKind> asked = [];
        OrderedConnection next = new("next", _events);
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0 }, _workers.Network);
        _other.Successor = reason =>
        {
            asked.Add(reason.Kind);
            return hasNext ? new Dialer(next, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port }, false, RetryPace.EverySecond) : null;
        };
        if (isEnding)
            Near.RequestEnd();
        _other.Channel.Abort("test");
        Turns(3);
        Assert.Equal((isFollowed, isEnding ? 0 : 1), (listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted), asked.Count));
        Assert.Contains("other closed Aborted", Taken());
        Assert.True(Near.Recording.AnyBroken);
        if (!isFollowed)
            return;
        _workers.Server.Serve(accepted!, new ScriptedConnection());
        Turns(5);
        Assert.Equal(["next opened 2"], Taken());
        Assert.Equal(CloseKind.Aborted, asked[0]);
    }

    [Fact]
    public void Defect_OfAHandler_EndsTheRecordingThere()
    {
        Time.Advance(Second);
        Near.RecordDefect(Time.NowNanos);
        Assert.Equal((true, 6 * Second, 6 * Second),
            (Near.Recording.AnyBroken, Near.Recording.TimeOf(Moment.End), Near.Recording.TimeOf(Moment.Disconnected)));
        Assert.NotNull(Near.Recording.HandedOverCpu);
    }

    private void Join(OrderedConnection connection, Connection peer)
    {
        _workers.Join(peer, connection);
        Turns(8);
    }

    private void Turns(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Near.Turn(0);
            _workers.Server.Turn(0);
        }
    }

    // The events since the last call, without those of every turn.
    private List<string> Taken()
    {
        List<string> taken = [.. _events.Where(entry => !entry.EndsWith(" turn", StringComparison.Ordinal))];
        _events.Clear();
        return taken;
    }

    private sealed class StubTask : IWorkerTask
    {
        public bool DelaysEnd { get; set; }

        public int FirstOver { get; private set; }

        public void OnAwake()
        {
        }

        public void Work()
        {
        }

        public void OnFirstOver() => FirstOver++;

        public bool TrySleep() => true;
    }
}
