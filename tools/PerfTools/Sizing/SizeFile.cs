using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PerfTools.Sizing;

/// <summary>Writes a size as JSON (docs/size.md).</summary>
internal static class SizeFile
{
    // The file is for people and programs, never part of a web page.
    private static readonly SizeJson Json = new(new(SizeJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    public static string CreateText(SizeOptions options, SizeEstimate estimate, IReadOnlyList<SizedGroup> groups, IReadOnlyList<string> leftOut) =>
        JsonSerializer.Serialize(new SizeDocument
        {
            Scenario = estimate.Measured.Scenario,
            Asked = new(options.Rate.Value, estimate.Items, options.Users?.Value, options.Users is null ? null : estimate.UserRate,
                options.Users is null ? null : estimate.Subscriptions, options.Rtt.Seconds * 1_000, options.MaxCpuPercent),
            Roles = [.. estimate.Roles.Select(role => new SizeRoleJson(role.Name, role.Cores, role.Threads, role.Megabytes, role.MegabitsOut))],
            BytesPerMessage = estimate.BytesPerMessage,
            BytesUnderWay = estimate.BytesUnderWay,
            ImageSeconds = estimate.ImageSeconds,
            Deliveries = estimate.Deliveries,
            Notes = [.. estimate.Notes],
            Measured = [.. groups.Select(one => new SizeGroupJson(one.Scenario, one.Inputs, one.Runs, [.. one.Roles.Select(Describe)]))],
            LeftOut = leftOut,
        }, Json.SizeDocument) + "\n";

    private static SizeCostJson Describe(SizedRole role) => new(
        role.Name, role.IdlePercent, role.NanosPerMessage, role.BytesPerMessage, role.BytesPerItem, role.BytesPerUser, role.BytesPerWatcher, role.WorstError);
}

/// <summary>The members of the file, in its order.</summary>
internal sealed record SizeDocument
{
    public string Format { get; init; } = "perftools-size-1";
    public required string Scenario { get; init; }
    public required SizeRequestJson Asked { get; init; }
    public required IReadOnlyList<SizeRoleJson> Roles { get; init; }
    public required double? BytesPerMessage { get; init; }
    public required double? BytesUnderWay { get; init; }
    public required double? ImageSeconds { get; init; }
    public required double Deliveries { get; init; }
    public required IReadOnlyList<string> Notes { get; init; }
    public required IReadOnlyList<SizeGroupJson> Measured { get; init; }
    public required IReadOnlyList<string> LeftOut { get; init; }
}

/// <summary>The load.</summary>
internal sealed record SizeRequestJson(double Rate, double Items, double? Users, double? UserRate, double? Subscriptions, double RttMillis, int MaxCpuPercent);

/// <summary>The resources that a role needs.</summary>
internal sealed record SizeRoleJson(string Name, SizeValue? Cores, int? Threads, SizeValue? Megabytes, double? MegabitsOut);

/// <summary>Runs with the same inputs, and the costs of their roles.</summary>
internal sealed record SizeGroupJson(string Scenario, IReadOnlyDictionary<string, string> Inputs, int Runs, IReadOnlyList<SizeCostJson> Roles);

/// <summary>The costs of a role; null where unknown.</summary>
internal sealed record SizeCostJson(string Name, double? IdlePercent, double? NanosPerMessage, double? BytesPerMessage,
    double? BytesPerItem, double? BytesPerUser,
    double? BytesPerWatcher, double WorstError);

/// <summary>Writes the file by code that the build generates.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(SizeDocument))]
internal sealed partial class SizeJson : JsonSerializerContext;
