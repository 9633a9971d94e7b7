using System.Runtime.CompilerServices;
using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>An empty working directory for the programs of one test, deleted after it.</summary>
internal sealed class RunFolder : IDisposable
{
    private readonly List<RunningTool> _running = [];

    public string Path { get; } = Directory.CreateTempSubdirectory("perftools-run-").FullName;

    /// <summary>Runs a program here, on a thread of the tests; as a process where the programs of another folder are tested.</summary>
    public RunningTool Start(string tool, string arguments) =>
        ToolProcess.OtherFolder is null ? Keep(new ToolThread(tool, arguments, Path)) : StartProcess(tool, arguments);

    /// <summary>Starts a program here as a separate process: for tests of signals, kills, redirections, or its resources.</summary>
    public ToolProcess StartProcess(string tool, string arguments, string redirection = "", string limits = "") =>
        Keep(new ToolProcess(tool, arguments, Path, redirection, limits));

    /// <summary>Starts a program here as a process of the framework, whichever form the others have; what it starts has the same form.</summary>
    public ToolProcess StartOfFramework(string tool, string arguments) => Keep(new ToolProcess(tool, arguments, Path, "", "", isOfFramework: true));

    /// <summary>Starts ProvPerf on a free port.</summary>
    public RunningTool StartProvider(string arguments = "") => Start("ProvPerf", ProviderLine(arguments));

    public ToolProcess StartProviderProcess(string arguments = "") => StartProcess("ProvPerf", ProviderLine(arguments));

    /// <summary>Runs ConsPerf against a provider to its end.</summary>
    public RunningTool RunConsumer(RunningTool provider, string arguments)
    {
        RunningTool consumer = StartConsumer(provider, arguments);
        consumer.WaitForExit();
        return consumer;
    }

    /// <summary>Runs ConsPerf against a provider until it is in its steady state, and ends it then, however slow the machine.</summary>
    public RunningTool RunSteadily(RunningTool provider, string arguments)
    {
        RunningTool consumer = StartConsumer(provider, $"-steadyStateTime 600 -writeStatsInterval 1 {arguments}");
        consumer.WaitForSteadyState();
        End(consumer);
        return consumer;
    }

    /// <summary>Ends programs by SIGTERM, one after the other.</summary>
    public static void End(params RunningTool[] inOrder)
    {
        foreach (RunningTool tool in inOrder)
        {
            tool.Signal(RunningTool.Terminate);
            tool.ExpectExit(143, "SIGTERM");
        }
    }

    public RunningTool StartConsumer(RunningTool provider, string arguments) => Start("ConsPerf", ConsumerLine(provider, arguments));

    public ToolProcess StartConsumerProcess(RunningTool provider, string arguments, string redirection = "") =>
        StartProcess("ConsPerf", ConsumerLine(provider, arguments), redirection);

    public string PathOf(string file) => System.IO.Path.Combine(Path, file);

    public string Write(string file, string text)
    {
        File.WriteAllText(PathOf(file), text);
        return file;
    }

    /// <summary>Copies a file from the folder of the programs, with a change if any, under its own name or another.</summary>
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
        _running.ForEach(tool => tool.Dispose());
        Directory.Delete(Path, recursive: true);
    }

    private static string ProviderLine(string arguments) => $"-p 0 -jsonFile prov.json {arguments}";

    private static string ConsumerLine(RunningTool provider, string arguments) => $"-p {provider.Port} -jsonFile cons.json {arguments}";

    private T Keep<T>(T tool)
        where T : RunningTool
    {
        _running.Add(tool);
        return tool;
    }
}
