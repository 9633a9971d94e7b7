using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using PerfTools.Verdicts;
using Tools.Tests.PerfToolsTests.Comparison;
using Tools.Tests.PerfToolsTests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Rules of results one by one, where whole pages and documents have one case of each.</summary>
[Trait("Category", "Fast")]
public sealed class ResultRulesTests : IDisposable
{
    private const double IntervalSeconds = 1.000137; // of generated runs
    private const int SamplesOfSecond = 1_010;

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void FlatFacts_OfAnyValue_JoinsNamesAndLeavesOutWhatIsEmpty()
    {
        using JsonDocument json = JsonDocument.Parse("""{"x":{"y":[1,"b",3],"z":[],"n":null,"o":{}},"t":true,"d":1.256,"s":"w x","i":40}""");
        (string, string)[] inner = [("x.y", "1 b 3"), ("t", "true"), ("d", "1.26"), ("s", "w x"), ("i", "40")];
        Assert.Equal(inner, FlatFacts.Of("", json.RootElement));
        Assert.Equal(inner.Select(fact => ("a." + fact.Item1, fact.Item2)), FlatFacts.Of("a", json.RootElement));
    }

    [Theory]
    [InlineData("mark", false)]
    [InlineData("collect", false)]
    [InlineData("period", false)]
    [InlineData("rate", true)]
    [InlineData("slow", true)]
    public void Change_OfWhatIsAskedFor_IsOfTheLoad(string name, bool isOfLoad) =>
        Assert.Equal(isOfLoad, new RunChange { Utc = default, Role = "provider", Name = name, Value = "1" }.IsOfLoad);

    [Fact]
    public void Changes_OfSeveralRoles_StandInTheOrderOfTimeWithWhatWasBefore()
    {
        File.WriteAllText(_folder.PathOf("a.jsonl"), """
            {"utc":"2026-11-21T10:00:02.000Z","set":{"rate":200},"was":{"rate":100}}
            {"utc":"2026-11-21T10:00:05.000Z","overall":{}}
            {"utc":"no time","set":{"rate":7}}
            {"utc":"2026-11-21T10:00:04.000Z","set":{"mark":"here","slow":"cut"},"was":{"slow":"conflate"}}

            """);
        File.WriteAllText(_folder.PathOf("b.jsonl"), """{"utc":"2026-11-21T10:00:03.000Z","set":{"rate":9},"was":5}""" + "\n");
        IReadOnlyList<RunChange> changes =
            RunChange.Read(RunFolder.Open(_folder.FullPath, "direct", default, []), [("hub", "a.jsonl"), ("consumer", "b.jsonl")]);
        Assert.Equal([("hub", "rate", "200", "100"), ("consumer", "rate", "9", null), ("hub", "mark", "here", null), ("hub", "slow", "cut", "conflate")],
            changes.Select(change => (change.Role, change.Name, change.Value, change.Was)));
        Assert.Equal([2, 3, 4, 4], changes.Select(change => change.Utc.Second));
    }

    [Theory]
    [InlineData(null, "-")]
    [InlineData(0.04, "0.0 %")]
    [InlineData(12.34, "12.3 %")]
    [InlineData(999.0, "999.0 %")]
    [InlineData(999.01, "> 999 %")]
    public void Noise_AboveWhatItTells_IsSaidToBeMore(double? percent, string text) => Assert.Equal(text, Change(1, 1, percent).NoiseText);

    [Theory]
    [InlineData(null, 1.0, null, "-")]
    [InlineData(1.0, null, null, "-")]
    [InlineData(0.0, 1.0, null, "-")]
    [InlineData(200.0, 300.0, 50.0, "+50.0 %")]
    [InlineData(200.0, 150.0, -25.0, "-25.0 %")]
    [InlineData(200.0, 200.0, 0.0, "0.0 %")]
    public void Change_InPercentOfA_HasASign(double? a, double? b, double? percent, string text)
    {
        FigureChange change = Change(a, b, null);
        Assert.Equal((percent, text), (change.ChangePercent, change.ChangeText));
    }

    /// <summary>Two pieces: the logarithm of their mean is as unsure as half of what lies between their logarithms.</summary>
    [Theory]
    [InlineData(1.0)]
    [InlineData(0.5)]
    [InlineData(-2.0)]
    public void Estimate_OfTwoPieces_HasHalfTheirLogarithmicDistance(double distance)
    {
        ComparedFigure rate = ComparedFigure.Common.Single(figure => figure.Name == "rate");
        Estimate estimate = Estimate.Of(rate, new SegmentSums([Piece(100), Piece(100 * Math.Exp(distance))]))!;
        Assert.Equal(50 * (1 + Math.Exp(distance)), estimate.Value, 1e-9);
        Assert.Equal(distance * distance / 4, estimate.LogVariance!.Value, 1e-9);
        Assert.Equal((1.0, 0.0), (Math.Round(estimate.Degrees, 9), estimate.StepVariance));
    }

    /// <summary>Parts of one run do not tell how far runs are apart: what forty runs showed is added, with their degrees of freedom.</summary>
    [Theory]
    [InlineData("rate", 0.0)]
    [InlineData("cpu.consumer", 0.12)]
    [InlineData("avg", 0.2)]
    [InlineData("p50", 0.2)]
    [InlineData("p90", 0.2)]
    [InlineData("p99", 0.9)]
    public void Estimate_OfOneRun_AddsWhatRunsDifferBy(string name, double deviation)
    {
        ComparedFigure figure = ComparedFigure.Of(["consumer"]).Single(one => one.Name == name);
        MeasuredSegment[] alike = [Piece(100), Piece(100), Piece(100)];
        Estimate repeated = Estimate.Of(figure, new SegmentSums(alike))!, single = Estimate.Of(figure, new SegmentSums(alike, Piece(300)))!;
        Assert.Equal((0, 2), (Math.Round(repeated.LogVariance!.Value, 12), (int)repeated.Degrees));
        Assert.Equal(deviation * deviation, single.LogVariance!.Value, 1e-9);
        Assert.Equal(deviation > 0 ? 39 : 2, single.Degrees, 1e-6);
        bool isOfSamples = name is "avg" or "p50" or "p90" or "p99";
        Assert.Equal(isOfSamples ? 1 / (single.Value * single.Value) / 12 : 0, single.StepVariance, 1e-12); // values are whole microseconds
    }

    [Fact]
    public void Estimate_OfOnePieceOrOfNothing_IsUnknown()
    {
        ComparedFigure rate = ComparedFigure.Common.Single(figure => figure.Name == "rate");
        Assert.Null(Estimate.Of(rate, new SegmentSums([Piece(100)]))!.LogVariance);
        Assert.Null(Estimate.Of(rate, new SegmentSums([Piece(0), Piece(0)])));
        Assert.Null(Estimate.Of(rate, new SegmentSums([Piece(100), Piece(0)]))!.LogVariance); // nothing is left without the first
        Assert.Null(Estimate.Of(rate, new SegmentSums([])));
    }

    [Fact]
    public void Figure_OfOneSideAlone_IsShownAndNotComparable()
    {
        MeasuredSegment[] with = [Piece(100) with { ImageSeconds = 0.5 }, Piece(100) with { ImageSeconds = 0.5 }], without = [Piece(100), Piece(100)];
        RunSet a = RecordedRuns.Set("A", with), b = RecordedRuns.Set("B", without);
        FigureChange lost = RunComparison.Of(a, b).Figures.Single(change => change.Figure.Name == "images");
        FigureChange won = RunComparison.Of(b, a).Figures.Single(change => change.Figure.Name == "images");
        Assert.Equal((ChangeWord.NotComparable, 0.5, null, "B has none"), (lost.Word, lost.A, lost.B, lost.Reason));
        Assert.Equal((ChangeWord.NotComparable, null, 0.5, "B has none"), (won.Word, won.A, won.B, won.Reason));
        Assert.DoesNotContain(RunComparison.Of(b, b).Figures, change => change.Figure.Name == "images");
    }

    [Theory]
    [InlineData(4, 0, 0)] // three collections after the first
    [InlineData(5, 4, 1)]
    [InlineData(11, 10, 1)]
    [InlineData(12, 5, 2)] // the eleventh is left out
    [InlineData(21, 10, 2)]
    public void Parts_OfARun_HaveWhatItsRolesCountedMeanwhile(int seconds, int count, int each)
    {
        GeneratedRun.Write(_folder.FullPath, seconds);
        IReadOnlyList<MeasuredSegment> parts = RunSegments.ReadParts(RecordedRun.Read(_folder.FullPath));
        Assert.Equal(count, parts.Count);
        for (int i = 0; i < parts.Count; i++)
        {
            int[] within = [.. Enumerable.Range(2 + (i * each), each)]; // the first collection is no part
            Assert.Equal(each * IntervalSeconds, parts[i].Seconds, 1e-9);
            Assert.Equal(within.Sum(second => Math.Round(100_000 + (500 * Math.Sin(second / 60.0)))) * IntervalSeconds, parts[i].Messages, 1e-3);
            foreach (string role in (string[])["provider", "consumer"])
            {
                Assert.Equal(within.Sum(second => Math.Round(20 + (10 * Math.Sin(second / 100.0)), 3)) / 100 * IntervalSeconds,
                    parts[i].CpuSeconds[role], 1e-9);
            }

            AssertSamples(within, 35, parts[i].Latency!);
            AssertSamples(within, 20, parts[i].SendLag!);
            Assert.Equal((null, null), (parts[i].MemoryMegabytes, parts[i].ImageSeconds));
        }
    }

    [Fact]
    public void Whole_OfARun_HasItsFiguresAndAllSamples()
    {
        GeneratedRun.Write(_folder.FullPath, 6);
        MeasuredSegment whole = RunSegments.ReadWhole(RecordedRun.Read(_folder.FullPath))!;
        RunFigures figures = SampleFigures.Good;
        Assert.Equal((figures.SteadySeconds, figures.RateReached * figures.SteadySeconds, figures.RateReached),
            (whole.Seconds, whole.Messages, whole.RecordedRate));
        Assert.Equal([("consumer", 0.0496 * figures.SteadySeconds), ("provider", 0.0608 * figures.SteadySeconds)],
            whole.CpuSeconds.Select(role => (role.Key, role.Value)).Order());
        Assert.Equal((1_702.0, 590.0, 119.0, 0.0214), (whole.MaxLatencyMicros, whole.MaxSendLagMicros, whole.MemoryMegabytes, whole.ImageSeconds));
        AssertSamples([1, 2, 3, 4, 5, 6], 35, whole.Latency!);
        AssertSamples([1, 2, 3, 4, 5, 6], 20, whole.SendLag!);
    }

    [Fact]
    public void Whole_WhereARoleDoesNotKnow_LeavesItOut()
    {
        GeneratedRun.Write(_folder.FullPath, 6,
            run => run with { Roles = [run.Roles[0] with { CpuCorePercent = null, MemoryMegabytes = null }, run.Roles[1]] });
        MeasuredSegment whole = RunSegments.ReadWhole(RecordedRun.Read(_folder.FullPath))!;
        Assert.Equal(["consumer"], whole.CpuSeconds.Keys);
        Assert.Null(whole.MemoryMegabytes);
    }

    [Fact]
    public void Limits_AsTheyAreExplained_NameEveryFigure() =>
        Assert.All(ComparedFigure.Of([]), figure => Assert.Contains($" {figure.Name},", ChangeLimit.ListKind, StringComparison.Ordinal));

    [Theory]
    [InlineData(999, "sendLagP99<100us: 999 samples, 1,000 needed, missed")]
    [InlineData(1_000, "sendLagP99<100us: samples outside of 0 to 1 hour, which percentiles do not show, missed")]
    [InlineData(0, "sendLagP99<100us: 0 samples, 1,000 needed, missed")]
    public void Assertion_OfASendLagThatIsNone_SaysHowManySamplesThereAre(int samples, string line)
    {
        RunFigures figures = SampleFigures.Good with { SendLagMicros = SampleFigures.Good.SendLagMicros! with { Count = samples, P99 = null } };
        IReadOnlyList<Threshold> thresholds = Threshold.TryParseList("sendLagP99<100us", Threshold.Metrics)!;
        Assert.Equal(line, Assert.Single(new RunAssertions(figures, [], []).Compare(thresholds)).Line);
    }

    [Fact]
    public void Lines_OfARunThatIsOver_EndWithTheLastWholeOne()
    {
        string path = _folder.PathOf("role.jsonl");
        File.WriteAllText(path, "{\"second\":1}\n\n{\"second\":2,\"final\":true}\n{\"second\":3}");
        JsonLinesReader reader = new(path);
        Assert.Equal([1, 2], reader.ReadWhole().Select(line => line.GetProperty("second").GetInt32()));
        Assert.Equal((2, 2), (reader.Last!.Value.GetProperty("second").GetInt32(), reader.Final!.Value.GetProperty("second").GetInt32()));
    }

    private static void AssertSamples(int[] seconds, int typical, LongHistogram found)
    {
        LongHistogram expected = LongHistogram.CreateForTimes(LatencyUnit.Microseconds), one = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        foreach (int second in seconds)
            expected.Add(GeneratedRun.Samples(one, second, typical));
        Assert.Equal(seconds.Length * SamplesOfSecond, found.TotalCount);
        Assert.Equal((expected.GetMean(), expected.GetMaxValue()), (found.GetMean(), found.GetMaxValue()));
    }

    private static FigureChange Change(double? a, double? b, double? noise) =>
        new() { Figure = ComparedFigure.Common[0], A = a, B = b, NoisePercent = noise, Word = ChangeWord.Same };

    private static MeasuredSegment Piece(double messages)
    {
        LongHistogram latency = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        for (int i = 0; i < 2_000; i++)
            latency.RecordValue(200);
        return new()
        {
            Seconds = 1,
            Messages = messages,
            CpuSeconds = new Dictionary<string, double> { ["consumer"] = messages / 1_000 },
            Latency = latency,
            MaxLatencyMicros = double.PositiveInfinity,
        };
    }
}
