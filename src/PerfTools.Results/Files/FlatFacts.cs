using System.Globalization;
using System.Text.Json;

namespace PerfTools.Results.Files;

/// <summary>Converts a JSON value to names and texts: objects are joined by dots, lists by blanks, empty values are left out.</summary>
internal static class FlatFacts
{
    public static IEnumerable<(string Name, string Text)> Of(string name, JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                return value.EnumerateObject().SelectMany(member =>
                    Of(name.Length == 0 ? member.Name : $"{name}.{member.Name}", member.Value));
            case JsonValueKind.Array:
                string list = string.Join(' ', value.EnumerateArray().Select(element => element.ToString()));
                return list.Length == 0 ? [] : [(name, list)];
            case JsonValueKind.Null:
                return [];
            default:
                return [(name, TextOf(value))];
        }
    }

    private static string TextOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.Number => value.GetDouble().ToString("0.##", CultureInfo.InvariantCulture),
        _ => value.GetRawText(),
    };
}
