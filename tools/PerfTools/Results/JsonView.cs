using System.Text.Json;
using PerfCommon.Measurement;

namespace PerfTools.Results;

/// <summary>Looks figures up in a role's JSON object by path; what is absent or of another type is null.</summary>
internal readonly struct JsonView(JsonElement? element)
{
    /// <summary>True when the object, or the part of it that was asked for, is there.</summary>
    public bool Exists => element is { ValueKind: JsonValueKind.Object };

    /// <summary>An object inside this one.</summary>
    public JsonView Part(string name) => new(Find(name));

    /// <summary>The objects of an array; none when it is absent.</summary>
    public IReadOnlyList<JsonView> Parts(string name) =>
        Find(name) is { ValueKind: JsonValueKind.Array } found ? [.. found.EnumerateArray().Select(e => new JsonView(e))] : [];

    /// <summary>A number.</summary>
    public double? Number(string name) =>
        Find(name) is { ValueKind: JsonValueKind.Number } found && found.TryGetDouble(out double value) ? value : null;

    /// <summary>A whole number; 0 when it is absent.</summary>
    public long Count(string name) =>
        Find(name) is { ValueKind: JsonValueKind.Number } found && found.TryGetInt64(out long value) ? value : 0;

    /// <summary>True when a member is there and true.</summary>
    public bool IsTrue(string name) => Find(name) is { ValueKind: JsonValueKind.True };

    /// <summary>True when a member is there and false.</summary>
    public bool IsFalse(string name) => Find(name) is { ValueKind: JsonValueKind.False };

    /// <summary>A text; null when it is absent.</summary>
    public string? Text(string name) => Find(name) is { ValueKind: JsonValueKind.String } found ? found.GetString() : null;

    /// <summary>A latency as the tools write it (docs/json-lines.md); default without samples.</summary>
    public LatencyFigures Latency(string name)
    {
        JsonView latency = Part(name);
        return new LatencyFigures
        {
            Count = latency.Count("count"),
            Average = latency.Number("avgMicros") ?? 0,
            Deviation = latency.Number("stdDevMicros") ?? 0,
            Max = latency.Number("maxMicros") ?? 0,
            Min = latency.Number("minMicros") ?? 0,
            P50 = latency.Number("p50Micros") ?? 0,
            P90 = latency.Number("p90Micros") ?? 0,
            P99 = latency.Number("p99Micros") ?? 0,
            P999 = latency.Number("p999Micros") ?? 0,
            P9999 = latency.Number("p9999Micros") ?? 0,
            NegativeCount = latency.Count("negative"),
            OverflowCount = latency.Count("overflow"),
        };
    }

    /// <summary>What the role cost, from its final figures.</summary>
    public RoleFigures Cost() => new(
        Part("resources").Part("coreCpuPercent").Number("avg"),
        Part("resources").Part("memoryMegabytes").Number("max"));

    private JsonElement? Find(string name) =>
        element is { ValueKind: JsonValueKind.Object } parent && parent.TryGetProperty(name, out JsonElement found) ? found : null;
}
