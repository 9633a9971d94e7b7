using PerfTools.Reports.RoundTrips;
using PerfTools.Results.Comparison;
using PerfTools.Screen;

namespace PerfTools.Reports;

/// <summary>Creates the page of a comparison: the verdict, the figures, both latencies by percentile, the conditions of A and B.</summary>
internal static class ComparisonPage
{
    public static ReportContent Create(RunComparison comparison, IReadOnlyList<ChangeLimitResult> limits) => new()
    {
        Title = "A against B",
        Subtitle = $"{comparison.A.Shown} ({comparison.A.NoiseText}) against {comparison.B.Shown} ({comparison.B.NoiseText})",
        Verdict = limits.Any(limit => !limit.IsKept) ? "MISSED" : comparison.Verdict.ToUpperInvariant(),
        Sentence = limits.FirstOrDefault(limit => !limit.IsKept)?.Reason ?? comparison.Reason ?? Describe(comparison),
        Figures = [CreateFigures(comparison),
            new("Assertions", [], [.. limits.Select(limit => (IReadOnlyList<Cell>)[limit.IsKept ? "kept" : "missed", limit.Line])])],
        Charts =
        [
            .. RoundTripCharts.Of(comparison.A, comparison.B),
            .. CreateCurves(comparison) is { Length: > 0 } curves ? new[] { PercentileCurve.CreateChart(curves) } : [],
        ],
        Conditions =
        [
            new("What differs", ["", "A", "B"],
                [.. comparison.Differences.Select(difference =>
                    (IReadOnlyList<Cell>)[difference.Name, difference.A ?? "", difference.B ?? ""])]),
        ],
    };

    private static string Describe(RunComparison comparison) => string.Join(
        ", ", comparison.Figures.Where(change =>
            change.Word is ChangeWord.Better or ChangeWord.Worse).Select(change => $"{change.Figure.Title} {change.ChangeText}"));

    private static TextTable CreateFigures(RunComparison comparison) => new(
        "Figures", ["", "A", "B", "change", "noise", ""],
        [
            .. comparison.Figures.Select(change => (IReadOnlyList<Cell>)
            [
                change.Figure.Title, Number(ComparisonText.Value(change.A)), Number(ComparisonText.Value(change.B)),
                Number(change.ChangeText), Number(change.NoiseText), ComparisonText.Word(change, comparison.Reason),
            ]),
        ]);

    private static Cell Number(string text) => new(text) { IsNumber = true };

    private static PercentileCurve[] CreateCurves(RunComparison comparison) =>
    [
        .. from side in (RunSet[])[comparison.A, comparison.B]
           let curve = PercentileCurve.TryCreate(side.Name, side.Sums.Whole.Latency.Histogram)
           where curve is not null
           select curve,
    ];
}
