using System.Buffers;
using System.Text.Json;

namespace PerfCommon.Measurement;

/// <summary>The catalogue of a role's figures: the member <c>catalogue</c> of its final JSON line (docs/json-lines.md).</summary>
internal static class FigureCatalogue
{
    /// <summary>The version that is written and read; members may be added without a new one.</summary>
    public const int Version = 1;

    private const int MaxFigures = 10_000;
    private const string Member = "catalogue";
    private const string VersionMember = "version";
    private const string FiguresMember = "figures";

    /// <summary>Writes the member.</summary>
    /// <param name="json">The line, in its outermost object.</param>
    /// <param name="figures">An entry for each figure, in the order in which people read them; each name once.</param>
    public static void Write(Utf8JsonWriter json, IEnumerable<FigureFacts> figures)
    {
        json.WriteStartObject(Member);
        json.WriteNumber(VersionMember, Version);
        json.WriteStartArray(FiguresMember);
        foreach (FigureFacts facts in figures)
            facts.Write(json);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Returns a final line without the member, for a caller that has read it.</summary>
    public static JsonElement? Without(JsonElement? line)
    {
        if (line is not { ValueKind: JsonValueKind.Object } whole || !whole.TryGetProperty(Member, out _))
            return line;
        ArrayBufferWriter<byte> bytes = new();
        using (Utf8JsonWriter json = new(bytes))
        {
            json.WriteStartObject();
            foreach (JsonProperty member in whole.EnumerateObject().Where(member => !member.NameEquals(Member)))
                member.WriteTo(json);
            json.WriteEndObject();
        }

        return JsonElement.Parse(bytes.WrittenSpan);
    }

    /// <summary>Reads the member from a final line; empty for a line of 0.16 and before, which lacks it, and for an unknown version.</summary>
    /// <remarks>An entry that cannot be read is omitted, as is one whose name occurred before: a line may be from another program.</remarks>
    public static IReadOnlyList<FigureFacts> Read(JsonElement line)
    {
        if (line.ValueKind != JsonValueKind.Object || !line.TryGetProperty(Member, out JsonElement catalogue)
            || catalogue.ValueKind != JsonValueKind.Object
            || !catalogue.TryGetProperty(VersionMember, out JsonElement version) || version.ValueKind != JsonValueKind.Number
            || !version.TryGetInt32(out int number) || number != Version
            || !catalogue.TryGetProperty(FiguresMember, out JsonElement figures) || figures.ValueKind != JsonValueKind.Array)
        {
            return [];
        }

        return [.. figures.EnumerateArray().Take(MaxFigures).Select(FigureFacts.TryRead).OfType<FigureFacts>().DistinctBy(facts => facts.Name)];
    }
}
