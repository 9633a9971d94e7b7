using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.History;
using PerfTools.Results.Merging;
using PerfTools.Results.Recorded;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Figures of results by themselves: names, limits at their boundary values, and sums of several processes.</summary>
[Trait("Category", "Fast")]
public sealed class ResultFigureTests
{
    private static readonly RunLatency Latency = new()
    {
        Count = 9,
        Average = 1,
        Deviation = 2,
        Min = 3,
        Max = 4,
        P50 = 5,
        P90 = 6,
        P99 = 7,
        P999 = 8,
        P9999 = 10,
    };

    [Fact]
    public void SampleFigures_OfALatency_AreEachItsOwn() => Assert.Equal(
        [("p50", "p50", 5), ("p90", "p90", 6), ("p99", "p99", 7), ("p99.9", "p999", 8), ("p99.99", "p9999", 10), ("max", "max", 4), ("avg", "average", 1),
            ("min", "min", 3)],
        SampleFigure.All.Select(figure => (figure.Name, figure.Member, (int)figure.Read(Latency)!.Value)));

    [Theory]
    [InlineData("counts.lost", 7.0, null)]
    [InlineData("lag.p99", 7.0, 9L)]
    [InlineData("lag.avg", 1.0, 9L)]
    public void Find_OfARolesFigures_HasItsValue(string name, double value, long? samples)
    {
        RoleFigure plain = Figure("counts.lost") with { Value = 7 }, sampled = Figure("lag") with { Samples = Latency, Unit = "us" };
        (RoleFigure figure, double? found, long? count) = RoleFigure.Find([plain, sampled], name)!.Value;
        Assert.Equal((name.StartsWith("lag", StringComparison.Ordinal) ? sampled : plain, value, samples), (figure, found!.Value, count));
        Assert.All((string[])["lag", "lag.p98", "counts", "counts.lost.p50", "other"], other => Assert.Null(RoleFigure.Find([plain, sampled], other)));
    }

    [Fact]
    public void Numbers_OfAFigure_AreThoseThatAreKnown()
    {
        Assert.Equal([("a", 7.0)], (Figure("a") with { Value = 7 }).Numbers());
        Assert.Equal([("a@64", 7.0)], (Figure("a") with { Value = 7, At = new FigurePlace("size", 64, "bytes") }).Numbers());
        Assert.Equal([("a.p50", 5.0), ("a.max", 4.0), ("a.avg", 1.0), ("a.min", 3.0), ("a.samples", 9.0)],
            (Figure("a") with { Samples = Latency with { P90 = null, P99 = null, P999 = null, P9999 = null } }).Numbers());
        Assert.Empty(Figure("a").Numbers());
        Assert.Equal(("words", "words, us", "words, size 64 bytes, us", "words, size 64"), (Figure("a").Title, (Figure("a") with { Unit = "us" }).Title,
            (Figure("a") with { Unit = "us", At = new FigurePlace("size", 64, "bytes") }).Title, (Figure("a") with
            {
                At = new FigurePlace("size", 64,
                null)
            }).Title));
    }

    [Theory]
    [InlineData("sources", "source-1", true)]
    [InlineData("sources", "source", false)]
    [InlineData("sources", "users-1", false)]
    [InlineData("users", "users-12", true)]
    [InlineData("users", "users", true)]
    [InlineData("consumers", "consumer-3", true)]
    [InlineData("consumers", "consumer", false)]
    [InlineData("hub", "hub", true)]
    [InlineData("hub", "hub-1", false)]
    public void RoleNames_OfALink_NameItsRoles(string link, string role, bool isNamed)
    {
        Assert.Equal(isNamed, RoleNames.IsNamedBy(link, role));
        Assert.Equal(("consumers", "consumer-12"), (RoleNames.Several(RoleNames.Consumer), RoleNames.OneOf(RoleNames.Consumer, 12)));
    }

    /// <summary>A rate is kept within one percent, in both directions; a step without a collection is.</summary>
    [Theory]
    [InlineData(99, 1, true)]
    [InlineData(101, 1, true)]
    [InlineData(98.99, 1, false)]
    [InlineData(101.01, 1, false)]
    [InlineData(0, 0, true)]
    [InlineData(0, 1, false)]
    public void IsKept_OfARateStep_IsWithinOnePercent(double reached, double seconds, bool isKept) =>
        Assert.Equal(isKept, new RateStep { RateAsked = 100, RateReached = reached, Seconds = seconds, LatencyMicros = null }.IsKept);

    /// <summary>Two roles share a processor from 60 % on, and are apart up to 20 %.</summary>
    [Theory]
    [InlineData(100, 60, "on one processor")]
    [InlineData(100, 59, "moving between processors")]
    [InlineData(50, 41, "moving between processors")]
    [InlineData(50, 40, "on two processors")]
    [InlineData(100, 0, "on two processors")]
    public void PairPlacement_OfTwoRoles_IsByTheirOverlap(double first, double second, string text)
    {
        RolePlacement a = new("a", [(0, first)], 1), b = new("b", [(0, second), (1, 100 - second)], 2), unknown = new("c", [], 3);
        PairPlacement pair = PairPlacement.Of(a, b);
        Assert.Equal((text, "a and b"), (pair.KindText, pair.Names));
        Assert.Equal("moving between processors", PairPlacement.Of(a, unknown).KindText);
        Assert.Equal((null, "c moving"), (a.OverlapWith(unknown), unknown.Text));
    }

    [Fact]
    public void RolePlacement_OfSeveralProcesses_IsTheirMean()
    {
        RolePlacement merged = RolePlacement.Merge("users", [new("users-1", [(0, 90), (2, 10)], 3), new("users-2", [(1, 96), (2, 4)], 5)])!;
        Assert.Equal([(1, 48.0), (0, 45.0), (2, 7.0)], merged.Parts);
        Assert.Equal(("users 0+1+2", 8L), (merged.Text, merged.Changes));
        Assert.Equal("processor 1 48.0 %, processor 0 45.0 %, processor 2 7.0 %, 8 changes", merged.Details);
        Assert.Equal("hub 0", new RolePlacement("hub", [(0, 95.1), (1, 4.9)], 0).Text);
        Assert.Equal("hub 0+1", new RolePlacement("hub", [(0, 95), (1, 5)], 0).Text);
        Assert.EndsWith("0 changes, 1.5 ms without a processor", (new RolePlacement("hub", [(0, 100)], 0) { WaitMillis = 1.5 }).Details,
            StringComparison.Ordinal);
        Assert.Null(RolePlacement.Merge("users", []));
        Assert.Equal((1, 0, 0), (RolePlacement.OfLastSeen("a", 3, 0).Parts.Count, RolePlacement.OfLastSeen("a", 3, 1).Parts.Count,
            RolePlacement.OfLastSeen("a", -1, 0).Parts.Count));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(5, 0)]
    [InlineData(6, 1)]
    [InlineData(7, 2)]
    [InlineData(12, 10)] // the whole has 7, and each of three halves 1
    public void CountLooks_OfASeries_IsTheNumberOfItsSplits(int runs, long looks) => Assert.Equal(looks, ChangePoints.CountLooks(runs));

    /// <summary>A step of the level is found where it is, and none where there is none.</summary>
    [Theory]
    [InlineData(6)]
    [InlineData(10)]
    [InlineData(17)]
    public void Find_OfAStep_IsItsFirstRun(int at)
    {
        double[] logs = [.. Enumerable.Range(0, 30).Select(i => (i < at ? 1.0 : 1.5) + (i % 2 * 0.01))];
        ChangePoints points = new(logs, minChange: 0.05, chance: 0.001);
        Assert.Equal([at], points.Find());
        Assert.Equal(1.005, points.LevelOf(0, at - (at % 2)), 1e-9);
        Assert.InRange(points.DeviationAround([at]), 0.004, 0.012);
        Assert.InRange(points.NoiseAt(0, at, 30), 0.005, 0.1);
        Assert.Empty(new ChangePoints([.. logs.Take(at)], 0.05, 0.001).Find());
        Assert.Empty(new ChangePoints([.. logs.Select(log => log < 1.3 ? log : log - 0.46)], 0.05, 0.001).Find()); // 4 %
    }

    /// <summary>A level has three runs or more.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(26)]
    [InlineData(27)]
    public void Find_OfAShortLevel_IsItsFirstRun(int at) =>
        Assert.Equal([at], new ChangePoints([.. Enumerable.Range(0, 30).Select(i => (i < at ? 1.0 : 1.5) + (i % 2 * 0.01))], 0.05, 0.001).Find());

    /// <summary>
    /// Random runs around levels of 0, 0.2 and 0.4. The first search places the lower step 2 and 1 runs late, or finds one step too many: each is placed
    /// again between its neighbours.
    /// </summary>
    [Theory]
    [InlineData("1,-5,-6,5,2,5,-1,-2,4,-2,4,2,18,17,24,20,27,39,39,44,42,43,40,44,42,43,38,42,45,35", 12, 17)]
    [InlineData("2,0,3,0,0,2,-4,-8,-1,-3,1,18,18,16,26,27,19,36,42,45,35,39,40,38,34,38,39,38,40,40", 11, 17)]
    [InlineData("1,-8,1,-3,0,0,-2,0,6,-4,0,13,22,21,23,21,20,22,40,36,39,40,32,43,39,40,38,38,46,40", 11, 18)]
    public void Find_OfTwoSteps_PlacesEachAgain(string hundredths, int first, int second) =>
        Assert.Equal([first, second], new ChangePoints([.. Hundredths(hundredths)], minChange: 0.05, chance: 0.001).Find());

    /// <summary>Expected values were computed by another program, with the quantiles of a table: 4.0728 and 4.5869.</summary>
    [Fact]
    public void Noise_OfSplits_IsStudentsOfBothSidesAndGrowsWhereNeighboursAreAlike()
    {
        ChangePoints points = new([.. Hundredths("1,-5,-6,5,2,5,-1,-2,4,-2,4,2,18,17,24,20,27,39,39,44,42,43,40,44,42,43,38,42,45,35")], 0.05, 0.001);
        ChangePoints alike = new([.. Hundredths("0,2,3,5,4,2,1,0,2,3,40,42,41,44,45,43,42,40,39,41")], 0.05, 0.001);
        (double Expected, double Actual)[] all =
        [
            (0.216333, points.LevelOf(0, 30)), (0.01, points.LevelOf(2, 7)), (0.212, points.LevelOf(12, 17)),
            (0.191518, points.DeviationAround([])), (0.114669, points.DeviationAround([10])), (0.043826, points.DeviationAround([12, 17])),
            (0.241692, points.NoiseAt(0, 12, 30)), (0.093929, points.NoiseAt(12, 17, 30)), (0.103053, points.NoiseAt(0, 6, 12)),
            (0.099559, points.NoiseAt(3, 12, 17)),
            (0.203353, alike.DeviationAround([])), (0.017591, alike.DeviationAround([10])),
            (0.058387, alike.NoiseAt(0, 10, 20)), (0.051785, alike.NoiseAt(4, 10, 16)), (0.067185, alike.NoiseAt(0, 5, 10)),
        ];
        Assert.All(all, one => Assert.Equal(one.Expected, one.Actual, 5e-6));
    }

    /// <summary>The figures of a step are those of the processes that measure, or of those that check.</summary>
    [Fact]
    public void StepGroup_OfSeveralProcesses_AddsThoseThatMeasureAlike()
    {
        UsersPart[] parts =
        [
            Part("""{"count":3,"sumMicros":60,"min":10,"max":30}""", 10, 20, 30),
            Part("""{"count":1,"sumMicros":5,"min":5,"max":5,"measures":true}""", 5),
            Part("""{"count":2,"sumMicros":700,"min":300,"max":400,"measures":false}""", 300, 400),
            Part("""{"count":0,"sumMicros":0,"min":0,"max":0}"""),
        ];
        StepGroup measured = StepGroup.Of(parts, 0, measures: true), others = StepGroup.Of(parts, 0, measures: false), none = StepGroup.Of(parts[3..], 0,
            measures: true);
        Assert.Equal((4L, 65L, 5L, 30L, 4L), (measured.Count, measured.SumMicros, measured.MinMicros, measured.MaxMicros, measured.Samples!.TotalCount));
        Assert.Equal((2L, 700L, 300L, 400L, 2L), (others.Count, others.SumMicros, others.MinMicros, others.MaxMicros, others.Samples!.TotalCount));
        Assert.Equal((0L, 0L, 0L, 0L, 0L), (none.Count, none.SumMicros, none.MinMicros, none.MaxMicros, none.Samples?.TotalCount ?? 0));
    }

    [Theory]
    [InlineData("direct", "consumer", "provider", "overall.updateRate", "overall.updateLatency")]
    [InlineData("hub-direct", "consumer", "provider", "overall.updateRate", "overall.updateLatency")]
    [InlineData("ni-hub", "consumer", "publisher", "overall.updateRate", "overall.updateLatency")]
    [InlineData("posting", "consumer", "publisher", "overall.updateRate", "overall.postLatency")]
    [InlineData("transport", "client", "server", "overall.receiveRate", "overall.latency")]
    [InlineData("reflect", "client", "client", "overall.receiveRate", "overall.latency")]
    [InlineData("roundtrip", "publisher", "publisher", "overall.roundTripRate", "overall.latency")]
    public void MeasuredPaths_OfEachScenario_NameItsRolesAndFigures(string scenario, string measuredBy, string sender, string rate, string latency)
    {
        MeasuredPaths[] all =
        [
            MeasuredPaths.Direct, MeasuredPaths.HubDirect, MeasuredPaths.Published, MeasuredPaths.Posting, MeasuredPaths.Transport, MeasuredPaths.Reflect,
                MeasuredPaths.RoundTrip,
        ];
        MeasuredPaths paths = all.Single(one => one.Scenario == scenario);
        Assert.Equal((measuredBy, sender, rate, latency, "overall.sendLag"),
            (Assert.Single(paths.MeasuredBy), paths.Sender, paths.IntervalRate, paths.IntervalLatency, paths.SendLag));
    }

    private static IEnumerable<double> Hundredths(string values) =>
        values.Split(',').Select(value => double.Parse(value, System.Globalization.CultureInfo.InvariantCulture) / 100);

    private static RoleFigure Figure(string name) => new() { Name = name, Words = "words", Kind = "count", Better = "lower", Merge = "sum" };

    private static UsersPart Part(string period, params long[] micros)
    {
        LongHistogram samples = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        foreach (long value in micros)
            samples.RecordValue(value);
        return new UsersPart([new JsonView(System.Text.Json.JsonDocument.Parse(period).RootElement)], [samples], IsWhole: true);
    }
}
