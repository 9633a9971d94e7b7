using System.Globalization;
using PerfTools.Results.Comparison;

namespace PerfTools.Screen;

/// <summary>Writes the joint figures of repeated runs.</summary>
internal static class RepeatText
{
    private const double Chance = 0.05;
    private const int ValueChars = 14;

    public static IEnumerable<string> Create(RunSet runs)
    {
        if (runs.Problem is { } problem)
            return ["", $"Together: nothing, as {problem}"];
        (string Title, string Value, string Noise)[] rows = [.. CreateRows(runs)];
        int titleChars = rows.Select(row => row.Title.Length).DefaultIfEmpty(0).Max();
        return
        [
            "",
            string.Create(CultureInfo.InvariantCulture,
                $"Together, {runs.RunCount} runs (percentiles of all samples; what chance alone may do to a figure)"),
            .. rows.Select(row => "    " + row.Title.PadRight(titleChars) + row.Value.PadLeft(ValueChars) + $"   +-{row.Noise}"),
        ];
    }

    /// <summary>Creates title, value and noise of every known figure.</summary>
    public static IEnumerable<(string Title, string Value, string Noise)> CreateRows(RunSet runs) =>
        from figure in ComparedFigure.Of(runs.Roles)
        where figure.Samples is not { } samples || samples.Of(runs.Sums.Whole).Count >= samples.Needed
        let estimate = Estimate.Of(figure, runs.Sums)
        where estimate is not null
        select (figure.Title, ComparisonText.Value(estimate.Value), Noise(estimate));

    // Half of its 95 % interval.
    private static string Noise(Estimate estimate) => estimate.LogVariance is not { } variance ? " unknown" : string.Create(
        CultureInfo.InvariantCulture,
        $"{100 * (Math.Exp(StudentDistribution.Quantile(Chance, estimate.Degrees) * Math.Sqrt(variance + estimate.StepVariance)) - 1):0.0} %");
}
