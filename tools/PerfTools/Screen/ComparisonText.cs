using System.Globalization;
using PerfTools.Results.Comparison;

namespace PerfTools.Screen;

/// <summary>Writes a comparison as text, a line for each figure.</summary>
internal static class ComparisonText
{
    private const int NumberChars = 12;
    private const int PercentChars = 10;
    private const double WholeFrom = 100;

    public static IEnumerable<string> Create(RunComparison comparison, IReadOnlyList<ChangeLimitResult> limits)
    {
        int titleChars = comparison.Figures.Select(change => change.Figure.Title.Length).DefaultIfEmpty(0).Max();
        return
        [
            .. new[] { comparison.A, comparison.B }.Select(side => $"{side.Name}  {side.Shown}  ({side.NoiseText})"),
            "",
            new string(' ', titleChars) + "A".PadLeft(NumberChars) + "B".PadLeft(NumberChars) + "change".PadLeft(PercentChars)
                + "noise".PadLeft(PercentChars),
            .. comparison.Figures.Select(change => Describe(change, titleChars, comparison.Reason)),
            "",
            comparison.Verdict.ToUpperInvariant() + (comparison.Reason is { } reason ? $"  {reason}" : ""),
            .. limits.Select(limit => $"    fail if  {limit.Line}"),
        ];
    }

    /// <summary>Formats a figure with as many digits as it needs; <c>-</c> for none.</summary>
    public static string Value(double? value) =>
        value is { } known ? known.ToString(known < 1 ? "0.####" : known < WholeFrom ? "0.##" : "N0", CultureInfo.InvariantCulture) : "-";

    /// <summary>The word for a change, with the reason if it is not comparable, unless all have the same reason.</summary>
    public static string Word(FigureChange change, string? saidOfAll) =>
        change.Word.Text() + (change.Reason is { } reason && reason != saidOfAll ? $" ({reason})" : "");

    private static string Describe(FigureChange change, int titleChars, string? saidOfAll) =>
        change.Figure.Title.PadRight(titleChars) + Value(change.A).PadLeft(NumberChars) + Value(change.B).PadLeft(NumberChars)
        + change.ChangeText.PadLeft(PercentChars) + change.NoiseText.PadLeft(PercentChars) + "   " + Word(change, saidOfAll);
}
