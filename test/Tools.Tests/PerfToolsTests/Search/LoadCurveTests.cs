using System.Globalization;
using PerfTools.Search;
using Xunit;
using CurveFigures = PerfTools.Search.SampleFigures;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>The loads of a curve, the points that count, and its knee.</summary>
[Trait("Category", "Fast")]
public class LoadCurveTests
{
    private static readonly SearchRange Range = new() { First = 100 };
    private static readonly SearchAnswer Answer = SearchAnswer.Nothing with { Value = 1_000, Kept = 1_000, Missed = 1_030, Placement = "shared" };

    private readonly List<SearchSample> _measured = [];

    [Fact]
    public void Measure_OfAValue_HasElevenLoadsAndSaysWhatIsKnown()
    {
        List<SearchStep> asked = [];
        LoadCurve curve = LoadCurve.Measure(Range, Answer, step =>
        {
            asked.Add(step);
            return Sample(step.Value, 100);
        }, _measured.Add, number: 7);
        Assert.Equal([100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100], curve.Points.Select(point => point.Sample.Value));
        Assert.Equal([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110], curve.Points.Select(point => point.Percent));
        Assert.Equal(Enumerable.Range(8, 11), asked.Select(step => step.Number));
        Assert.All(asked, step => Assert.Equal((SearchStage.Curve, 1_000, 1_030), (step.Stage, step.Kept, step.Missed)));
        Assert.Equal(curve.Points.Select(point => point.Sample), _measured);
        Assert.All(_measured, sample => Assert.Equal(SearchStage.Curve, sample.Stage));
    }

    [Fact]
    public void Measure_OfASmallValue_MeasuresNoValueTwice()
    {
        LoadCurve curve = LoadCurve.Measure(Range, Answer with { Value = 3 }, step => Sample(step.Value, 100), _measured.Add, 0);
        Assert.Equal([(10, 1), (50, 2), (90, 3)], curve.Points.Select(point => (point.Percent, point.Sample.Value)));
    }

    [Fact]
    public void Measure_OfTheGreatestValue_EndsThere()
    {
        LoadCurve curve = LoadCurve.Measure(Range with { Max = 1_000 }, Answer, step => Sample(step.Value, 100), _measured.Add, 0);
        Assert.Equal((10, 100), (curve.Points.Count, curve.Points[^1].Percent));
    }

    /// <summary>A disturbed load is repeated twice at most; after that it stays and does not count.</summary>
    [Theory]
    [InlineData(0, 1, true)]
    [InlineData(1, 2, true)]
    [InlineData(2, 3, true)]
    [InlineData(3, 3, false)]
    [InlineData(9, 3, false)]
    public void Measure_OfADisturbedLoad_RepeatsItTwiceAtMost(int disturbed, int runs, bool counts)
    {
        int left = disturbed;
        LoadCurve curve = LoadCurve.Measure(Range, Answer, step =>
            Sample(step.Value, 100) with { Disturbance = step.Value == 500 && left-- > 0 ? "machine busy" : null }, _measured.Add, 0);
        Assert.Equal(runs, _measured.Count(sample => sample.Value == 500));
        Assert.Equal(counts, curve.Points[4].Counts);
        Assert.Equal(11, curve.Points.Count);
        Assert.Equal(Enumerable.Range(1, _measured.Count), _measured.Select(sample => sample.Number));
    }

    [Theory]
    [InlineData("shared", "shared", null)]
    [InlineData("shared", "apart", "placement apart instead of shared")]
    [InlineData("shared", null, null)]
    [InlineData(null, "apart", null)]
    public void Measure_OfAnotherPlacement_IsADisturbance(string? answer, string? placement, string? disturbance)
    {
        LoadCurve curve = LoadCurve.Measure(Range, Answer with { Placement = answer }, step => Sample(step.Value, 100) with { Placement = placement },
            _measured.Add, 0);
        Assert.All(curve.Points, point => Assert.Equal(disturbance, point.Sample.Disturbance));
        Assert.Equal(disturbance is null ? 11 : 33, _measured.Count);
    }

    [Fact]
    public void Measure_Interrupted_HasThePointsSoFar()
    {
        LoadCurve curve = LoadCurve.Measure(Range, Answer, step => step.Number == 4 ? null : Sample(step.Value, 100), _measured.Add, 0);
        Assert.Equal([10, 20, 30], curve.Points.Select(point => point.Percent));
        Assert.Equal(3, _measured.Count);
    }

    /// <summary>The knee is where p99 begins to stay above twice its value at the lowest load that has one; a load without figures says nothing.</summary>
    [Theory]
    [InlineData("100 100 100 100 100 100 100 100 100 100 100", 100.0, null)]
    [InlineData("100 110 120 130 140 150 160 170 180 190 200", 100.0, null)]
    [InlineData("100 110 120 130 140 150 160 170 180 190 201", 100.0, 110)]
    [InlineData("100 900 100 100 100 100 100 100 100 250 300", 100.0, 100)]
    [InlineData("100 900 900 900 900 900 900 900 900 900 100", 100.0, null)]
    [InlineData("100 201 201 201 201 201 201 201 201 201 201", 100.0, 20)]
    [InlineData("- 100 100 100 100 100 100 100 201 - 300", 100.0, 90)]
    [InlineData("d 100 100 100 100 100 100 100 201 d 300", 100.0, 90)]
    [InlineData("x 100 100 100 100 100 100 100 201 x 300", 100.0, 90)]
    [InlineData("- - - - - - - - - - -", null, null)]
    public void Knee_OfACurve_IsWhereP99StaysAboveTwiceItsLowest(string p99, double? low, int? percent)
    {
        string[] all = p99.Split(' ');
        LoadCurve curve = LoadCurve.Measure(Range, Answer, step => all[(step.Value / 100) - 1] switch
        {
            "-" => Sample(step.Value, null),
            "d" => Sample(step.Value, 9_999) with { Disturbance = "machine busy" },
            "x" => Sample(step.Value, null) with { Figures = null },
            { } micros => Sample(step.Value, double.Parse(micros, CultureInfo.InvariantCulture)),
        }, _measured.Add, 0);
        Assert.Equal((low, percent), (curve.LowP99, curve.Knee?.Percent));
    }

    private static SearchSample Sample(int value, double? p99) => new()
    {
        Value = value,
        IsKept = true,
        Figures = new CurveFigures { Rate = value, P50 = 1, P99 = p99, P999 = null, Sent = null, NotSent = null, Roles = [] },
    };
}
