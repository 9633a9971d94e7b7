using System.Text.Json;
using System.Text.Json.Serialization;

namespace PerfTools.Reports.Users;

/// <summary>The file <c>suite.json</c>: the ramps of a users suite, where each lies and how it ended.</summary>
internal static class SuiteFile
{
    public const string Name = "suite.json";
    private const string Format = "perftools-suite-1";

    public static string CreateText(string name, IReadOnlyList<FinishedVariant> variants) => JsonSerializer.Serialize(
        new SuiteDocument(Format, name, [.. variants.Select(Describe)]), SuiteJson.Default.SuiteDocument) + "\n";

    private static SuiteVariant Describe(FinishedVariant done) => new(
        done.Variant.Load.Name, done.Variant.Name, done.Folder, done.Document.Verdict, done.Document.Reason, (int)done.Document.ExitCode,
        done.Capacity?.UsersAsked, done.Variant.Parameters.All.ToDictionary(row => row.Name, row => row.Value));
}

/// <summary>The members of the file, in its order.</summary>
internal sealed record SuiteDocument(string Format, string Suite, IReadOnlyList<SuiteVariant> Variants);

/// <summary>A ramp of the suite.</summary>
internal sealed record SuiteVariant(string Scenario, string Variant, string Folder, string Verdict, string? Reason, int ExitCode,
    int? Capacity, Dictionary<string, string> Parameters);

/// <summary>Writes the file by code that the build generates.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(SuiteDocument))]
internal sealed partial class SuiteJson : JsonSerializerContext;
