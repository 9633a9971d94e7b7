using System.Text;
using System.Text.Json;

namespace PerfTools.Results;

/// <summary>Reads a role's JSON lines while the role still writes them.</summary>
internal sealed class JsonLinesReader(string path)
{
    private long _position; // of the first line that was not read whole

    /// <summary>The last object read; null before the first.</summary>
    public JsonElement? Last { get; private set; }

    /// <summary>The object with every figure of the run; null before it was written.</summary>
    public JsonElement? Final { get; private set; }

    /// <summary>Takes the lines that were completed since the last call; one that is no JSON object is passed over.</summary>
    /// <returns>Their objects, in order.</returns>
    public IReadOnlyList<JsonElement> ReadNew()
    {
        List<JsonElement> found = [.. ReadLines().Select(TryParse).OfType<JsonElement>()];
        Last = found is [.., JsonElement last] ? last : Last;
        Final = found.FindLast(e => new JsonView(e).IsTrue("final")) is { ValueKind: JsonValueKind.Object } final ? final : Final;
        return found;
    }

    private string[] ReadLines()
    {
        if (!File.Exists(path))
            return [];
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        file.Seek(_position, SeekOrigin.Begin);
        using MemoryStream appended = new();
        file.CopyTo(appended);
        ReadOnlySpan<byte> whole = appended.GetBuffer().AsSpan(0, (int)appended.Length);
        whole = whole[..(whole.LastIndexOf((byte)'\n') + 1)];
        _position += whole.Length;
        return Encoding.UTF8.GetString(whole).Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    private static JsonElement? TryParse(string line)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(line);
            return document.RootElement.ValueKind == JsonValueKind.Object ? document.RootElement.Clone() : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
