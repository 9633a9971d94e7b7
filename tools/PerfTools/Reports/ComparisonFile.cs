using System.Text.Encodings.Web;
using System.Text.Json;
using PerfTools.Comparison;

namespace PerfTools.Reports;

/// <summary>A comparison as JSON (docs/compare.md).</summary>
internal static class ComparisonFile
{
    public const string Format = "perftools-comparison-1";

    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, // a file for people and programs, never part of a web page
        NewLine = "\n",
    };

    public static void Write(TextWriter writer, RunComparison comparison, IReadOnlyList<ChangeLimitResult> limits) => writer.Write(JsonSerializer.Serialize(
        new
        {
            Format,
            comparison.Verdict,
            comparison.Reason,
            A = Describe(comparison.A),
            B = Describe(comparison.B),
            Differences = comparison.Differences.Select(difference => new { difference.Name, difference.A, difference.B }),
            Figures = comparison.Figures.Select(change => new
            {
                change.Figure.Name,
                change.Figure.Title,
                change.A,
                change.B,
                change.ChangePercent,
                change.NoisePercent,
                Word = change.Word.Text(),
                change.Reason,
            }),
            Assertions = limits.Select(limit =>
                new { Assertion = limit.Limit.Text, Kept = limit.IsKept, Figure = limit.Change?.ChangePercent, limit.Line }),
        },
        Json) + "\n");

    private static object Describe(RunSet side) => new { Runs = side.RunCount, From = side.Shown, Noise = side.NoiseText };
}
