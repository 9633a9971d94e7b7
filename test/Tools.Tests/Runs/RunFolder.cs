using System.Runtime.CompilerServices;
using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>An empty working directory for the programs of one test, gone after it.</summary>
internal sealed class RunFolder : IDisposable
{
    private readonly List<ToolProcess> _processes = [];

    public string Path { get; } = Directory.CreateTempSubdirectory("perftools-run-").FullName;

    /// <summary>Starts a program here.</summary>
    public ToolProcess Start(string tool, string arguments, string redirection = "", string limits = "")
    {
        ToolProcess process = new(tool, arguments, Path, redirection, limits);
        _processes.Add(process);
        return process;
    }

    /// <summary>Starts ProvPerf on a free port and waits until it listens.</summary>
    public ToolProcess StartProvider(string arguments = "", string redirection = "") =>
        Start("ProvPerf", $"-p 0 -jsonFile prov.json {arguments}", redirection);

    /// <summary>Runs ConsPerf against a provider to its end.</summary>
    public ToolProcess RunConsumer(ToolProcess provider, string arguments)
    {
        ToolProcess consumer = StartConsumer(provider, arguments);
        consumer.WaitForExit();
        return consumer;
    }

    public ToolProcess StartConsumer(ToolProcess provider, string arguments, string redirection = "") =>
        Start("ConsPerf", $"-p {provider.Port} -jsonFile cons.json {arguments}", redirection);

    public string PathOf(string file) => System.IO.Path.Combine(Path, file);

    public string Write(string file, string text)
    {
        File.WriteAllText(PathOf(file), text);
        return file;
    }

    /// <summary>Copies a file that lies beside the programs, changed as wanted, under its own name or another.</summary>
    public void Take(string file, Func<string, string>? change = null, string? name = null)
    {
        string text = File.ReadAllText(System.IO.Path.Combine(AppContext.BaseDirectory, file));
        Write(name ?? file, change is null ? text : change(text));
    }

    public string[] Lines(string file)
    {
        string text = File.ReadAllText(PathOf(file));
        Assert.EndsWith("\n", text, StringComparison.Ordinal); // whole to its last line
        return text[..^1].Split('\n');
    }

    /// <summary>The last JSON line, which must be the only final one; every line must parse.</summary>
    public JsonElement Final(string file, [CallerArgumentExpression(nameof(file))] string what = "")
    {
        List<JsonElement> lines = [.. Lines(file).Select(line => JsonDocument.Parse(line).RootElement)];
        Assert.All(lines.SkipLast(1), line => Assert.False(line.GetProperty("final").GetBoolean(), what));
        Assert.True(lines[^1].GetProperty("final").GetBoolean(), what);
        return lines[^1];
    }

    public void Dispose()
    {
        _processes.ForEach(process => process.Dispose());
        Directory.Delete(Path, recursive: true);
    }
}
