using System.Diagnostics;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Two workers over memory, whose turns the test runs.</summary>
public sealed class WorkerTests : IDisposable
{
    private const long NanosPerMilli = 1_000_000;

    private readonly MemoryWorkers _workers = new(options: new WorkerOptions { TickRate = 1_000 });
    private readonly Worker _near;
    private readonly Worker _far;
    private readonly ProbeConnection _client = new();
    private readonly ProbeConnection _server = new();

    public WorkerTests()
    {
        (_near, _far) = (_workers.Client, _workers.Server);
        _workers.Join(_server, _client);
        Until(() => _client.IsOpened && _server.IsOpened);
    }

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Turn_NobodyWantsTicks_TakesNone()
    {
        TurnFor(5 * NanosPerMilli);
        Assert.Empty(_client.Ticks);
    }

    [Fact]
    public void Turn_IntervalAskedForBesideAPeerThatDoesNotRead_SaysHowManyBytesWait()
    {
        Assert.Equal(0, QueuedAfterATurn());
        for (int i = 0; i < 1_000 && _client.Queue(50, bytes: 5_000) == 50; i++)
            _near.Turn();
        long queued = QueuedAfterATurn();
        Assert.Equal((true, _client.Channel.BytesQueued), (queued > 0, (int)queued));

        long QueuedAfterATurn()
        {
            _near.Recording.RequestInterval();
            _near.Turn();
            Assert.True(_near.Recording.TryCollect(out _));
            return _near.Recording[Gauge.QueuedBytes];
        }
    }

    [Fact]
    public void Turn_TicksWantedAgain_BeginAnew()
    {
        _client.Ticking = true;
        Until(() => _client.Ticks.Count >= 3);
        _client.Ticking = false;
        int before = _client.Ticks.Count;
        TurnFor(5 * NanosPerMilli);
        Assert.Equal(before, _client.Ticks.Count);
        _client.Ticking = true;
        _near.Turn();

        Assert.Equal([0L, 1L, 2L], _client.Ticks.Take(3).Select(tick => tick.Index));
        Assert.Equal((0, 0), (_client.Ticks[before].Index, _client.Ticks[before].SkippedBefore));
        Assert.Empty(_server.Ticks);
    }

    [Fact]
    public void Turn_ManyLateTicks_TakesFourATurn()
    {
        _client.Ticking = true;
        _near.Turn();
        int first = _client.Ticks.Count; // one, or more when the machine paused
        Assert.InRange(first, 1, 4);
        Stall(20 * NanosPerMilli);
        _near.Turn();
        Assert.Equal(first + 4, _client.Ticks.Count);
        _near.Turn();

        Assert.Equal(Enumerable.Range(0, first + 8).Select(i => (long)i), _client.Ticks.Select(tick => tick.Index));
        Assert.True(_client.Ticks[first].LagNanos >= 19 * NanosPerMilli);
        Assert.Equal(first + 8, Collect().Count);
    }

    [Fact]
    public void Turn_MoreMessagesThanOneTurnTakes_LeavesTheRestToTheNext()
    {
        using MemoryWorkers workers = new(options: new WorkerOptions { MaxMessagesPerTurn = 100 });
        ProbeConnection client = new(), server = new();
        workers.Join(server, client);
        while (!client.IsOpened || !server.IsOpened)
        {
            workers.Client.Turn();
            workers.Server.Turn();
        }

        Assert.Equal(1_000, client.Queue(1_000, bytes: 8));
        workers.Client.Turn();
        for (int turns = 1; server.Received.Count < 1_000; turns++)
        {
            workers.Server.Turn();
            Assert.InRange(server.Received.Count, 1, 100 * turns);
            workers.Client.Turn();
        }
    }

    [Fact]
    public void Turn_MessagesOfMoreBytesThanOneTurnTakes_LeavesTheRestToTheNext()
    {
        const int Bytes = 5_000, MaxBytesPerTurn = 1 << 20;
        for (int sent = 0; sent < 1_000;)
        {
            sent += _client.Queue(Math.Min(50, 1_000 - sent), Bytes);
            _near.Turn();
            int before = _server.Received.Count;
            _far.Turn();
            Assert.InRange((_server.Received.Count - before) * Bytes, 0, MaxBytesPerTurn + (64 * 1024));
        }
    }

    [Fact]
    public void RequestEnd_MessagesQueued_ArriveAndAreCounted()
    {
        int queued = _client.Queue(40, bytes: 6_000);
        Assert.Equal(40, queued);
        _near.RequestEnd();
        Until(() => _near.HasEnded && _server.Reason is not null);

        Assert.Equal(Enumerable.Range(0, 40).Select(i => (long)i), _server.Received);
        Assert.Equal((40, 0), (Sent(_near), NotSent(_near)));
        Assert.True(_client.WasDrained);
        Assert.False(_near.Recording.AnyBroken || _far.Recording.AnyBroken);
        Assert.Equal(_near.Recording.TimeOf(Moment.End), _near.Recording.TimeOf(Moment.Disconnected)); // drained messages are in no rate
    }

    [Fact]
    public void RequestEnd_BothSides_ReadEachOther()
    {
        _client.Queue(5, bytes: 100);
        _server.Queue(7, bytes: 100);
        _near.RequestEnd();
        _far.RequestEnd();
        Until(() => _near.HasEnded && _far.HasEnded);
        Assert.Equal((7, 5), (_client.Received.Count, _server.Received.Count));
    }

    [Fact]
    public void RequestEnd_AfterTicks_SendingTookWholeTicksOrUpToTheLastOne()
    {
        _client.Ticking = true;
        Until(() => _client.Ticks.Count >= 3);
        _near.RequestEnd();
        Until(() => _near.HasEnded);
        (long began, long ended) = Assert.Single(_near.Recording.Sending.Spans);
        Assert.Equal(_client.Ticks[0].DueNanos, began);
        Assert.Equal(Math.Max(began + (_client.Ticks.Count * NanosPerMilli), _client.Ticks[^1].DueNanos + _client.Ticks[^1].LagNanos),
            ended);
        Assert.Empty(_far.Recording.Sending.Spans);
    }

    [Fact]
    public void RequestEnd_NoConnection_EndsAtOnce()
    {
        NotedWaits network = new();
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(), network);
        worker.RequestEnd();
        worker.Poller.Wait(0); // the wake-up is consumed: only the worker itself knows that it should not wait
        network.Timeouts.Clear();
        worker.Turn();
        Assert.True(worker.HasEnded);
        Assert.Equal([0L], network.Timeouts);
    }

    [Fact]
    public void Turn_ConnectionClosedWithMessagesQueued_BooksThemAsNotSent()
    {
        int queued = _client.Queue(1_000, bytes: 6_000); // the far side does not read: its pipe and the output buffers fill
        Assert.InRange(queued, 51, 999);
        _client.Channel.Close();
        _near.Turn();

        Assert.True(Sent(_near) > 0 && NotSent(_near) > 0);
        Assert.Equal(queued, Sent(_near) + NotSent(_near));
        Assert.Equal((CloseKind.Local, 0), (_client.Reason!.Kind, _near.OpenConnections));
    }

    [Fact]
    public void Turn_ChannelAborted_NotesThatItBroke()
    {
        _client.Channel.Abort("enough");
        Until(() => _client.Reason is not null);
        Assert.True(_near.Recording.AnyBroken);
        Assert.NotNull(_near.Recording.TimeOf(Moment.Connected));
        Assert.Equal(0, _near.OpenConnections);
    }

    private static long Sent(Worker worker) => worker.Recording.Counters[Counter.MessagesSent];

    private static long NotSent(Worker worker) => worker.Recording.Counters[Counter.MessagesNotSent];

    private LatencyFigures Collect()
    {
        _near.Recording.CollectRest();
        return _near.Recording[Series.SendLag].LastInterval.Figures();
    }

    private static void Stall(long nanos)
    {
        long until = Clock.NowNanos + nanos;
        while (Clock.NowNanos < until)
            Thread.SpinWait(100);
    }

    // Once at least, also where the machine pauses for all of that time.
    private void TurnFor(long nanos)
    {
        long until = Clock.NowNanos + nanos;
        do
            TurnBoth();
        while (Clock.NowNanos < until);
    }

    private void TurnBoth()
    {
        _near.Turn();
        _far.Turn();
    }

    private void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed.TotalSeconds < 180, "the condition never held");
            TurnBoth();
        }
    }

    // A network that records the limit of each wait.
    private sealed class NotedWaits() : MemoryNetwork(TimeSource.StartAt(Clock.NanosPerSecond))
    {
        public List<long> Timeouts { get; } = [];

        public override Waiter CreateWaiter() => new NotingWaiter(Timeouts);

        private sealed class NotingWaiter(List<long> timeouts) : MemoryWaiter
        {
            public override void Wait(long timeoutNanos)
            {
                timeouts.Add(timeoutNanos);
                base.Wait(timeoutNanos);
            }
        }
    }
}
