using System.Text.Json;

namespace Tools.Tests;

/// <summary>A directory for the files of one run, removed with the test.</summary>
internal sealed class RunDirectory : IDisposable
{
    public RunDirectory() => Directory.CreateDirectory(Path);

    public string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), "perftools-" + Guid.NewGuid().ToString("N"));

    public string File(string name) => System.IO.Path.Combine(Path, name);

    public string Read(string name) => System.IO.File.ReadAllText(File(name));

    /// <summary>The last line of a file of JSON lines.</summary>
    public JsonElement ReadFinal(string name)
    {
        JsonElement final = Parse(System.IO.File.ReadLines(File(name)).Last());
        return final.GetProperty("final").GetBoolean() ? final : throw new InvalidDataException("the last line is not final");
    }

    public JsonElement ReadFirst(string name) => Parse(System.IO.File.ReadLines(File(name)).First());

    public void Dispose() => Directory.Delete(Path, recursive: true);

    private static JsonElement Parse(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.Clone();
    }
}
