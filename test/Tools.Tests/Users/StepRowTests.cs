using System.Globalization;
using System.Text.Json;
using System.Xml.Linq;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Reports.Charts;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Merging;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class StepRowTests
{
    private static readonly UsersVariant Variant = new(UsersLoad.All[2], "base", UsersLoad.All[2].Base, StepList.TryParse("100,200")!);

    private static readonly double[] OneThread = [10.5];

    [Fact]
    public void Read_TwoProcesses_AddsThemUpStepByStep()
    {
        LongHistogram first = LongHistogram.CreateForTimes(LatencyUnit.Microseconds),
        second = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        first.RecordValueWithCount(100, 9_900);
        second.RecordValueWithCount(5_000, 100);
        StepRow row = Assert.Single(new StepReader(Variant, []).Read(
            [Part([first], Line(step: 1, updates: 9_900, sum: 990_000, min: 100, max: 100), Line(2, 1, 1, 1, 1)),
                Part([second], Line(1, 100, 500_000, 5_000, 5_000))],
            [], [])).Row;

        Assert.Equal((1, 100, 100, 10_000L, 10_000L), (row.Step, row.UsersAsked, row.UsersIn, row.Received, row.Samples));
        Assert.Equal((149.0, 100L, 5_000L), (row.MeanMicros!.Value, row.MinMicros, row.MaxMicros)); // not the mean of the means, 2,550
        Assert.InRange(row.P50!.Value, 100, 100);
        Assert.InRange(row.P99!.Value, 100, 100);
        Assert.InRange(row.P999!.Value, 4_995, 5_000);
        Assert.Equal(100 * 50 * 2.0, row.Expected);
    }

    [Fact]
    public void Read_CollectionsOfTheHub_CountForTheirShareOfThePeriod()
    {
        RoleInterval[] hub =
        [
            Collection("10:00:00.500", sent: 1_000, cpu: 20), // half of it lies ahead of the period
            Collection("10:00:01.500", 2_000, 40),
            Collection("10:00:02.500", 4_000, 60), // half of it after the end
        ];
        StepRow row = Assert.Single(new StepReader(Variant, []).Read([Part([], Line(1, 1, 1, 1, 1))], hub, [])).Row;

        Assert.Equal(500 + 2_000 + 2_000, row.Hub.Delivered);
        Assert.Equal(((0.5 * 20) + 40 + (0.5 * 60)) / 2, row.Hub.CpuPercent);
        Assert.Equal(5, row.Hub.UpdatesPerSend);
    }

    /// <summary>The users' clock is a second ahead of that by which the hub's collections have their times.</summary>
    [Fact]
    public void Read_UsersOnAnotherClock_HaveTheHubOfTheirPeriod()
    {
        RoleInterval[] hub = [Collection("10:00:00.500", sent: 1_000, cpu: 20), Collection("10:00:01.500", 2_000, 40), Collection("10:00:02.500", 4_000, 60)];
        UsersPart users = Part([], Line(1, 1, 1, 1, 1));
        StepRow row = Assert.Single(new StepReader(Variant, []).Read([users with { ClockShift = TimeSpan.FromSeconds(1) }], hub, [])).Row;
        Assert.Equal(1_000 + 1_000, row.Hub.Delivered);
        Assert.Equal(Assert.Single(new StepReader(Variant, []).Read([users], hub, [])).Row.Utc.AddSeconds(-1), row.Utc);
    }

    private static readonly Dictionary<string, (Func<StepRow, StepRow> Change, string? Fault, string Note)> Judged = new()
    {
        ["all well"] = (row => row, null, ""),
        ["a percent less"] = (row => row with { Received = 9_901 }, null, ""),
        ["a percent more"] = (row => row with { Received = 10_100 }, null, ""),
        ["users"] = (row => row with { UsersIn = 99 }, "99 of 100 users in", ""),
        ["lost"] = (row => row with { Lost = 1 }, "1 users lost", ""),
        ["cut"] = (row => row with { Hub = new() { Cut = 2 } }, "2 users cut", ""),
        ["less"] = (row => row with { Received = 9_899 }, "received 99.0 %", ""),
        ["more"] = (row => row with { Received = 10_101 }, "received 101.0 %", ""),
        ["out of order"] = (row => row with { Order = new(OutOfOrder: 3) }, "3 updates out of order", ""),
        ["repeated"] = (row => row with { Order = new(Repeated: 4) }, "4 updates repeated", ""),
        ["missing"] = (row => row with { Order = new(Missing: 5) }, "5 updates missing", ""),
        ["found again"] = (row => row with { Order = new(Missing: -1) }, null, ""),
        ["merged on purpose"] = (row => row with { Order = new(Missing: 5), Hub = new() { Throttled = 1 } }, null, ""),
        ["conflated"] = (row => row with { Order = new(Missing: 5), Hub = new() { Conflated = 6 } }, "6 updates left out", ""),
        ["dropped"] = (row => row with { Hub = new() { Dropped = 7 } }, "7 updates left out", ""),
        ["not sent"] = (row => row with { NotSent = 8 }, "8 updates not sent by the sources", ""),
        ["busy"] = (row => row with { ForeignPercent = 20.4 }, null, "machine busy: other processes used 20 % of the CPU"),
        ["not busy"] = (row => row with { ForeignPercent = 20 }, null, ""),
        ["simulator"] = (row => row with { UsersCpuMax = 90.5 }, null, "simulator at its limit"),
        ["retries"] = (row => row with { LoginRetries = 1_009 }, null, "1,009 log-ins tried again"),
        ["the first counts"] = (row => row with { UsersIn = 99, Lost = 1, Received = 1 }, "99 of 100 users in", ""),
        ["all of them"] = (row => row with { Lost = 1, ForeignPercent = 48, UsersCpuMax = 99, LoginRetries = 2 }, "1 users lost",
            "machine busy: other processes used 48 % of the CPU; simulator at its limit; 2 log-ins tried again"),
    };

    public static TheoryData<string> Judgements => [.. Judged.Keys];

    [Theory, MemberData(nameof(Judgements))]
    public void Fault_OfAStep_NamesTheFirst(string what)
    {
        (Func<StepRow, StepRow> change, string? fault, string note) = Judged[what];
        StepRow row = change(Row(100));
        Assert.Equal((fault, fault is null), (row.Fault, row.IsOk));
        Assert.Equal(string.Join("; ", new[] { fault, note }.Where(part => part is { Length: > 0 })), row.Note);
        Assert.Equal(fault is null ? "yes" : "no", StepRow.Columns.Single(column => column.Name == "Ok").Show(row));
    }

    [Fact]
    public void Charts_OfASuite_AreFilesThatCanBeRead()
    {
        StepRow[] rows =
        [
            .. Enumerable.Range(1, 12).Select(i => Row(250 * i)),
            Row(500) with { Variant = "burst25" }, Row(1_000) with { Variant = "burst25" }, Row(500) with { Variant = "size108" },
            Row(500) with { Scenario = "users-low" },
        ];
        IReadOnlyList<(string Name, Chart Chart)> charts = UsersCharts.Create(rows);

        Assert.Equal(
            ["mean-low", "range-low", "tail-low", "load-low", "mean-high", "range-high", "tail-high", "load-high", "mean-high-first",
                "range-high-first", "batching-high", "sizes-high"],
            charts.Select(chart => chart.Name));
        foreach ((string name, Chart chart) in charts)
        {
            using StringWriter writer = new();
            SvgFile.Write(writer, chart);
            Assert.True(XDocument.Parse(writer.ToString()).Root!.Name.LocalName == "svg", name);
        }

        Assert.Equal(8, charts.Single(chart => chart.Name == "mean-high-first").Chart.Lines[0].X.Count); // to 2,000 users
        Assert.Equal(["base", "burst25"], charts.Single(chart => chart.Name == "batching-high").Chart.Lines.Select(line => line.Label));
    }

    [Fact]
    public void Headline_AllOfTheGuidesRowsWereRun_HasThem()
    {
        StepRow[] rows = [.. Enumerable.Range(1, 20).Select(i => Row(250 * i)), Row(1_000) with { Scenario = "users-low", SumMicros = 700_000_000 }];
        TextTableOf(UsersTables.Headline(rows), out string few, out string many);
        Assert.Equal("Users,High\n250,0.300\n500,0.300\n750,0.300\n\"1,000\",0.300\n", few);
        Assert.Equal(
            "Users,Low,High\n\"1,000\",7.000,0.300\n\"2,000\",-,0.300\n\"3,000\",-,0.300\n\"4,000\",-,0.300\n\"5,000\",-,0.300\n", many);
    }

    [Fact]
    public void Headline_OtherRowsWereRun_HasThose()
    {
        TextTableOf(UsersTables.Headline([Row(100), Row(2_000), Row(500) with { Scenario = "users-low" }]), out string few, out string many);
        Assert.Equal("Users,High\n100,0.300\n", few); // up to 1,000
        Assert.Equal("Users,Low,High\n100,-,0.300\n500,0.300,-\n\"2,000\",-,0.300\n", many);
        Assert.Equal("Mean latency (ms), 100 to 2,000 users", UsersTables.Headline([Row(100), Row(2_000)])[^1].Title);
    }

    [Fact]
    public void Headline_OfOneLoadAndManyRows_IsOneTableOfThirteen()
    {
        PerfTools.Reports.TextTable only = Assert.Single(UsersTables.Headline(
            [.. Enumerable.Range(1, 30).Select(i => Row(30 * i) with { Scenario = "users-low" })]));
        Assert.Equal(13, only.Rows.Count);
        Assert.Equal(("30", "900"), (only.Rows[0][0].Text, only.Rows[^1][0].Text));
    }

    private static void TextTableOf(IReadOnlyList<PerfTools.Reports.TextTable> tables, out string few, out string many)
    {
        string[] texts = [.. tables.Select(table =>
        {
            using StringWriter writer = new();
            UsersTables.WriteCsv(writer, [table]);
            return writer.ToString();
        })];
        (few, many) = (texts[0], texts[1]);
    }

    private static UsersPart Part(LongHistogram[] samples, params JsonElement[] lines) =>
        new([.. lines.Select(line => new JsonView(line))], samples, IsWhole: false);

    private static StepRow Row(int users) => new()
    {
        Scenario = "users-high",
        Variant = "base",
        Step = 1,
        Utc = DateTime.UnixEpoch,
        UsersAsked = users,
        UsersIn = users,
        Seconds = 2,
        Expected = users * 100,
        Received = users * 100,
        Samples = users * 100,
        SumMicros = users * 30_000L,
        MinMicros = 40,
        MaxMicros = 2_000,
        P50 = 250,
        P99 = 1_000,
        Hub = new() { CpuPercent = 40, Delivered = 1_000, Sends = 500 },
    };

    private static JsonElement Line(int step, long updates, long sum, long min, long max) => JsonSerializer.SerializeToElement(new
    {
        step,
        users = 100,
        asked = 50,
        @in = 50,
        utc = "2026-11-22T10:00:00.000Z",
        seconds = 2,
        updates,
        count = updates,
        sumMicros = sum,
        min,
        max,
        lost = 0,
        outOfOrder = 0,
        cpuPerThread = OneThread,
    });

    private static RoleInterval Collection(string time, long sent, double cpu)
    {
        JsonElement line = JsonSerializer.SerializeToElement(new
        {
            overall = new { counts = new { updatesSent = sent, sends = sent / 5 } },
            process = new { coreCpuPercent = cpu },
        });
        return new(DateTime.Parse("2026-11-22T" + time + "Z", CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal), 1, line);
    }
}
