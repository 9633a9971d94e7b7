using System.Globalization;
using System.Text.RegularExpressions;
using PerfTools.Reports.Charts;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

[Trait("Category", "Fast")]
public partial class ChartTests
{
    [Fact]
    public void Hover_OfLines_TellsTheValuesOfEachAtThatPlace()
    {
        double[] seconds = [.. Enumerable.Range(0, 600).Select(i => (double)i)];
        Chart chart = new()
        {
            Title = "t",
            X = Axis.Time(600),
            Y = Axis.FromZero([2_000]),
            Right = Axis.FromZero([100]),
            Lines = [new("p50", seconds, [.. seconds.Select(i => i == 5 ? (double?)null : i)], 0), new("p99", [0, 300], [1_500.5, null], 1)],
            RightLines = [new("CPU", [0], [12.345], 2)],
        };
        (int Place, string Text)[] texts = [.. ChartHover.Create(chart, chart.X.Place)];
        Assert.Equal(Enumerable.Range(0, ChartHover.MaxPlaces), texts.Select(text => text.Place));
        Assert.Equal("5 s: p50 4, p99 1,501, CPU 12.35", texts[0].Text); // of the nearest that has a value
        Assert.Equal("305 s: p50 305", texts[30].Text);
        Assert.Contains("<title>305 s: p50 305</title>", SvgChart.Draw(chart), StringComparison.Ordinal);
    }

    /// <summary>Labels of lines that end at one place are one below the other, all of them within the chart.</summary>
    [Theory]
    [InlineData(0, 1_922, 2_072, 2_222)] // at the bottom: the lowest is there, the others above it
    [InlineData(2, 132, 282, 432)] // at the top
    public void Labels_OfLinesWithOneEnd_KeepTheirDistance(double value, params int[] expected)
    {
        Chart chart = new()
        {
            Title = "t",
            X = Axis.Time(2),
            Y = Axis.FromZero([2]),
            Lines = [new("a", [0, 2], [1, value], 0), new("b", [0, 2], [1, value], 1), new("c", [0, 2], [1, value], 2)],
        };
        Assert.Equal(expected, Label().Matches(SvgChart.Draw(chart)).Select(label => int.Parse(label.Groups[1].Value, CultureInfo.InvariantCulture)));
    }

    [Fact]
    public void Marks_OfAChart_AreLinesFromTopToBottomWithTheirTexts()
    {
        Chart chart = new() { Title = "t", X = Axis.Time(10), Y = Axis.FromZero([10]), Lines = [], Marks = [new(5, "a < b"), new(10, "end")] };
        Assert.Contains("<path class=\"k\" d=\"M2360 90V2180\"><title>a &lt; b</title></path><path class=\"k\" d=\"M4200 90V2180\"><title>end</title></path>",
            SvgChart.Draw(chart), StringComparison.Ordinal);
    }

    [Fact]
    public void Hover_OfNames_IsTheName()
    {
        Chart chart = new() { Title = "t", X = Axis.Named(["a<b", "c"]), Y = Axis.FromZero([2]), Lines = [new("x", [0, 1], [1, null], 0)] };
        Assert.Equal(["a<b: x 1"], ChartHover.Create(chart, chart.X.Place).Select(text => text.Text));
        Assert.Contains("<title>a&lt;b: x 1</title>", SvgChart.Draw(chart), StringComparison.Ordinal);
    }

    [Fact]
    public void FromZero_SomeValues_EndsAtARoundNumberAboveThem()
    {
        Axis axis = Axis.FromZero([3, 103, null]);
        Assert.Equal(["0", "25", "50", "75", "100", "125"], axis.Ticks.Select(tick => tick.Text));
        Assert.Equal((0.0, 0.4, 1.0), (axis.Place(0), axis.Place(50), axis.Place(125)));
    }

    [Fact]
    public void FromZero_NothingButZeros_HasAnAxisAllTheSame() => Assert.Equal(1, Axis.FromZero([0, 0]).Place(1));

    [Theory]
    [InlineData(36.1, 39.4, "36 37 38 39 40")]
    [InlineData(20_000, 20_000, "19.8 k 19.9 k 20 k 20.1 k 20.2 k")]
    [InlineData(0.00172, 0.00175, "0.00171 0.00172 0.00173 0.00174 0.00175 0.00176")]
    public void Around_Values_HasThemBetweenRoundNumbers(double low, double high, string ticks)
    {
        Axis axis = Axis.Around([low, null, high]);
        Assert.Equal(ticks, string.Join(' ', axis.Ticks.Select(tick => tick.Text)));
        Assert.True(axis.Place(low) >= 0 && axis.Place(high) <= 1 && axis.Place(low) <= axis.Place(high));
    }

    [Theory]
    [InlineData(14, 1_702, "10 100 1 k 10 k")]
    [InlineData(1, 900, "1 10 100 1000")]
    [InlineData(20, 80, "10 20 50 100")]
    [InlineData(0, 0, "1 2 5 10")]
    public void Logarithmic_Values_HasWholeDecades(double low, double high, string ticks) =>
        Assert.Equal(ticks, string.Join(' ', Axis.Logarithmic([low, high], min: 1).Ticks.Select(tick => tick.Text)));

    [Fact]
    public void Nines_UpToAPercentile_PutsEachNineAsFarAsTheOneBefore()
    {
        Axis axis = Axis.Nines(99.9);
        Assert.Equal(["0", "90", "99", "99.9"], axis.Ticks.Select(tick => tick.Text));
        Assert.Equal([0, 1 / 3.0, 2 / 3.0, 1], axis.Ticks.Select(tick => Math.Round(axis.Place(tick.Value), 9)),
            (a, b) => Math.Abs(a - b) < 1e-8);
    }

    [Theory]
    [InlineData(16, "0 s", "15 s")]
    [InlineData(600, "0:00", "10:00")]
    [InlineData(3_600, "0:00", "1:00")]
    [InlineData(90_000, "0:00", "24:00")] // of more than a day
    [InlineData(180_000, "0:00", "48:00")]
    public void Time_OfARun_IsMarkedAtRoundTimes(double seconds, string first, string last)
    {
        Axis axis = Axis.Time(seconds);
        Assert.Equal((first, last), (axis.Ticks[0].Text, axis.Ticks[^1].Text));
        Assert.InRange(axis.Ticks.Count, 3, 8);
        Assert.All(axis.Ticks, tick => Assert.Equal(0, tick.Value % 5));
    }

    [Fact]
    public void Draw_LineWithAGap_IsInTwoPiecesAndLabelsKeepApart()
    {
        Chart chart = new()
        {
            Title = "T<",
            X = Axis.Time(3),
            Y = Axis.FromZero([10]),
            Bands = [new([0, 1, 2], [1, 1, null], [2, 3, 4], 0)],
            Lines = [new("one", [0, 1, 2, 3], [1, null, 5, 5], 0), new("two", [0, 3], [5, 5], 1, LineStyle.Dashed)],
        };
        string svg = SvgChart.Draw(chart);
        Assert.Contains("aria-label=\"T&lt;\"", svg, StringComparison.Ordinal);
        Assert.Matches("<path class=\"l full c0\" d=\"M520 \\d+h9M\\d+ \\d+l\\d+ 0\"/>", svg);
        Assert.Matches("<path class=\"b c0\" d=\"M520 \\d+l\\d+ 0 0-\\d+ -\\d+ \\d+z\"/>", svg);
        int[] labels =
            [.. Regex.Matches(svg,
                "class=\"n c\\d\" x=\"\\d+\" y=\"(\\d+)\"").Select(match =>
                int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture))];
        Assert.True(Math.Abs(labels[0] - labels[1]) >= 150);
    }

    [GeneratedRegex("<text class=\"n c[0-9]+\" x=\"[0-9]+\" y=\"([0-9]+)\">")]
    private static partial Regex Label();
}
