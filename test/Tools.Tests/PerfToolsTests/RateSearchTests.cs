using PerfTools.Results;
using PerfTools.Search;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public sealed class RateSearchTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public void Find_MachineWithALimit_ComesWithinFivePercentBelowIt()
    {
        RateSearch search = new RateSearch(rate => Run(rate, limit: 3_210_000), report => report.IsOk, quick: false).Find(1_000_000);
        Assert.InRange(search.Best!.Rate, 3_210_000 / 1.06, 3_210_000);
        Assert.Equal("kept in 3 of 3 runs", search.Note);
    }

    [Fact]
    public void Find_NothingKept_SaysWhatTheRunSaid()
    {
        RateSearch search = new RateSearch(_ => RunReport.Failed("time is up"), report => report.IsOk, quick: true).Find(1_000_000);
        Assert.Null(search.Best);
        Assert.Equal("time is up", search.Note);
    }

    [Fact]
    public void Read_FileOfAnotherFormat_IsAReportThatFailed()
    {
        File.WriteAllText(_folder.PathOf("run.json"), "{\"format\":\"perftools-run-1\"}");
        RunReport report = RunReport.Read(_folder.PathOf("run.json"));
        Assert.False(report.IsOk);
        Assert.EndsWith("format perftools-run-1 found, perftools-run-2 expected", report.Reason, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private RunReport Run(int rate, int limit)
    {
        RunDocument run = SampleFigures.Run with
        {
            Verdict = rate <= limit ? "OK" : "SLOW",
            Reason = rate <= limit ? null : "too slow",
            Figures = SampleFigures.Good with { RateReached = rate },
        };
        RunFolder folder = RunFolder.Open(_folder.FullPath, "direct", DateTime.UtcNow, []);
        Assert.Null(RunFile.TryWrite(folder, run));
        return RunReport.Read(folder.PathOf(RunFile.Name));
    }
}
