using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace PerfCommon.Tests.Codec;

/// <summary>Normalises the JSON of vectors, so that it can be compared.</summary>
internal static class VectorJson
{
    /// <summary>Texts ("s") become "hex", names become "nameHex".</summary>
    public static JsonNode Normalise(JsonNode node) => node switch
    {
        JsonObject o => new JsonObject(o.Select(Member)),
        JsonArray a => new JsonArray([.. a.Select(n => Normalise(n!))]),
        _ => node.DeepClone(),
    };

    /// <summary>Compares by value; numbers and members in any order, definitions sorted by id.</summary>
    public static bool AreEqual(JsonNode expected, JsonNode actual)
    {
        using JsonDocument left = JsonDocument.Parse(Sorted(expected).ToJsonString());
        using JsonDocument right = JsonDocument.Parse(Sorted(actual).ToJsonString());
        return JsonElement.DeepEquals(left.RootElement, right.RootElement);
    }

    private static KeyValuePair<string, JsonNode?> Member(KeyValuePair<string, JsonNode?> member) => member.Key switch
    {
        "s" => new("hex", ToHex(member.Value!)),
        "name" => new("nameHex", ToHex(member.Value!)),
        _ => new(member.Key, Normalise(member.Value!)),
    };

    private static string ToHex(JsonNode text) => Convert.ToHexStringLower(Encoding.Latin1.GetBytes((string)text!));

    private static JsonNode Sorted(JsonNode node) => node switch
    {
        JsonObject o =>
            new JsonObject(o.Select(m => new KeyValuePair<string, JsonNode?>(m.Key, m.Key == "defs" ? ById(m.Value!) : Sorted(m.Value!)))),
        JsonArray a => new JsonArray([.. a.Select(n => Sorted(n!))]),
        _ => node.DeepClone(),
    };

    private static JsonArray ById(JsonNode definitions) =>
        new([.. definitions.AsArray().OrderBy(d => (int)d!["setId"]!).Select(d => d!.DeepClone())]);
}
