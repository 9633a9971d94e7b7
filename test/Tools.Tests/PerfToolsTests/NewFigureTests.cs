using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Verdicts;
using Tools.Tests.PerfToolsTests.Reports;
using Tools.Tests.Reports;
using Xunit;
using RunFigureSet = PerfTools.Hosting.Reporting.Figures;

namespace Tools.Tests.PerfToolsTests;

/// <summary>
/// A new figure of a role is a row of its table and appears in every output of perftools: shown by a role that is made up here, whose figures
/// have no name in any other process.
/// </summary>
[Trait("Category", "Fast")]
public sealed class NewFigureTests : IDisposable
{
    private readonly TestFolder _folder = new();

    private static RunDocument Run { get; } = WithWidgets(4_711);

    [Fact]
    public void Row_OfAMadeUpRole_IsInRunJsonWithWhatItIs()
    {
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(Run));
        JsonElement[] figures = [.. written.RootElement.GetProperty("roles")[0].GetProperty("figures").EnumerateArray()];
        Assert.Equal("""{"name":"counts.widgetsBent","words":"widgets bent","kind":"count","better":"lower","merge":"sum","value":4711}""",
            Flat(figures.Single(figure => figure.GetProperty("name").GetString() == "counts.widgetsBent")));
        Assert.Equal("""{"name":"widgetRate","words":"widget rate","kind":"rate","unit":"1/s","better":"higher","merge":"sum","value":12.5}""",
            Flat(figures.Single(figure => figure.GetProperty("name").GetString() == "widgetRate")));
        JsonElement lag = figures.Single(figure => figure.GetProperty("name").GetString() == "bending");
        Assert.Equal(("sendLag", "histogram", "time"),
            (lag.GetProperty("series").GetString(), lag.GetProperty("merge").GetString(), lag.GetProperty("kind").GetString()));
        Assert.Equal(77, lag.GetProperty("samples").GetProperty("p99").GetDouble());
        Assert.False(written.RootElement.GetProperty("roles")[0].GetProperty("final").TryGetProperty("catalogue", out _));
    }

    [Fact]
    public void Row_OfAMadeUpRole_IsOnThePageInMarkdownAndInText()
    {
        File.WriteAllText(_folder.PathOf(RunFile.Name), RunFile.CreateText(Run));
        ReportContent page = RunPage.Create(RecordedRun.Read(_folder.FullPath));
        Assert.Contains(page.Conditions, table => table.Title == "Figures of the provider"
            && table.Rows.Any(row => row[0].Text == "widgets bent" && row[1] is { Text: "4,711", Value: 4_711, Figure: "roles.0.figures.0.value" }));
        Assert.Contains(page.Conditions, table => table.Title == "Latencies of the roles" && table.Rows.Any(row => row[1].Text == "bending, us"));
        StringWriter markdown = new();
        RunMarkdown.Write(markdown, [("", Run)], together: null);
        Assert.Contains("| widgets bent | 4,711 |  |", markdown.ToString(), StringComparison.Ordinal);
        Assert.Contains("widgets bent", string.Join('\n', RoleFigureText.Create(Run)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("provider.counts.widgetsBent<4712", true, "4711")]
    [InlineData("provider.counts.widgetsBent<4711", false, "4711")]
    [InlineData("provider.widgetRate>=12.5", true, "12.5")]
    [InlineData("provider.bending.p99<=77us", true, "77us")]
    [InlineData("provider.bending.p99<0.077ms", false, "0.077ms")]
    [InlineData("provider.bending.p99.9<1s", false, "2,000 samples, 10,000 needed")]
    [InlineData("provider.hammer>1", false, "the provider has no such figure")]
    [InlineData("provider.counts.widgetsBent<1ms", false, "its unit is none")]
    [InlineData("hub.counts.widgetsBent<1", false, "the hub took no part")]
    [InlineData("consumer.counts.widgetsBent<1", false, "the consumer left no figures")]
    public void Row_OfAMadeUpRole_CanBeAsserted(string threshold, bool kept, string found)
    {
        ThresholdResult result = new RunAssertions(Run.Figures, Run.Links, Run.Roles)
            .Compare(Threshold.TryParseList(threshold, Threshold.Metrics, namesRoles: true)!).Single();
        Assert.Equal((kept, $"{threshold}: {found}, {(kept ? "kept" : "missed")}"), (result.IsKept, result.Line));
    }

    [Fact]
    public void Row_OfAMadeUpRole_IsComparedWhenItIsNamed()
    {
        RunSet a = Write("a", 4_711, 4_712, 4_713), b = Write("b", 9_001, 9_002, 9_003);
        Assert.DoesNotContain(RunComparison.Of(a, b).Figures, change => change.Figure.Name.StartsWith("provider.", StringComparison.Ordinal));
        FigureChange bent = RunComparison.Of(a, b,
            ["provider.counts.widgetsBent"]).Figures.Single(change => change.Figure.Name == "provider.counts.widgetsBent");
        Assert.Equal((4_712.0, 9_002.0, ChangeWord.Worse), (bent.A, bent.B, bent.Word));
        Assert.Equal("provider: widgets bent", bent.Figure.Title);
        FigureChange seen = RunComparison.Of(a, b, ["all"]).Figures.Single(change => change.Figure.Name == "provider.counts.widgetsSeen");
        Assert.Equal(ChangeWord.Changed, seen.Word);
        Assert.Contains(RunComparison.Of(a, b, ["all"]).Figures,
            change => change.Figure is { Name: "provider.bending.p99", Title: "provider: bending p99, us" });
    }

    [Fact]
    public void Limit_OfAFigureThatIsNothingOnBothSides_IsKeptAndOneThatNobodyHasIsNot()
    {
        RunSet a = Write("a", 0, 0, 0), b = Write("b", 0, 0, 0);
        ChangeLimitResult[] results = [.. ChangeLimit.TryParseList("provider.counts.widgetsBent>+10%,provider.hammer>+10%")!
            .Select(limit => limit.Compare(RunComparison.Of(a, b, ["provider.counts.widgetsBent", "provider.hammer"])))];
        Assert.True(results[0].IsKept);
        Assert.False(results[1].IsKept);
    }

    public void Dispose() => _folder.Dispose();

    private RunSet Write(string name, params int[] bent)
    {
        List<RecordedRun> runs = [];
        foreach (int count in bent)
        {
            string folder = Directory.CreateDirectory(_folder.PathOf($"{name}-{runs.Count + 1}")).FullName;
            GeneratedRun.Write(folder, seconds: 3,
                run => run with { Roles = [run.Roles[0] with { Figures = WithWidgets(count).Roles[0].Figures }, run.Roles[1]] });
            runs.Add(RecordedRun.Read(folder));
        }

        return RunSet.Of(name.ToUpperInvariant(), name, runs);
    }

    private static RunDocument WithWidgets(int bent)
    {
        using MemoryStream stream = new();
        CreateReport().WriteFinal(stream, new() { Overall = CreateFigures(bent) });
        JsonElement final = JsonElement.Parse(stream.ToArray());
        RoleResult role = SampleFigures.Run.Roles[0];
        return SampleFigures.Run with
        {
            Roles = [role with { Figures = RoleFigure.ReadAll(final), Final = RoleFigure.WithoutCatalogue(final) }, SampleFigures.Run.Roles[1]],
        };
    }

    private static Report CreateReport()
    {
        ReportTable table = new("WidgetPerf") { Steady = (Moment.Connected, Moment.End) };
        table.Section();
        table.Loss("widgetsBent", "Widgets bent", HubCounter.UpdatesDropped);
        table.Count("widgetsSeen", Counter.UpdatesSent);
        table.Number(_ => 12.5).Final("widgetRate").IsRate();
        table.Latency(Series.SendLag).Json("bending");
        return new Report(table);
    }

    private static RunFigureSet CreateFigures(int bent)
    {
        LatencyAccumulator samples = new(LatencyUnit.Microseconds);
        samples.Record(77, count: 2_000);
        CounterSnapshot counts = CounterSnapshot.Of([(HubCounter.UpdatesDropped, bent), (Counter.UpdatesSent, 10L * (bent + 1))]);
        return new() { Counts = counts, Totals = counts, Latencies = new() { [(Series.SendLag, null)] = samples.Figures() } };
    }

    private static string Flat(JsonElement element) => JsonSerializer.Serialize(element);
}
