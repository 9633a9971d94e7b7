using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

public class SessionOptionsTests
{
    private static readonly SessionOptions Bound = new() { Reactor = true, WorkerThreads = ThreadPlan.BoundTo(3) };

    [Fact]
    public void ReactorProcessorOf_WorkerThreads_BindsSoManyAndNoMore()
    {
        Assert.True(ThreadPlan.TryParseProcessors("1,0", out ThreadPlan? two));
        SessionOptions options = Bound with { WorkerThreads = two };
        Assert.Equal([1, 0, (int?)ThreadBinding.Unbound], Enumerable.Range(0, 3).Select(options.ReactorProcessorOf));
        Assert.Equal([two], options.FurtherThreads);
        Assert.Empty(options.Notes);
    }

    [Fact]
    public void ReactorProcessorOf_ApiThreadsBeside_TheyCount()
    {
        SessionOptions options = Bound with { ApiThreads = ThreadPlan.BoundTo(1) };
        Assert.Equal(1, options.ReactorProcessorOf(0));
        Assert.Equal(["-workerThreads: no effect with -apiThreads, a reactor has one thread"], options.Notes);
    }

    [Fact]
    public void UserDispatch_HasNoThreadOfAReactorAndSaysThatWorkerThreadsAreIdle()
    {
        SessionOptions options = Bound with { UserDispatch = true };
        Assert.Null(options.ReactorProcessorOf(0));
        Assert.Equal(["-workerThreads: no effect with -useUserDispatch, a reactor has one thread"], options.Notes);
    }

    [Fact]
    public void FindProblem_WithoutReactor_NamesWhatNeedsIt()
    {
        Assert.Equal("-workerThreads needs -reactor", (Bound with { Reactor = false }).FindProblem());
        SessionOptions hasty = new() { Reconnect = ReconnectDelay.TryParse("100")! };
        Assert.Equal("-reconnectDelay needs -reactor", hasty.FindProblem());
        Assert.Null((hasty with { Reactor = true }).FindProblem());
    }

    [Theory]
    [InlineData("100", 100, 100, "100,100")]
    [InlineData("500,30000", 500, 30_000, "500,30000")]
    public void ReconnectDelay_OneOrTwoNumbers_AreReadAndShown(string text, int first, int max, string shown)
    {
        ReconnectDelay delay = ReconnectDelay.TryParse(text)!;
        Assert.Equal((first, max), (delay.First.TotalMilliseconds, delay.Max.TotalMilliseconds));
        Assert.Equal(shown, delay.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("500,100")]
    [InlineData("1,2,3")]
    [InlineData("0.5")]
    [InlineData("3600001")]
    public void ReconnectDelay_OtherText_IsNone(string text) => Assert.Null(ReconnectDelay.TryParse(text));
}
