using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace Tools.Tests.Runs;

[Trait("Category", "Fast")]
public class StartupWarmUpTests
{
    public static TheoryData<string> Tools { get; } = new() { "ConsPerf", "ProvPerf", "NIProvPerf", "TransportPerf", "HubPerf", "UsersPerf" };

    /// <summary>What fails ahead of a run fails unseen, and the first interval would be slow again.</summary>
    [Theory]
    [MemberData(nameof(Tools))]
    public void Report_OfEachTool_IsCollectedAndWritten(string tool) => StartupWarmUp.RunInterval(ReportOf(tool));

    /// <summary>On one processor it would only delay the start.</summary>
    [Fact]
    public void Start_OnSeveralProcessors_WarmsUpOnAThread()
    {
        Assert.SkipUnless(Environment.ProcessorCount > 1, "needs two processors");
        using ManualResetEventSlim isCollected = new();
        Thread? thread = null;
        StartupWarmUp.Start(() => thread = Thread.CurrentThread, () =>
        {
            isCollected.Set();
            return ReportOf("ConsPerf");
        });
        Assert.True(isCollected.Wait(TimeSpan.FromSeconds(180), TestContext.Current.CancellationToken));
        Assert.Equal((true, "warm-up"), (thread!.IsBackground, thread.Name));
    }

    private static Report ReportOf(string tool) => tool switch
    {
        "ConsPerf" => ConsPerf.ConsPerfReport.Create(new()),
        "ProvPerf" => ProvPerf.ProvPerfReport.Create(new()),
        "NIProvPerf" => NIProvPerf.NIProvPerfReport.Create(new()),
        "TransportPerf" => TransportPerf.TransportPerfReport.Create(new(), 1),
        "HubPerf" => HubPerf.HubPerfReport.Create(new()),
        _ => UsersPerf.UsersPerfReport.Create(new()),
    };
}
