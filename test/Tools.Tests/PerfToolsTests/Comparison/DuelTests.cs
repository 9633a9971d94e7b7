using System.Text.Json;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

/// <summary><c>perftools duel</c> and <c>run --repeat</c>, with roles that are shell scripts.</summary>
public sealed class DuelTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly RunSignals _signals = new();
    private readonly RunHost _host;
    private readonly ScenarioOptions _options;

    public DuelTests()
    {
        _host = new(new RunConsole(_output), _signals);
        _options = new() { Rate = 4_000, Out = _folder.PathOf("all") };
    }

    [Fact]
    public void Duel_OfTwoConfigurations_RunsThemInterleavedAndCompares()
    {
        DuelOptions duel = new()
        {
            Pairs = 3,
            A = new("A", "--items 100"),
            B = new("B", "-highWaterMark 6144"),
            Limits = ChangeLimit.TryParseList("cpu>+10%")!
        };
        RunOutcome outcome = new DuelVerb(_error) { CreateCommand = RoleScripts.CommandsIn(_folder.FullPath) }
            .Run(DirectScenario.Direct, _options with { Outputs = new() { Json = "-" } }, duel, _host);

        Assert.Equal((ExitCode.AssertionMissed, "duel: cpu>+10%: cpu is +36.4 % (worse, noise 0.0 %)"), (outcome.Code, outcome.Reason));
        Assert.Equal(
            ["B warm-up", "A warm-up", "A 1", "B 1", "B 2", "A 2", "A 3", "B 3"],
            $"{_error}".Split('\n').Where(line =>
                line.StartsWith("  ", StringComparison.Ordinal) && line.Contains("/s ", StringComparison.Ordinal)).Select(line =>
                line[2..12].Trim()));
        using JsonDocument json = JsonDocument.Parse($"{_output}");
        Assert.Equal(("worse", "--items 100"),
            (json.RootElement.GetProperty("verdict").GetString(), json.RootElement.GetProperty("a").GetProperty("from").GetString()));
        Assert.Empty(json.RootElement.GetProperty("differences").EnumerateArray());
        Assert.Equal($"{_output}", File.ReadAllText(_folder.PathOf("all/comparison.json")));
        Assert.All((string[])["comparison.md", "comparison.html", "a/run-3/report.html", "warm-up/b/run.json"],
            file => Assert.True(File.Exists(_folder.PathOf($"all/{file}")), file));
        Assert.Equal(100, RunFile.Read(_folder.PathOf("all/a/run-1/run.json")).Inputs["items"].GetInt32());
    }

    // Both sides, and every run of each, concern the same processors.
    [Fact]
    public void Duel_BoundWithTooFewProcessors_SaysItOnce()
    {
        new DuelVerb(_error) { CreateCommand = RoleScripts.CommandsIn(_folder.FullPath) }
            .Run(DirectScenario.Direct, _options with { BindsWorkers = true, Threads = 8 }, new() { Pairs = 2 }, _host);
        Assert.Equal(UsableProcessors.Find().Count < 16 ? 1 : 0,
            $"{_output}".Split('\n').Count(line => line.StartsWith("Warning: --bind auto: 16 workers need a processor each, ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Duel_RunFails_EndsWithItsExitCode()
    {
        DuelVerb verb = new(_error) { CreateCommand = (role, _) => new(role.Title, "/bin/sh", ["-c", "echo wrong >&2; exit 2"]) };
        RunOutcome outcome = verb.Run(DirectScenario.Direct, _options, new(), _host);
        Assert.Equal((ExitCode.CommandLine, "duel: B: run direct: ProvPerf ended before it listened with exit code 2: wrong"),
            (outcome.Code, outcome.Reason));
    }

    [Fact]
    public void Run_Repeated_LeavesAFolderEachAndSaysWhatTheyComeToTogether()
    {
        Directory.CreateDirectory(_folder.PathOf("all/run-9"));
        File.WriteAllText(_folder.PathOf("all/run-9/run.json"), "of earlier");
        ScenarioOptions options = _options with
        {
            Repeat = 2,
            Outputs = new() { Json = "-", Markdown = _folder.PathOf("m.md"), JUnit = _folder.PathOf("j.xml") }
        };
        RunOutcome outcome = new RunVerb(null,
            _error)
        { CreateCommand = RoleScripts.CommandsIn(_folder.FullPath) }.Run(DirectScenario.Direct, options, _host);

        Assert.Equal(ExitCode.Success, outcome.Code);
        Assert.Equal(["all/run-1/run.json", "all/run-2/run.json"],
            Directory.GetFiles(_folder.PathOf("all"), "run.json",
                SearchOption.AllDirectories).Order().Select(path => Path.GetRelativePath(_folder.FullPath, path)));
        Assert.Equal(File.ReadAllText(_folder.PathOf("all/run-1/run.json")) + File.ReadAllText(_folder.PathOf("all/run-2/run.json")),
            $"{_output}");
        Assert.Matches(@"Together, 2 runs .*\n    rate, messages/s +4,000   \+-0\.0 %\n", $"{_error}");
        Assert.Contains("| 2 runs together |", File.ReadAllText(_folder.PathOf("m.md")), StringComparison.Ordinal);
        Assert.Contains("<testsuite name=\"perftools run direct\" tests=\"2\" failures=\"0\"", File.ReadAllText(_folder.PathOf("j.xml")),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Run_OfSeveralConfigurations_WritesEachIntoTheSameFiles()
    {
        Scenario scenario = DirectScenario.Direct with
        {
            Series = new(_ => 2, "", (options, _, one, _) =>
            {
                one(options with { Out = _folder.PathOf("all/udp") });
                return one(options with { Out = _folder.PathOf("all/tcp"), Repeat = 2 })!;
            }),
        };
        ResultOutputs outputs = new() { Json = "-", Markdown = _folder.PathOf("m.md"), JUnit = _folder.PathOf("j.xml") };
        ScenarioOptions asked = _options with { Outputs = outputs };
        Assert.Equal(ExitCode.Success, new RunVerb(null, _error) { CreateCommand = RoleScripts.CommandsIn(_folder.FullPath) }
            .Run(scenario, asked, _host).Code);

        Assert.Equal(string.Concat(((string[])["udp", "tcp/run-1", "tcp/run-2"])
            .Select(name => File.ReadAllText(_folder.PathOf($"all/{name}/run.json")))), $"{_output}");
        string[] verdicts = [.. File.ReadLines(_folder.PathOf("m.md")).Where(line => line.Contains("**OK**", StringComparison.Ordinal))];
        Assert.Equal(["udp: ", "tcp/run-1: ", "tcp/run-2: "], verdicts.Select(line => line[..line.IndexOf('*', StringComparison.Ordinal)]));
        string cases = File.ReadAllText(_folder.PathOf("j.xml"));
        Assert.All((string[])["udp: verdict", "tcp/run-1: verdict", "tcp/run-2: verdict"],
            name => Assert.Contains($"\"{name}\"", cases, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("", 5_000, "")]
    [InlineData("--rate 7000 --pack 3", 7_000, "")]
    [InlineData("--prov '-threads 2'", 5_000, "-threads 2")]
    [InlineData("-outputBufs 50 -reactor", 5_000, "-outputBufs 50 -reactor")]
    public void Read_OptionsOfASide_AreThoseOfTheRunOrOfTheSender(string text, int rate, string sender)
    {
        ScenarioOptions options = new DuelSide("A", text).Read(DirectScenario.Direct, new() { Rate = 5_000 }).Options!;
        Assert.Equal((rate, sender), (options.Rate, string.Join(' ', options.ArgumentsOf("provider"))));
    }

    [Theory]
    [InlineData("--rate x", "--a: --rate: 'x' is not a whole number")]
    [InlineData("--latency-rate 9000", "--a: --latency-rate must not exceed --rate")]
    [InlineData("'x", "--a: ''x' is not a list of options with every quote closed")]
    [InlineData("-jsonFile x", "--a: -jsonFile belongs to the run and cannot be given to a role")]
    public void Read_WrongOptionsOfASide_AreRefused(string text, string problem) =>
        Assert.Equal(problem, new DuelSide("A", text).Read(DirectScenario.Direct, new() { Rate = 5_000 }).Problem);

    [Theory]
    [InlineData("", null, null, "no options")]
    [InlineData("x", null, null, "x")]
    [InlineData("", "consumer=\"c\"", null, "consumer=\"c\"")]
    [InlineData("--pack 3", "consumer=\"c\"", "old", "--pack 3, consumer=\"c\", tools of old")]
    [InlineData("", null, "old", "no options, tools of old")]
    public void Shown_OfASide_NamesItsOptionsProgramsAndTheirFolder(string text, string? tool, string? folder, string expected) =>
        Assert.Equal(expected, new DuelSide("A", text, folder) { Tools = tool is null ? [] : [tool] }.Shown);

    [Fact]
    public void Read_FolderWithoutThePrograms_IsRefused()
    {
        string missing = _folder.PathOf("none");
        string problem = new DuelSide("B", "", missing).Read(DirectScenario.Direct, new()).Problem!;
        Assert.StartsWith("--b-tools: ", problem, StringComparison.Ordinal);
        Assert.Contains(missing, problem, StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _signals.Dispose();
        _output.Dispose();
        _error.Dispose();
        _folder.Dispose();
    }
}

/// <summary>A provider and a consumer that write their final figures and end; with a high-water mark the provider costs more.</summary>
internal static class RoleScripts
{
    public static Func<Role, IReadOnlyList<string>, RoleCommand> CommandsIn(string folder) => (role, arguments) =>
    {
        int at = arguments.ToList().IndexOf("-jsonFile");
        int cpu = arguments.Contains("-highWaterMark") ? 10 : 6;
        Assert.StartsWith(folder, arguments[at + 1], StringComparison.Ordinal);
        return new(role.Title, "/bin/sh", ["-c", role.Name == RoleNames.Provider
            ? $"echo 'Listening on port 4711'; cat; echo '{Provider(cpu)}' > '{arguments[at + 1]}'; exit 143"
            : $"echo '{Consumer}' > '{arguments[at + 1]}'"]);
    };

    private const string Consumer =
        """{"final":true,"overall":{"steady":{"seconds":1,"updateRate":4000},"imageRetrieval":{"items":10,"seconds":0.01},"counts":{"requestsSent":10,"refreshesReceived":10,"updatesReceived":5000}},"resources":{"coreCpuPercent":{"avg":5},"memoryMegabytes":{"max":50}}}""";

    private static string Provider(int cpu) =>
        $$$"""{"final":true,"overall":{"counts":{"requestsReceived":10,"imagesSent":10,"updatesSent":5000}},"resources":{"coreCpuPercent":{"avg":{{{cpu}}} },"memoryMegabytes":{"max":60} } }""";
}
