using PerfCommon.Benchmarks.Runs;
using PerfTools.Results.Documents;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.BenchmarkRuns;

public sealed class RateSearchTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public void Find_MachineWithALimit_ComesWithinFivePercentBelowIt()
    {
        RateSearch search = new RateSearch(rate => Run(rate, 3_210_000), rate => Run(rate, 3_210_000), report => report.IsOk,
            quick: false).Find(1_000_000);
        Assert.InRange(search.Best!.Rate, 3_210_000 / 1.06, 3_210_000);
        Assert.Equal("kept in 3 of 3 runs", search.Note);
    }

    [Fact]
    public void Find_NothingKept_SaysWhatTheRunSaid()
    {
        RateSearch search = new RateSearch(Fail, Fail, report => report.IsOk, quick: true).Find(1_000_000);
        Assert.Null(search.Best);
        Assert.Equal("time is up", search.Note);
    }

    [Fact]
    public void Read_FileOfAnotherFormat_IsAReportThatFailed()
    {
        File.WriteAllText(_folder.PathOf("run.json"), "{\"format\":\"perftools-run-1\"}");
        RunReport report = RunReport.Read(_folder.PathOf("run.json"));
        Assert.False(report.IsOk);
        Assert.EndsWith("format perftools-run-1 found, perftools-run-2 or perftools-run-3 expected", report.Reason, StringComparison.Ordinal);
    }

    // The rungs are short: what they keep by luck and the runs for figures do not is given up, step by step.
    [Fact]
    public void Find_RunsForFiguresMissTheRate_GoesDownUntilMostKeepIt()
    {
        int confirmed = 0;
        RateSearch search = new RateSearch(
            rate => Run(rate, limit: 2_050_000), rate => Run(rate, ++confirmed == 1 ? rate : 1_950_000), report => report.IsOk,
            quick: false).Find(2_000_000);
        Assert.InRange(search.Best!.Rate, 1_850_000, 1_950_000);
        Assert.Equal("kept in 3 of 3 runs", search.Note);
        Assert.Equal(6, confirmed);
    }

    public void Dispose() => _folder.Dispose();

    private static RunReport Fail(int rate) => RunReport.Failed("time is up");

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
