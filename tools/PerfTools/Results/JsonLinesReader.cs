using System.Text;
using System.Text.Json;

namespace PerfTools.Results;

/// <summary>Reads a role's JSON lines while the role still writes them.</summary>
internal sealed class JsonLinesReader(string path)
{
    private readonly StringBuilder _unfinished = new();
    private readonly Decoder _decoder = Encoding.UTF8.GetDecoder();
    private long _position;

    /// <summary>The last object read; null before the first.</summary>
    public JsonElement? Last { get; private set; }

    /// <summary>The object with every figure of the run; null before it was written.</summary>
    public JsonElement? Final { get; private set; }

    /// <summary>Lines that are no JSON object.</summary>
    public int DamagedLines { get; private set; }

    /// <summary>Takes the lines that were completed since the last call.</summary>
    /// <returns>Their objects, in order.</returns>
    public IReadOnlyList<JsonElement> ReadNew()
    {
        string[] lines = _unfinished.Append(ReadAppended()).ToString().Split('\n');
        _unfinished.Clear().Append(lines[^1]);
        List<JsonElement> found = [];
        foreach (string line in lines.SkipLast(1).Where(l => !string.IsNullOrWhiteSpace(l)))
        {
            if (TryParse(line) is { } element)
                found.Add(element);
            else
                DamagedLines++;
        }

        Last = found is [.., JsonElement last] ? last : Last;
        Final = found.FindLast(e => new JsonView(e).IsTrue("final")) is { ValueKind: JsonValueKind.Object } final ? final : Final;
        return found;
    }

    private string ReadAppended()
    {
        if (!File.Exists(path))
            return "";
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        file.Seek(_position, SeekOrigin.Begin);
        using MemoryStream bytes = new();
        file.CopyTo(bytes);
        _position += bytes.Length;
        char[] chars = new char[_decoder.GetCharCount(bytes.GetBuffer(), 0, (int)bytes.Length)];
        _decoder.GetChars(bytes.GetBuffer(), 0, (int)bytes.Length, chars, 0);
        return new string(chars);
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
