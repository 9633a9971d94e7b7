using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Reports;
using PerfTools.Reports.RoundTrips;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public sealed class RoundTripsPageTests : IDisposable
{
    private static readonly string[] GuideColumns = ["stdev", "average", "min", "p50", "p90", "p99", "p99.99", "max"];

    private readonly RunDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void TryCreate_SeveralTransports_AreTablesAndLinesOfOnePage()
    {
        Write("tcp", p99: 61);
        Write("udp", p99: 52, reason: "p99@64<50us: p99 is 52us");
        Write("udp-baseline", p99: 5);

        ReportContent page = RoundTripsPage.TryCreate(_directory.File(""))!;
        Assert.Equal(["Round trips of tcp, us", "Round trips of udp, us"], page.Figures.Select(table => table.Title));
        Assert.All(page.Figures, table => Assert.Empty(GuideColumns.Except(table.Columns)));
        Assert.Equal([61.0, 52.0], page.Figures.Select(table => table.Rows[0][table.Columns.ToList().IndexOf("p99")].Value));
        Assert.Equal(["tcp p50", "tcp p99", "udp p50", "udp p99"], Assert.Single(page.Charts).Lines.Select(line => line.Label));
        Assert.Equal((RunVerdict.Missed, "udp: p99@64<50us: p99 is 52us"), (page.Verdict, page.Sentence));
    }

    [Fact]
    public void TryWrite_FolderOfSeveralTransports_MakesTheirPage()
    {
        Write("rssl", p99: 61);
        Assert.Null(ReportFolder.TryWrite(_directory.File("")));
        Assert.Contains("Round trips of rssl, us", File.ReadAllText(_directory.File(ReportFolder.FileName)), StringComparison.Ordinal);
    }

    [Fact]
    public void TryCreate_NoRoundTrips_IsNoPage() => Assert.Null(RoundTripsPage.TryCreate(_directory.File("")));

    private void Write(string transport, double p99, string? reason = null)
    {
        Directory.CreateDirectory(_directory.File(transport));
        File.WriteAllText(_directory.File(Path.Combine(transport, RunFile.Name)), RunFile.CreateText(new RunDocument
        {
            Scenario = "roundtrip",
            Verdict = reason is null ? RunVerdict.Ok : RunVerdict.Missed,
            Reason = reason,
            ExitCode = (int)(reason is null ? ExitCode.Success : ExitCode.AssertionMissed),
            StartUtc = new DateTime(2026, 11, 24, 8, 0, 0, DateTimeKind.Utc),
            EndUtc = new DateTime(2026, 11, 24, 8, 0, 9, DateTimeKind.Utc),
            Inputs = new Dictionary<string, System.Text.Json.JsonElement>(),
            Figures = RoundTripSamples.Figures(RoundTripSamples.Size(64, p99)),
            Assertions = [],
            Roles = [],
            Links = [],
            Machine = ThisMachine.Description,
        }));
    }
}
