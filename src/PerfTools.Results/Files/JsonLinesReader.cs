using System.Text;
using System.Text.Json;
using PerfCommon;

namespace PerfTools.Results.Files;

/// <summary>Reads a role's JSON lines while the role still writes them.</summary>
/// <param name="path">The file, which need not exist yet.</param>
/// <param name="beginning">A file with the beginning of it, which is read until then; null for none.</param>
internal sealed class JsonLinesReader(string path, string? beginning = null)
{
    private long _position; // of the first line that was not read completely
    private JsonElement? _final;

    /// <summary>The last object read; null before the first.</summary>
    public JsonElement? Last { get; private set; }

    /// <summary>The object with every figure of the run; null before it was written, and while there is only the beginning.</summary>
    public JsonElement? Final => beginning is null || ResultFile.IsThere(path) ? _final : null;

    /// <summary>Reads the file of a run that has ended, to its last complete line.</summary>
    /// <param name="findProblem">Finds the error in a line, as the end of a sentence; null for none.</param>
    /// <returns>Its objects, in order; none where there is no file.</returns>
    /// <exception cref="SetupException">It cannot be read, or a line is no JSON object of a role (exit code 3).</exception>
    public IReadOnlyList<JsonElement> ReadWhole(Func<JsonElement, string?>? findProblem = null)
    {
        if (!ResultFile.IsThere(path))
            return [];
        List<JsonElement> found = [];
        int number = 0;
        foreach (string line in ResultFile.ReadLines(path, isWhole: true))
        {
            number++;
            if (line.Length == 0)
                continue;
            if (TryParse(line) is not { } value)
                throw ResultFile.Malformed(path, number, "no JSON object");
            if ((ResultNumbers.FindProblem(value) ?? findProblem?.Invoke(value)) is { } problem)
                throw ResultFile.Malformed(path, number, problem);
            found.Add(value);
        }

        return Keep(found);
    }

    /// <summary>Reads the lines that were completed since the last call; one that is no JSON object is skipped.</summary>
    /// <returns>Their objects, in order.</returns>
    /// <exception cref="SetupException">The file cannot be read (exit code 3).</exception>
    public IReadOnlyList<JsonElement> ReadNew()
    {
        return Keep([.. ReadLines().Select(TryParse).OfType<JsonElement>()]);
    }

    private List<JsonElement> Keep(List<JsonElement> found)
    {
        Last = found is [.., JsonElement last] ? last : Last;
        _final = found.FindLast(e => new JsonView(e).IsTrue("final")) is { ValueKind: JsonValueKind.Object } final ? final : _final;
        return found;
    }

    private string[] ReadLines()
    {
        ReadOnlySpan<byte> whole = ResultFile.IsThere(path) ? ResultFile.ReadChunk(path, _position) : ReadBeginning();
        whole = whole[..(whole.LastIndexOf((byte)'\n') + 1)];
        _position += whole.Length;
        return Encoding.UTF8.GetString(whole).Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    // It goes when the whole file comes.
    private byte[] ReadBeginning()
    {
        try
        {
            return beginning is not null && ResultFile.IsThere(beginning) ? ResultFile.ReadChunk(beginning, _position) : [];
        }
        catch (SetupException)
        {
            return [];
        }
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
