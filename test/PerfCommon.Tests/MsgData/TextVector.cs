using System.Text.Json;

namespace PerfCommon.Tests.MsgData;

/// <summary>One text of the string vectors and its value in the reference edition.</summary>
public sealed record TextVector(string Type, string Text, string Result, JsonElement Members)
{
    private static readonly Dictionary<string, TextVector> All = ReadAll();

    public static IEnumerable<string> Names => All.Keys;

    public static TextVector Of(string name) => All[name];

    public string? Find(string member) =>
        Members.TryGetProperty(member, out JsonElement value) ? value.ToString() : null;

    // The files are found by their content: lists of entries with a text and a result.
    private static Dictionary<string, TextVector> ReadAll()
    {
        Dictionary<string, TextVector> found = [];
        foreach (string file in VectorFiles.Discover("rwf"))
        {
            using JsonDocument document = JsonDocument.Parse(File.ReadAllText(file));
            if (document.RootElement.ValueKind != JsonValueKind.Array)
                continue;

            foreach (JsonElement entry in document.RootElement.EnumerateArray())
            {
                if (entry.ValueKind == JsonValueKind.Object && entry.TryGetProperty("text", out JsonElement text)
                    && entry.TryGetProperty("result", out JsonElement result) && entry.TryGetProperty("type", out JsonElement type))
                {
                    string name = entry.TryGetProperty("name", out JsonElement given) ? given.GetString()! : $"{type} '{text}'";
                    found[name] = new TextVector(type.GetString()!, text.GetString()!, result.GetString()!, entry.Clone());
                }
            }
        }

        return found;
    }
}
