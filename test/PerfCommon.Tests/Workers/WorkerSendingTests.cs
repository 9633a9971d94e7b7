using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>The time in which a worker sent ticks, by which rates are divided; on a clock that only the test advances.</summary>
public sealed class WorkerSendingTests : IDisposable
{
    private const long Milli = Clock.NanosPerMilli;
    private const int MaxTicksPerTurn = 4;

    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(Clock.NanosPerSecond), new WorkerOptions { TickRate = 1_000 });
    private readonly ProbeConnection _one = new();

    public WorkerSendingTests()
    {
        ProbeConnection peer = new();
        _workers.Join(peer, _one);
        for (int round = 0; round < 8; round++)
        {
            _workers.Client.Turn(0);
            _workers.Server.Turn(0);
        }

        Assert.True(_one.IsOpened && peer.IsOpened);
        _one.Ticking = true;
        _workers.Client.Turn(0); // the first tick is due at once
        Assert.Single(_one.Ticks);
    }

    private TimeSource Time => _workers.Network.Time;

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Spans_TicksInTime_LastUntilTheNextWouldBeDue()
    {
        long began = Time.NowNanos;
        Advance(2 * Milli);
        Advance(Milli / 2);
        Assert.Equal(3, _one.Ticks.Count);
        Stop();
        Assert.Equal([new(began, began + (3 * Milli))], Spans);
    }

    /// <summary>A tick that is taken late lasts until it was taken: the next one was due long before.</summary>
    [Fact]
    public void Spans_TicksFarBehind_LastUntilTheLastWasTaken()
    {
        long began = Time.NowNanos;
        Advance(100 * Milli);
        Assert.Equal(1 + MaxTicksPerTurn, _one.Ticks.Count);
        Stop();
        Assert.Equal([new(began, began + (100 * Milli))], Spans);
    }

    /// <summary>A stop ends the span, so that the time until ticks are wanted again is in no rate.</summary>
    [Fact]
    public void Spans_TicksWantedAgain_AreTwoWithoutTheTimeBetween()
    {
        long began = Time.NowNanos;
        Stop();
        Assert.Single(Spans);
        Advance(50 * Milli);
        _one.Ticking = true;
        Advance(0);
        long again = Time.NowNanos;
        Assert.Equal(2, _one.Ticks.Count);
        Assert.Equal(again, _one.Ticks[^1].DueNanos); // the schedule restarted: no tick is late
        Stop();
        Stop();
        Assert.Equal([new(began, began + Milli), new(again, again + Milli)], Spans);
    }

    private IReadOnlyList<SendingSpan> Spans => _workers.Client.Recording.Sending.Spans;

    private void Advance(long nanos)
    {
        Time.Advance(nanos);
        _workers.Client.Turn(0);
    }

    private void Stop()
    {
        _one.Ticking = false;
        _workers.Client.Turn(0);
    }
}
