using System.Globalization;
using System.Text.Json;
using LatencyPerf.Options;

namespace LatencyPerf.Results;

/// <summary>The conditions that two tests must have in common for their figures to be compared.</summary>
internal sealed record TestConditions
{
    private readonly (string Name, string Value)[] _all;

    private TestConditions(IEnumerable<(string, string)> all) => _all = [.. all];

    public static TestConditions Of(LatencyPerfOptions options) => new(
    [
        ("transport", options.Transport.Name + (options.Connection.UsesTls ? ", encrypted" : "")),
        ("reliable", options.UsesStrictDelivery ? "yes" : "no"),
        ("group", options.Group is null ? "no" : "yes"),
        ("busyRead", options.BusyRead ? "yes" : "no"),
        ("spinMicros", options.SpinMicros.ToString(CultureInfo.InvariantCulture)),
        ("intervalMicros", options.IntervalMicros.ToString(CultureInfo.InvariantCulture)),
        ("machine", Environment.MachineName),
    ]);

    /// <summary>Reads the member <c>conditions</c> of a final line; missing values are empty.</summary>
    public static TestConditions Read(JsonElement conditions, TestConditions like) => new(like._all.Select(one =>
        (one.Name, conditions.ValueKind == JsonValueKind.Object && conditions.TryGetProperty(one.Name, out JsonElement value)
            ? value.ToString() : "")));

    /// <summary>Writes them as an object.</summary>
    public void Write(Utf8JsonWriter json, string member)
    {
        json.WriteStartObject(member);
        foreach ((string name, string value) in _all)
            json.WriteString(name, value);
        json.WriteEndObject();
    }

    /// <summary>Finds the first difference, as the end of a sentence; null when all are equal.</summary>
    public string? FindDifference(TestConditions there)
    {
        foreach (((string name, string here), (_, string other)) in _all.Zip(there._all))
        {
            if (here != other)
                return $"{name} is {(other.Length == 0 ? "(none)" : other)} there and {here} here";
        }

        return null;
    }
}
