using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>The part of JSON Schema that docs/run.schema.json uses; a word that it does not know is an error.</summary>
internal sealed class JsonSchema(JsonElement root)
{
    private static readonly string[] Ignored = ["$schema", "$id", "$defs", "title", "description"];

    public static JsonSchema Load(string path)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(path));
        return new(document.RootElement.Clone());
    }

    /// <summary>What is wrong with a document, each with its place; none when it is as the schema says.</summary>
    public IReadOnlyList<string> FindProblems(JsonElement document) => [.. Check(root, document, "$")];

    private IEnumerable<string> Check(JsonElement schema, JsonElement value, string place) =>
        schema.ValueKind == JsonValueKind.False ? [$"{place}: not allowed"]
            : schema.EnumerateObject().Where(word => !Ignored.Contains(word.Name)).SelectMany(word => Check(word, schema, value, place));

    private IEnumerable<string> Check(JsonProperty word, JsonElement schema, JsonElement value, string place)
    {
        switch (word.Name)
        {
            case "$ref":
                return Check(root.GetProperty("$defs").GetProperty(word.Value.GetString()!.Split('/')[^1]), value, place);
            case "anyOf":
                return word.Value.EnumerateArray().Any(one => !Check(one, value, place).Any()) ? [] : [$"{place}: none of anyOf"];
            case "properties":
                return Members(value).Where(member => word.Value.TryGetProperty(member.Name, out _))
                    .SelectMany(member => Check(word.Value.GetProperty(member.Name), member.Value, $"{place}.{member.Name}"));
            case "additionalProperties":
                return Members(value).Where(member =>
                    !schema.TryGetProperty("properties", out JsonElement known) || !known.TryGetProperty(member.Name, out _))
                    .SelectMany(member => Check(word.Value, member.Value, $"{place}.{member.Name}"));
            case "items":
                return value.ValueKind != JsonValueKind.Array
                    ? [] : value.EnumerateArray().SelectMany((item, i) => Check(word.Value, item, $"{place}[{i}]"));
            default:
                return IsKept(word, value) ? [] : [$"{place}: {word.Name} {word.Value.GetRawText()}, found {Cut(value.GetRawText())}"];
        }
    }

    private static bool IsKept(JsonProperty word, JsonElement value) => word.Name switch
    {
        "type" => Types(word.Value).Any(type => IsOf(type, value)),
        "required" =>
            value.ValueKind != JsonValueKind.Object
            || word.Value.EnumerateArray().All(name => value.TryGetProperty(name.GetString()!, out _)),
        "const" => JsonElement.DeepEquals(word.Value, value),
        "enum" => word.Value.EnumerateArray().Any(one => JsonElement.DeepEquals(one, value)),
        "minimum" => value.ValueKind != JsonValueKind.Number || value.GetDouble() >= word.Value.GetDouble(),
        "maximum" => value.ValueKind != JsonValueKind.Number || value.GetDouble() <= word.Value.GetDouble(),
        "pattern" => value.ValueKind != JsonValueKind.String
            || Regex.IsMatch(value.GetString()!, word.Value.GetString()!, RegexOptions.CultureInvariant),
        _ => throw new NotSupportedException(word.Name),
    };

    private static IEnumerable<string> Types(JsonElement word) =>
        word.ValueKind == JsonValueKind.Array ? word.EnumerateArray().Select(type => type.GetString()!) : [word.GetString()!];

    private static bool IsOf(string type, JsonElement value) => type switch
    {
        "object" => value.ValueKind == JsonValueKind.Object,
        "array" => value.ValueKind == JsonValueKind.Array,
        "string" => value.ValueKind == JsonValueKind.String,
        "boolean" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
        "null" => value.ValueKind == JsonValueKind.Null,
        "number" => value.ValueKind == JsonValueKind.Number,
        "integer" => value.ValueKind == JsonValueKind.Number
            && decimal.TryParse(value.GetRawText(), NumberStyles.Float, CultureInfo.InvariantCulture, out decimal number)
            && number == Math.Truncate(number),
        _ => throw new NotSupportedException(type),
    };

    private static JsonElement.ObjectEnumerator Members(JsonElement value) =>
        value.ValueKind == JsonValueKind.Object ? value.EnumerateObject() : default;

    private static string Cut(string text) => text.Length <= 60 ? text : text[..60] + "...";
}
