using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Reporting;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>The rules for the table of every tool.</summary>
[Trait("Category", "Fast")]
public class ReportTableTests
{
    // Counters that no report shows, each with the reason.
    private static readonly Dictionary<Counter, string> NotShown = new()
    {
        [Counter.AheadUpdates] = "part of the steady updates: start-up in the figures of the whole run",
        [Counter.UpdatesSkipped] = "the missing updates are these without the late ones",
        [Counter.UpdatesLate] = "part of the updates out of order: those that were skipped before",
        [Counter.StartupMessages] = "part of the messages received: in no rate",
        [Counter.StartupBytes] = "part of the bytes received: in no rate",
    };

    private static readonly Dictionary<string, Report> Reports =
        new[] { WrittenReports.Consumer, WrittenReports.Provider, WrittenReports.Publisher, WrittenReports.Hub, WrittenReports.Users,
            WrittenReports.Transport }.ToDictionary(report => report.Tool);

    public static TheoryData<string> Tools => new(Reports.Keys);

    [Fact]
    public void Counters_Every_IsARowOrHasAReasonNotToBe()
    {
        Report corrected = ConsPerf.ConsPerfReport.Create(new() { SenderClock = new() { Peer = "host:1" } });
        IEnumerable<Counter> counted = Reports.Values.Append(corrected).SelectMany(r => r.Table.Rows).SelectMany(row => row.Value.Counters).Distinct();
        Assert.Equal(Enum.GetValues<Counter>(), counted.Concat(NotShown.Keys).Where(counter => counter < RecordingSchema.FirstCounter).Order());
    }

    public static TheoryData<string, RecordingSchema> Schemas => new()
    {
        { "HubPerf", HubCounter.Schema },
        { "UsersPerf", UserCounter.Schema },
    };

    [Theory, MemberData(nameof(Schemas))]
    public void Counters_EveryOfARole_IsARowOfItsTool(string tool, RecordingSchema schema) => Assert.Equal(
        schema.Counters.SkipWhile(counter => counter < RecordingSchema.FirstCounter),
        Reports[tool].Table.Rows.SelectMany(row => row.Value.Counters).Distinct().Where(counter => counter >= RecordingSchema.FirstCounter).Order());

    [Theory]
    [InlineData("ConsPerf", 8)]
    [InlineData("HubPerf", 11)]
    [InlineData("NIProvPerf", 9)]
    [InlineData("ProvPerf", 10)]
    [InlineData("TransportPerf", 8)]
    [InlineData("UsersPerf", 6)]
    public void Counters_OfAConnection_AreThoseOfItsRowsAndOfEveryRole(string tool, int kept)
    {
        RecordingSchema schema = Schemas.FirstOrDefault(row => row.Data.Item1 == tool)?.Data.Item2 ?? RecordingSchema.Library;
        ConnectionCounters counters = new(schema, Reports[tool].ConnectionCounters);
        Assert.Equal(kept, counters.Count);
        Assert.All(Reports[tool].Table.Rows.Where(row => row.IsOfConnections), row =>
            Assert.All(row.Value.Counters, counter => Assert.True(counters.TryFind(counter, out _))));
    }

    [Fact]
    public void OfConnections_OnARowWithoutCounter_IsRefused() => Assert.Throws<InvalidOperationException>(() =>
        Reports["ConsPerf"].Table.Rows.First(row => row.Value.Counters.Count == 0).OfConnections());

    [Theory, MemberData(nameof(Tools))]
    public void Columns_WithTheGuidesNumber_StandThere(string tool)
    {
        IEnumerable<int> numbers = Reports[tool].Table.Rows.SelectMany(row => row.StatsColumns).Select(column => column.Number)
            .Where(number => number != ReportColumn.Ours).Order();
        Assert.Equal(Enumerable.Range(2, numbers.Count()), numbers);
    }

    [Theory, MemberData(nameof(Tools))]
    public void Rows_Every_IsShownSomewhere(string tool) => Assert.All(Reports[tool].Table.Rows, row => Assert.True(
        row.FinalName is not null || row.IntervalName is not null || row.SummaryFormats.Count > 0 || row.Metrics.Count > 0
        || row.ConsoleParts.Count > 0 || row.StatsColumns.Count > 0));

    // a slow connection is named for what it was not sent; of a tool whose connections are users none is
    [Theory, MemberData(nameof(Tools))]
    public void Rows_OfWhatWasNotSent_AreToldOfSingleConnections(string tool)
    {
        Counter?[] notSent = [.. Enum.GetValues<MessageKind>().Select(kind => kind.NotSent()).Distinct()];
        ReportRow[] rows = [.. Reports[tool].Table.Rows];
        Assert.Equal(tool != "UsersPerf", rows.Any(row => row.IsOfConnections));
        Assert.All(rows.Where(row => tool != "UsersPerf" && row.Value.Counters is [var counter] && notSent.Contains(counter)),
            row => Assert.True(row is { IsOfConnections: true, SummaryFormats.Count: 1 }, row.FinalName));
    }

    [Theory, MemberData(nameof(Tools))]
    public void JsonNames_OfOneLine_AreUnique(string tool)
    {
        foreach (ReportScope scope in Enum.GetValues<ReportScope>())
        {
            string[] names = [.. Reports[tool].Table.Rows.Select(row => row.JsonName(scope)).OfType<string>()];
            Assert.Equal(names.Distinct(), names);
        }
    }
}
