using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>How long a worker sleeps: not at all while something is left to do, else until something is due.</summary>
[Trait("Category", "Fast")]
public sealed class WorkerWaitTests : IDisposable
{
    private const long Milli = Clock.NanosPerMilli;

    private readonly RecordingNetwork _network = new(TimeSource.StartAt(Clock.NanosPerSecond));
    private readonly MemoryWorkers _workers;
    private readonly ScriptedConnection _connection = new();

    public WorkerWaitTests()
    {
        _workers = new MemoryWorkers(options: new WorkerOptions { TickRate = 1_000 }, network: _network);
        _workers.Join(new ProbeConnection(), _connection);
        while (!_connection.IsOpened)
        {
            _workers.Client.Turn(0);
            _workers.Server.Turn(0);
        }
    }

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Turn_WithNothingToDo_SleepsForASecondOrUntilItsCallerAsks()
    {
        Assert.Equal(Clock.NanosPerSecond, Sleep());
        Assert.Equal(7 * Milli, Sleep(untilNanos: _network.Time.NowNanos + (7 * Milli)));
    }

    [Fact]
    public void Turn_WhileTicking_SleepsUntilTheNextTick()
    {
        _connection.Ticking = true;
        Assert.Equal(Milli, Sleep()); // the first tick was due at once
        _network.Time.Advance(Milli / 4);
        Assert.Equal(Milli * 3 / 4, Sleep());
        _connection.Ticking = false;
        Assert.InRange(Sleep(), Milli, Clock.NanosPerSecond);
    }

    [Fact]
    public void Turn_WithLateTicks_DoesNotSleepBeforeTheLast()
    {
        _connection.Ticking = true;
        Sleep();
        _network.Time.Advance(10 * Milli);
        Assert.Equal([0, 0, Milli], new[] { Sleep(), Sleep(), Sleep() }); // four ticks a turn
    }

    [Fact]
    public void Turn_WithWorkOfLowPriority_DoesNotSleep()
    {
        _connection.Idle = () =>
        {
            _network.Time.Advance(Milli);
            return true;
        };
        Assert.Equal(0, Sleep());
        _connection.Idle = static () => false;
        Assert.InRange(Sleep(), Milli, Clock.NanosPerSecond);
    }

    [Fact]
    public void Turn_BeforeWorkThatIsDueLater_SleepsUntilThen()
    {
        _connection.DueNanos = _network.Time.NowNanos + (3 * Milli);
        Assert.Equal(3 * Milli, Sleep());
    }

    [Fact]
    public void Turn_BeforeAnAttemptToConnect_SleepsUntilThen()
    {
        RetryPace pace = new(_network.Time.NowNanos + (200 * Milli), Clock.NanosPerSecond, Clock.NanosPerSecond, "second");
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0 }, _network);
        ConnectOptions connect = new() { Host = MemoryNetwork.Host, Port = listener.Port };
        Dialer dialer = _workers.Client.Connect(new Dialer(new ScriptedConnection(), connect, givesUpWhenRefused: false, pace));
        Assert.Equal(200 * Milli, Sleep());
        Assert.Equal("no attempt was made", dialer.Problem);
        _network.Time.Advance(200 * Milli);
        Sleep();
        Assert.Equal("the server took the connection and did not answer the handshake", dialer.Problem);
    }

    private long Sleep(long untilNanos = long.MaxValue)
    {
        _workers.Client.Turn(untilNanos);
        return _network.LastNanos;
    }

    private sealed class RecordingNetwork(TimeSource time) : MemoryNetwork(time)
    {
        /// <summary>The longest that the last wait of any worker could have lasted.</summary>
        public long LastNanos { get; private set; }

        public override Waiter CreateWaiter() => new RecordingWaiter(this);

        private sealed class RecordingWaiter(RecordingNetwork network) : MemoryWaiter
        {
            public override void Wait(long timeoutNanos)
            {
                network.LastNanos = timeoutNanos;
                base.Wait(timeoutNanos);
            }
        }
    }
}
