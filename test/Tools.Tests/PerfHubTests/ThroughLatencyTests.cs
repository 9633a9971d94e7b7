using PerfCommon.Measurement;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The end of a sample of the latency through a hub, and the number of samples it counts as.</summary>
[Trait("Category", "Fast")]
public class ThroughLatencyTests
{
    private readonly LatencySeries _through = new(LatencyUnit.Microseconds);
    private readonly ThroughLatency _book;

    public ThroughLatencyTests() => _book = new ThroughLatency(_through);

    [Fact]
    public void Run_ThatNobodyWaitsFor_EndsNow()
    {
        Begin(atMicros: 100, messages: 3);
        Begin(atMicros: 150, messages: 1);
        Assert.Null(_book.Settle(waiting: 0, 200_000));
        LatencyFigures figures = _through.CollectRest();
        Assert.Equal((4L, 50.0, 100.0), (figures.Count, figures.Min, figures.Max));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    public void Run_ThatConnectionsWaitFor_EndsWithTheLastOfThem(int connections)
    {
        Begin(atMicros: 100, messages: 2);
        PendingLatencies pending = Assert.IsType<PendingLatencies>(_book.Settle(connections, 200_000));
        for (int taken = 1; taken < connections; taken++)
            pending.CountSent((200 + (taken * 10)) * Clock.NanosPerMicro);
        Assert.Equal(0, _through.CollectRest().Count);
        pending.CountSent(900_000);
        LatencyFigures figures = _through.CollectRest();
        Assert.Equal((2L, 800.0), (figures.Count, figures.Max));
        pending.CountSent(990_000);
        Assert.Equal(0, _through.CollectRest().Count); // once
    }

    [Fact]
    public void Run_OfWhichMoreComesInTheNextTurn_IsMeasuredFromItsBeginning()
    {
        Begin(atMicros: 100, messages: 1);
        _book.Settle(0, 200_000);
        _book.Count();
        _book.Count();
        _book.Settle(0, 350_000);
        LatencyFigures figures = _through.CollectRest();
        Assert.Equal((3L, 100.0, 250.0), (figures.Count, figures.Min, figures.Max));
    }

    [Fact]
    public void Run_WithoutMessages_IsNoSample()
    {
        _book.Count(); // of no run
        Assert.Null(_book.Settle(3, 50_000));
        Begin(atMicros: 100, messages: 0);
        _book.Settle(0, 200_000);
        Assert.Equal(0, _through.CollectRest().Count);
    }

    private void Begin(long atMicros, int messages)
    {
        _book.Begin(atMicros * Clock.NanosPerMicro);
        for (int i = 0; i < messages; i++)
            _book.Count();
    }
}
