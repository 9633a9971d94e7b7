using System.Globalization;
using System.Text.RegularExpressions;
using PerfTools.Matrix;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Matrix;

/// <summary>A matrix of two roles with a combination of every kind, in each of its forms: best, worst, failed, slow now and then, without figures.</summary>
[Trait("Category", "Fast")]
public partial class MatrixTextTests
{
    private static readonly MatrixResult Result = new("direct", ["provider", "consumer"], MatrixFigure.Of(["consumer"], "update"),
    [
        Cell(["ours", "ours"], Run(99_000, 30, 70, 20, 60), Run(99_500, 31, 72, 21, 61)),
        Cell(["ours", "csharp"], Run(90_000, 90, 310, 100, 200, edition: "csharp"),
            Run(80_000, 95, 300, 101, 210, edition: "csharp") with { Verdict = RunVerdict.Slow, ExitCode = 6, Reason = "80,000 of 100,000 updates/s" }),
        Cell(["c", "ours"], Run(99_100, 50, 150, 40, 62), Run(1, 1, 1, 1, 1) with
        {
            Verdict = RunVerdict.Failed,
            ExitCode = 5,
            Reason = "ProvPerf (the C edition) ended with exit code 139",
        }),
        Cell(["c", "csharp"], SampleFigures.Run with { Figures = null, Roles = [], Verdict = RunVerdict.Failed, ExitCode = 4, Reason = "a | b" }),
    ]);

    [Fact]
    public void CreateLines_OfAMatrix_AreTheTableAndWhatWasNotOk() =>
        ExpectedText.AssertEquals("matrix.txt", string.Join('\n', MatrixText.CreateLines(Result)) + "\n");

    [Fact]
    public void WriteMarkdown_OfAMatrix_IsTheTable() => ExpectedText.AssertEquals("matrix.md", Write(writer => MatrixText.WriteMarkdown(writer, Result)));

    [Fact]
    public void WriteJson_OfAMatrix_HasEveryFigureWithItsInterval() =>
        ExpectedText.AssertEquals("matrix.json", WriteRounded(writer => MatrixText.WriteJson(writer, Result)));

    [Fact]
    public void CreatePage_OfTwoRoles_HasAHeatMapForEachFigure() =>
        ExpectedText.AssertEquals("matrix-page.html", WriteRounded(writer => ReportPage.WriteBody(writer, MatrixText.CreatePage(Result))));

    /// <summary>With one role there are no rows and columns of programs.</summary>
    [Fact]
    public void CreatePage_OfOneRole_IsTheTableAlone()
    {
        MatrixResult one = new("direct", ["provider"], MatrixFigure.Of(["consumer"], "update"), [Cell(["ours"], Run(99_000, 30, 70, 20, 60))]);
        ReportContent page = MatrixText.CreatePage(one);
        Assert.Equal(("Matrix of direct", "1 combination of provider, up to 1 round"), (page.Title, page.Subtitle));
        Assert.Equal("Combinations", Assert.Single(page.Figures).Title);
        Assert.Equal("0 combinations of provider, up to 0 rounds", MatrixText.CreatePage(new("direct", ["provider"], [], [])).Subtitle);
    }

    [Theory]
    [InlineData("OK", "OK", "OK", RunVerdict.Ok)]
    [InlineData("OK", "SLOW", "OK", "SLOW 1 of 3")]
    [InlineData("SLOW", "FAILED", "OK", "FAILED 2 of 3")]
    [InlineData("SLOW", "FAILED", "SLOW", "FAILED")]
    [InlineData("SLOW", "SLOW", "SLOW", "SLOW")]
    public void VerdictOf_Runs_IsThatOfTheWorst(string first, string second, string third, string expected)
    {
        RunDocument[] runs = [.. new[] { first, second, third }.Select(verdict => SampleFigures.Run with { Verdict = verdict, ExitCode = verdict == "OK" ? 0 : 6 })];
        Assert.Equal(expected, new MatrixResult("direct", ["provider"], [], [Cell(["ours"], runs)]).VerdictOf(0));
    }

    private static (MatrixCell, IReadOnlyList<RunDocument>) Cell(string[] labels, params RunDocument[] runs) => (new(labels, new ScenarioOptions()), runs);

    private static RunDocument Run(double rate, double p50, double p99, double cpu, double megabytes, string? edition = null) => SampleFigures.Run with
    {
        Figures = SampleFigures.Good with
        {
            RateReached = rate,
            LatencyMicros = SampleFigures.Good.LatencyMicros! with { P50 = p50, P99 = p99 },
            Images = new(10_000, p50 / 1_000),
        },
        Roles = [SampleFigures.Run.Roles[1] with { Edition = edition, CpuCorePercent = cpu, MemoryMegabytes = megabytes, Outside = null }],
    };

    // The last digits of a mean are those of the machine's logarithms.
    private static string WriteRounded(Action<TextWriter> write) => LongNumber().Replace(Write(write),
        number => double.Parse(number.Value, CultureInfo.InvariantCulture).ToString("G9", CultureInfo.InvariantCulture));

    [GeneratedRegex(@"[0-9]+\.[0-9]{7,}")]
    private static partial Regex LongNumber();

    private static string Write(Action<TextWriter> write)
    {
        using StringWriter writer = new() { NewLine = "\n" };
        write(writer);
        return writer.ToString();
    }
}
