using System.Text.Json;
using PerfTools.Results.Comparison;
using PerfTools.Search;
using Xunit;
using CurveFigures = PerfTools.Search.SampleFigures;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>The words of a comparison of two searches where intervals touch, and where a load is at the edge of its noise.</summary>
[Trait("Category", "Fast")]
public class SearchChangeTests
{
    private static readonly SearchDocument Recorded = JsonSerializer.Deserialize(
        File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Search", "Expected", "search.json")), SearchJson.Default.SearchDocument)!;

    private static readonly SearchDocument A = With(new(1_000, 900, 1_100, 0.95, true, 1_030, null));

    [Theory]
    [InlineData(1_100, 1_300, "same")] // they touch
    [InlineData(1_101, 1_300, "better")]
    [InlineData(700, 900, "same")]
    [InlineData(700, 899, "worse")]
    [InlineData(950, 1_050, "same")] // one within the other
    [InlineData(800, 1_200, "same")]
    public void Capacity_OfIntervals_IsTheSameWhereTheyOverlap(double low, double high, string word) =>
        Assert.Equal(word, Compare(new(1_000, low, high, 0.95, true, 1_030, null)).Word.Text());

    [Theory]
    [InlineData(null, null, 1_100.0, false, "B found nothing")]
    [InlineData(1_000, null, 1_100.0, true, "an interval has no end")]
    [InlineData(1_000, 900.0, null, true, "an interval has no end")]
    [InlineData(1_000, 900.0, 1_100.0, false, "B is not confirmed")]
    public void Capacity_WithoutAnInterval_IsNotComparable(int? value, double? low, double? high, bool isConfirmed, string reason)
    {
        SearchCapacity other = new(value, low, high, 0.95, isConfirmed, null, null);
        SearchChange change = Compare(other);
        Assert.Equal((ChangeWord.NotComparable, reason), (change.Word, change.Reason));
        SearchChange turned = new SearchComparison(With(other), A).Capacity;
        Assert.Equal((ChangeWord.NotComparable, reason.Replace('B', 'A')), (turned.Word, turned.Reason));
    }

    /// <summary>A single run differs by up to 20 % of latency and 12 % of processor time.</summary>
    [Theory]
    [InlineData("p50", 100, 120, "same")]
    [InlineData("p50", 100, 120.1, "worse")]
    [InlineData("p50", 100, 80, "same")]
    [InlineData("p50", 100, 79.9, "better")]
    [InlineData("p99", 100, 120, "same")]
    [InlineData("p99", 100, 120.1, "worse")]
    [InlineData("p99", 100, 79.9, "better")]
    [InlineData("cpu", 100, 111.9, "same")]
    [InlineData("cpu", 100, 112.1, "worse")]
    [InlineData("cpu", 100, 88.1, "same")]
    [InlineData("cpu", 100, 87.9, "better")]
    public void Point_OfALoad_ChangesBeyondItsNoise(string name, double a, double b, string word)
    {
        SearchChange change = ComparePoints(Point(500, name, a), Point(500, name, b)).Single(one => one.Name == name);
        Assert.Equal((word, 50, a, b), (change.Word.Text(), change.AtPercent, change.A, change.B));
    }

    [Theory]
    [InlineData(1_000, 1_050, null)]
    [InlineData(1_000, 1_051, "another load")]
    [InlineData(1_000, 950, null)]
    [InlineData(1_000, 949, "another load")]
    public void Point_OfAnotherLoad_IsNotComparable(int a, int b, string? reason) =>
        Assert.All(ComparePoints(Point(a, "p50", 1), Point(b, "p50", 1)),
            change => Assert.Equal((reason, reason is null), (change.Reason, change.Word == ChangeWord.Same)));

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Point_OfADroppedRun_IsNotComparable(bool isDroppedA, bool isDroppedB)
    {
        SearchPoint whole = Point(500, "p50", 1), dropped = whole with { Run = whole.Run with { Dropped = "busy" } };
        Assert.All(ComparePoints(isDroppedA ? dropped : whole, isDroppedB ? dropped : whole),
            change => Assert.Equal((ChangeWord.NotComparable, "a run was dropped"), (change.Word, change.Reason)));
    }

    [Theory]
    [InlineData(0.0)]
    [InlineData(null)]
    public void Point_WithoutAFigure_IsNotComparable(double? figure)
    {
        foreach (SearchChange change in (SearchChange[])[Single(figure, 5), Single(5, figure)])
            Assert.Equal((ChangeWord.NotComparable, "too few samples"), (change.Word, change.Reason));

        static SearchChange Single(double? a, double? b) => ComparePoints(Point(500, "p99", a), Point(500, "p99", b)).Single(one => one.Name == "p99");
    }

    [Fact]
    public void Points_OfLoadsThatOneCurveHasAlone_AreLeftOut() =>
        Assert.Empty(ComparePoints(Point(500, "p50", 1), Point(500, "p50", 1) with { Percent = 60 }));

    [Theory]
    [InlineData(null, 5.0, null)]
    [InlineData(0.0, 5.0, null)]
    [InlineData(5.0, null, null)]
    [InlineData(200.0, 150.0, -25.0)]
    [InlineData(200.0, 200.0, 0.0)]
    public void ChangePercent_OfTwoFigures_IsOfA(double? a, double? b, double? percent) =>
        Assert.Equal(percent, new SearchChange("p50", "us", 50, a, b).ChangePercent);

    [Theory]
    [InlineData(1_000, "| 1,000 | 1,000 | 0.0 % | same |")]
    [InlineData(null, "| 1,000 | - | - | not comparable: B found nothing |")]
    public void WriteMarkdown_OfACapacity_HasTheWordAndWhatPreventsIt(int? value, string cells)
    {
        StringWriter text = new();
        SearchComparisonText.WriteMarkdown(text, new(A, With(new(value, 900, 1_100, 0.95, value is not null, null, null))));
        Assert.Contains(cells, text.ToString(), StringComparison.Ordinal);
    }

    private static SearchChange Compare(SearchCapacity capacity) => new SearchComparison(A, With(capacity)).Capacity;

    private static SearchDocument With(SearchCapacity capacity) => Recorded with { Capacity = capacity, Curve = null };

    private static IReadOnlyList<SearchChange> ComparePoints(SearchPoint a, SearchPoint b) =>
        new SearchComparison(A with { Curve = new(null, null, [a]) }, A with { Curve = new(null, null, [b]) }).Points;

    // A load of 50 % whose figures are 100 but for one.
    private static SearchPoint Point(int value, string name, double? figure) => new(50, new(1, "curve", value, true, null, null, null, 11, new CurveFigures
    {
        Rate = value,
        P50 = name == "p50" ? figure : 100,
        P99 = name == "p99" ? figure : 100,
        P999 = 100,
        Sent = 1,
        NotSent = 0,
        Roles = [new("provider", (name == "cpu" ? figure : 100) / 2, 1), new("consumer", (name == "cpu" ? figure : 100) / 2, 1)],
    }, "01"));
}
