using System.Text.Json;
using System.Text.Json.Serialization;

namespace PerfTools.Reports.Users;

/// <summary>The file <c>suite.json</c>: the ramps of a users suite, with folder and verdict of each.</summary>
internal static class SuiteFile
{
    public const string Name = "suite.json";
    private const string Format = "perftools-suite-1";

    public static string CreateText(string name, IReadOnlyList<FinishedVariant> variants, IReadOnlyList<UsersSweep> sweeps) =>
        JsonSerializer.Serialize(
            new SuiteDocument(Format, name, [.. variants.Select(Describe)], [.. sweeps.Select(Describe)]),
            SuiteJson.Default.SuiteDocument) + "\n";

    private static SuiteSweep Describe(UsersSweep sweep) => new(
        sweep.Load.Name, sweep.Parameter, sweep.ComparedUsers, sweep.Best?.Variant.Name, sweep.Best is { } best ? sweep.ValueOf(best) : null);

    private static SuiteVariant Describe(FinishedVariant done) => new(
        done.Variant.Load.Name, done.Variant.Name, done.Folder, done.Document.Verdict, done.Document.Reason, done.Document.ExitCode,
        done.Document.Capacity?.Users, done.Document.Capacity?.IsAtLeast, done.Variant.Parameters.All.ToDictionary(row => row.Name, row => row.Value));
}

/// <summary>The members of the file, in its order.</summary>
internal sealed record SuiteDocument(string Format, string Suite, IReadOnlyList<SuiteVariant> Variants, IReadOnlyList<SuiteSweep> Sweeps);

/// <summary>A ramp of the suite.</summary>
internal sealed record SuiteVariant(string Scenario, string Variant, string Folder, string Verdict, string? Reason, int ExitCode,
    int? Capacity, bool? CapacityIsLeast, Dictionary<string, string> Parameters);

/// <summary>A parameter with several values in the suite: the maximum number of users measured in all ramps, the best ramp and its value.</summary>
internal sealed record SuiteSweep(string Scenario, string Parameter, int? Users, string? Best, string? Value);

/// <summary>Writes the file by code that the build generates.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(SuiteDocument))]
internal sealed partial class SuiteJson : JsonSerializerContext;
