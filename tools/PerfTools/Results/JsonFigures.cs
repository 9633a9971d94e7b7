using System.Text.Json;

namespace PerfTools.Results;

/// <summary>Looks figures up in a role's JSON object by path; what is absent or of another type is null.</summary>
internal readonly struct JsonFigures(JsonElement? element)
{
    /// <summary>True when the object, or the part of it that was asked for, is there.</summary>
    public bool Exists => element is { ValueKind: JsonValueKind.Object };

    /// <summary>An object inside this one.</summary>
    public JsonFigures Part(string name) => new(Find(name));

    /// <summary>A number.</summary>
    public double? Number(string name) =>
        Find(name) is { ValueKind: JsonValueKind.Number } found && found.TryGetDouble(out double value) ? value : null;

    /// <summary>A whole number; 0 when it is absent.</summary>
    public long Count(string name) =>
        Find(name) is { ValueKind: JsonValueKind.Number } found && found.TryGetInt64(out long value) ? value : 0;

    private JsonElement? Find(string name) =>
        element is { ValueKind: JsonValueKind.Object } parent && parent.TryGetProperty(name, out JsonElement found) ? found : null;
}
