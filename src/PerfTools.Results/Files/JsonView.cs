using System.Text.Json;

namespace PerfTools.Results.Files;

/// <summary>Finds figures in a JSON object by path; absent ones and those of another type are null.</summary>
/// <remarks>A path is the names joined by dots, as in <c>overall.counts.updatesSent</c>.</remarks>
internal readonly struct JsonView(JsonElement? element)
{
    /// <summary>True when the object, or the requested part of it, exists.</summary>
    public bool Exists => element is { ValueKind: JsonValueKind.Object };

    public JsonView Part(string path) => new(Find(path));

    /// <summary>Returns the objects of an array; none when it is absent.</summary>
    public IReadOnlyList<JsonView> Parts(string path) =>
        Find(path) is { ValueKind: JsonValueKind.Array } found ? [.. found.EnumerateArray().Select(e => new JsonView(e))] : [];

    /// <summary>Returns the numbers of an array; none when it is absent.</summary>
    public IReadOnlyList<double> Numbers(string path) =>
        Find(path) is { ValueKind: JsonValueKind.Array } found
            ? [.. found.EnumerateArray().Where(e => e.ValueKind == JsonValueKind.Number).Select(e => e.GetDouble())] : [];

    public double? Number(string path) =>
        Find(path) is { ValueKind: JsonValueKind.Number } found && found.TryGetDouble(out double value) && double.IsFinite(value) ? value : null;

    /// <summary>Returns a whole number; 0 when it is absent.</summary>
    public long Count(string path) => Whole(path) ?? 0;

    /// <summary>Returns a whole number; null when it is absent.</summary>
    public long? Whole(string path) =>
        Find(path) is { ValueKind: JsonValueKind.Number } found && found.TryGetInt64(out long value) ? value : null;

    public bool IsTrue(string path) => Find(path) is { ValueKind: JsonValueKind.True };

    /// <summary>True when a member exists and is false.</summary>
    public bool IsFalse(string path) => Find(path) is { ValueKind: JsonValueKind.False };

    public string? Text(string path) => Find(path) is { ValueKind: JsonValueKind.String } found ? found.GetString() : null;

    // The tools' names have no dots.
    private JsonElement? Find(string path)
    {
        if (element is not { } found)
            return null;
        foreach (string name in path.Split('.'))
        {
            if (found.ValueKind != JsonValueKind.Object || !found.TryGetProperty(name, out found))
                return null;
        }

        return found;
    }
}
