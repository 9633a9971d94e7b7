using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>
/// Workers on a network in memory whose clock only the test advances: their work in a second is exact, and the test does not wait for it.
/// </summary>
public sealed class WorkerClockTests : IDisposable
{
    private const int TickRate = 1_000;
    private const long TickNanos = Clock.NanosPerSecond / TickRate;

    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(Clock.NanosPerSecond), new WorkerOptions { TickRate = TickRate });
    private readonly ProbeConnection _client = new();
    private readonly ProbeConnection _server = new();

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Turn_ASecondOfTheClock_TakesItsTicksWithoutLag()
    {
        Connect();
        _client.Ticking = true;
        Pass(ticks: TickRate);
        Assert.Equal(TickRate, _client.Ticks.Count);
        Assert.All(_client.Ticks, tick => Assert.Equal(0, tick.LagNanos));
    }

    [Fact]
    public void Turn_ClockLeaps_SendsLateTicksWithTheirLag()
    {
        Connect();
        _client.Ticking = true;
        Pass(ticks: 1);
        _workers.Network.Time.Advance(3 * TickNanos);
        Turn();
        Assert.Equal([0L, 3 * TickNanos, 2 * TickNanos, TickNanos, 0L], _client.Ticks.Select(tick => tick.LagNanos));
    }

    [Fact]
    public void RequestEnd_PeerNeverEnds_IsCutAfterThreeSeconds()
    {
        Connect();
        _workers.Client.RequestEnd();
        for (int i = 0; i < 3_000; i++)
            TurnClient();
        Assert.False(_workers.Client.HasEnded);
        TurnClient();
        Assert.True(_workers.Client.HasEnded && _client.WasCut);
    }

    [Fact]
    public void Connect_NobodyListens_TriesOnceASecond()
    {
        Dialer dialer = _workers.Client.Connect(_client, new ConnectOptions { Host = MemoryNetwork.Host, Port = 7 },
            givesUpWhenRefused: true);
        _workers.Client.Turn();
        Assert.Equal(_workers.Network.Time.NowNanos + Clock.NanosPerSecond, dialer.NextAttemptNanos);

        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 7 }, _workers.Network);
        Pass(ticks: TickRate);
        Assert.False(listener.TryAccept(TimeSpan.Zero, out _));
        Turn();
        Assert.True(listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted));
        _workers.Server.Serve(accepted, _server);
        Turn();
        Assert.True(_client.IsOpened && _server.IsOpened);
    }

    private void Connect()
    {
        _workers.Join(_server, _client);
        Turn();
        Assert.True(_client.IsOpened && _server.IsOpened);
    }

    private void Turn()
    {
        for (int round = 0; round < 8; round++)
        {
            _workers.Client.Turn();
            _workers.Server.Turn();
        }
    }

    private void Pass(int ticks)
    {
        for (int i = 0; i < ticks; i++)
        {
            Turn();
            _workers.Network.Time.Advance(TickNanos);
        }
    }

    private void TurnClient()
    {
        _workers.Client.Turn();
        _workers.Network.Time.Advance(TickNanos);
    }
}
