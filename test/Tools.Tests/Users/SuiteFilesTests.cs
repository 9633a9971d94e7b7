using System.Text.RegularExpressions;
using PerfTools.Reports;
using PerfTools.Reports.Charts;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Screen;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>Every output of a suite and of a ramp, complete.</summary>
public sealed partial class SuiteFilesTests : IDisposable
{
    private readonly RunDirectory _folder = new();

    [Theory]
    [InlineData("steps.csv")]
    [InlineData("headline.csv")]
    [InlineData("scenarios.csv")]
    [InlineData("sweeps.csv")]
    [InlineData("suite.json")]
    public void TryWrite_OfASuite_LeavesTheFile(string name)
    {
        Assert.Null(UsersReport.TryWrite(Open(), "users", SuiteSamples.All));
        ExpectedText.AssertEquals(name, _folder.Read(name));
    }

    [Fact]
    public void TryWrite_OfASuite_LeavesThePage()
    {
        Assert.Null(UsersReport.TryWrite(Open(), "users", SuiteSamples.All));
        ExpectedText.AssertEquals("suite.html", Body(_folder.Read("report.html")));
        Assert.Equal(
            ["batching-high", "load-high", "load-low", "mean-high", "mean-low", "range-high", "range-low", "sweep-high-burstMax", "tail-high",
                "tail-low"],
            Directory.GetFiles(_folder.File("charts")).Select(Path.GetFileNameWithoutExtension).OfType<string>().Order());
    }

    [Fact]
    public void RunFile_OfARamp_IsReadAsItWasWritten()
    {
        RunDocument ramp = SuiteSamples.All[1].Document;
        ExpectedText.AssertEquals("ramp.json", RunFile.CreateText(ramp));
        Assert.Null(RunFile.TryWrite(Open(), ramp));
        RunDocument read = RunFile.Read(_folder.File("run.json"));

        Assert.Equal(ramp.Steps, read.Steps);
        Assert.Equal(ramp.Capacity, read.Capacity);
        Assert.Equal(RunFile.CreateText(ramp), RunFile.CreateText(read));
    }

    [Fact]
    public void Report_OfARamp_HasItsSteps()
    {
        Assert.Null(RunFile.TryWrite(Open(), SuiteSamples.All[1].Document));
        Assert.Null(ReportFolder.TryWrite(_folder.Path));
        ExpectedText.AssertEquals("ramp.html", Body(_folder.Read("report.html")));
    }

    [Fact]
    public void Lines_OfASuite_AreThoseOfTheConsole()
    {
        List<string> lines = [];
        foreach (FinishedVariant done in SuiteSamples.All)
        {
            lines.Add(done.Folder);
            lines.AddRange(done.Steps.Select(step => step.Describe()));
            lines.AddRange(done.Steps.Select(step => step.DescribePart()));
            lines.AddRange([$"{done.Document.Verdict} {done.Document.Capacity?.Describe()}", $"  {done.Document.Reason}"]);
            lines.AddRange(ClosingText.Create(done.Document with { Figures = SuiteFigures }, "runs/1/", "report.html"));
        }

        lines.AddRange(UsersSweep.Find(SuiteSamples.All).Select(sweep => sweep.Describe()));
        ExpectedText.AssertEquals("console.txt", string.Concat(lines.Select(line => line + "\n")));
    }

    [Fact]
    public void Sweeps_AsGraphs_HaveAPlaceForEachValue()
    {
        UsersSweep sweep = UsersSweep.Find(SuiteSamples.All)[0];
        (string name, Chart chart) = UsersCharts.Sweep(sweep);

        Assert.Equal("; doubtful: machine busy: other processes used 48 % of the CPU", sweep.Doubt);
        Assert.Equal(("sweep-high-burstMax", "Over the values of burstMax, with 500 users. Best: 0.025."), (name, chart.Note));
        Assert.Equal(["0", "0.025", "0.05"], chart.X.Ticks.Select(tick => tick.Text));
        Assert.Equal([0d, 1, 2], chart.Lines[0].X);
        Assert.Equal(["mean", "p99"], chart.Lines.Select(line => line.Label));
        Assert.Equal([0.612, 0.712, 0.812], chart.Lines[0].Y.OfType<double>().Select(value => Math.Round(value, 6)));
        Assert.Equal([1.817, 2.117, 2.417], chart.Lines[1].Y.OfType<double>().Select(value => Math.Round(value, 6)));
    }

    public void Dispose() => _folder.Dispose();

    private static RunFigures SuiteFigures => new()
    {
        RateAsked = 1_000,
        RateReached = 1_001,
        SteadySeconds = 2,
        LatencyMicros = null,
        SendLagMicros = null,
        Images = null,
    };

    private RunFolder Open() => RunFolder.Open(_folder.Path, "suite", DateTime.UnixEpoch, []);

    // Graphs are compared as data; the style is that of every page.
    private static string Body(string page) => Svg().Replace(page[page.IndexOf("<main>", StringComparison.Ordinal)..], "<svg>");

    [GeneratedRegex("<svg.*?</svg>", RegexOptions.Singleline)]
    private static partial Regex Svg();
}
