using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using PerfTools.Results.Comparison;

namespace PerfTools.Reports;

/// <summary>Writes a comparison as JSON (docs/compare.md).</summary>
internal static class ComparisonFile
{
    public const string Format = "perftools-comparison-1";

    // The file is for people and programs, never part of a web page.
    private static readonly ComparisonJson Json =
        new(new(ComparisonJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    public static void Write(TextWriter writer, RunComparison comparison, IReadOnlyList<ChangeLimitResult> limits) =>
        writer.Write(JsonSerializer.Serialize(Describe(comparison, limits), Json.ComparisonDocument) + "\n");

    private static ComparisonDocument Describe(RunComparison comparison, IReadOnlyList<ChangeLimitResult> limits) => new(
        Format, comparison.Verdict, comparison.Reason, Describe(comparison.A), Describe(comparison.B), comparison.Differences,
        [.. comparison.Figures.Select(change => new ComparisonFigure(change.Figure.Name, change.Figure.Title, change.A, change.B,
            change.ChangePercent, change.NoisePercent, change.Word.Text(), change.Reason))],
        [.. limits.Select(limit => new ComparisonAssertion(limit.Limit.Text, limit.IsKept, limit.Change?.ChangePercent, limit.Line))]);

    private static ComparisonSide Describe(RunSet side) => new(side.RunCount, side.Shown, side.NoiseText);
}

/// <summary>The members of the file, in its order.</summary>
internal sealed record ComparisonDocument(string Format, string Verdict, string? Reason, ComparisonSide A, ComparisonSide B,
    IReadOnlyList<Difference> Differences, IReadOnlyList<ComparisonFigure> Figures, IReadOnlyList<ComparisonAssertion> Assertions);

/// <summary>The runs of A or of B.</summary>
internal sealed record ComparisonSide(int Runs, string From, string Noise);

/// <summary>A figure of both sides.</summary>
internal sealed record ComparisonFigure(string Name, string Title, double? A, double? B, double? ChangePercent, double? NoisePercent,
    string Word, string? Reason);

/// <summary>A limit, and whether the comparison kept it.</summary>
internal sealed record ComparisonAssertion(string Assertion, bool Kept, double? Figure, string Line);

/// <summary>Writes the file by code that the build generates.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ComparisonDocument))]
internal sealed partial class ComparisonJson : JsonSerializerContext;
