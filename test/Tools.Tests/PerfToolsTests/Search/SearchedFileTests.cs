using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Search;
using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary><c>perftools search my.json</c>.</summary>
public sealed class SearchedFileTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public void Dispose()
    {
        _folder.Dispose();
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void Read_OneRun_HasItsOptionsAndItsThresholds()
    {
        SearchedScenario file = Read("""
            { "name": "mine", "scenario": "hub-direct", "options": { "items": 70, "pack": 3 },
              "roles": { "hub": { "arguments": ["-sessionThreads", "2"] }, "consumer": { "external": true } },
              "assert": ["p99<2ms", "hub.counts.updatesDropped<1"] }
            """);
        ScenarioOptions options = file.Options.Parse([]).Options!;
        Assert.Equal(("mine", "hub-direct", 70, 3, 5, true, 0), (file.Name, file.Scenario.Name, options.Items, options.Pack, options.Seconds, options.StampsDue,
            options.Thresholds.Count));
        Assert.Equal(["-sessionThreads", "2"], options.ArgumentsOf("hub"));
        Assert.True(options.External.ContainsKey("consumer"));
        Assert.Equal("p99<2ms, hub.counts.updatesDropped<1", file.SearchTable.Parse([]).Options!.UntilText);
        Assert.Null(file.SearchTable.Parse([]).Options!.FindProblem(file.Scenario, options));
    }

    [Fact]
    public void Read_CommandLine_WinsOverTheFile()
    {
        SearchedScenario file = Read("""{ "scenario": "direct", "options": { "items": 70, "seconds": 3, "stamp": "sent" }, "assert": ["p99<2ms"] }""");
        ScenarioOptions options = file.Options.Parse(["--items", "80"]).Options!;
        Assert.Equal((80, 3, false), (options.Items, options.Seconds, options.StampsDue));
        Assert.Equal("p50<3ms", file.SearchTable.Parse(["--until", "p50<3ms"]).Options!.UntilText);
        Assert.Equal(SearchOptions.UsualUntil, string.Join(',', Read("""{ "scenario": "direct" }""").SearchTable.Defaults.Until));
        Assert.Equal("size", Read("""{ "scenario": "roundtrip" }""").SearchTable.Defaults.Over.Name);
    }

    [Fact]
    public void Read_LoadOfUsers_HasItsOptionsAndItsThresholds()
    {
        SearchedRamps file = (SearchedRamps)SearchedFile.Read(Write("""
            { "name": "mine", "scenario": "users-high", "options": { "period": 7, "set": ["subjects=300", "burstMax=0.1"] }, "assert": ["p99<2ms", "lost<1"] }
            """), _error);
        UsersOptions options = file.Users.Options.Parse(["--warmup", "9"]).Options!;
        Assert.Equal(("mine", "users-high", "mine", 7, 9), (file.Name, file.Users.Name, file.Users.FolderName, options.Period, options.Warmup));
        Assert.Equal(["subjects=300", "burstMax=0.1"], options.Settings);
        Assert.Empty(options.Thresholds);
        Assert.Equal(("p99<2ms, lost<1", "users"), (file.SearchTable.Parse([]).Options!.UntilText, file.SearchTable.Defaults.Over.Name));
        SearchedRamps bare = (SearchedRamps)SearchedFile.Read(Write("""{ "scenario": "users-low" }"""), _error);
        Assert.Equal(UsersOptions.UsualUntil, string.Join(',', bare.SearchTable.Defaults.Until));
    }

    [Theory]
    [InlineData("""{ "scenario": "users" }""", "FILE: users has several loads; name one: users-low, users-medium, users-high, users-very-high")]
    [InlineData("""{ "scenario": "users-low", "options": { "steps": "5" } }""", "FILE: steps: a search sets the users itself")]
    [InlineData("""{ "scenario": "users-low", "options": { "sweep": "size=54,108" } }""",
        "FILE: sweep, variants, repeat: a search takes one variant and repeats it itself")]
    [InlineData("""{ "scenario": "users-low", "options": { "repeat": 2 } }""",
        "FILE: sweep, variants, repeat: a search takes one variant and repeats it itself")]
    [InlineData("""{ "scenario": "users-low", "assert": ["users>=5"] }""",
        "FILE: assert: 'users>=5' is not a list such as p99<100us,rate>=99% of avg, max, p50, p90, p99, p99.9, rate, rate%, cpu, memory, notSent, lost, "
            + "sendLagP99, limits with ns, us, ms, s, % or MB")]
    [InlineData("""{ "scenario": "direct", "matrix": { "pack": [1, 2], "rtt": [true, false] } }""",
        "FILE: 4 runs; a search takes a file with one run and no matrix")]
    [InlineData("""{ "runs": [{ "scenario": "direct" }, { "scenario": "ni-hub" }] }""", "FILE: 2 runs; a search takes a file with one run and no matrix")]
    [InlineData("""{ "scenario": "direct", "options": { "steps": "1000,2000:5" } }""", "--steps: each run of a search has one rate")]
    [InlineData("""{ "scenario": "direct", "options": { "repeat": 3 } }""", "--repeat: a search repeats what has to be repeated")]
    [InlineData("""{ "scenario": "direct", "roles": { "provider": { "external": "localhost:1" } } }""",
        "--over rate: the provider is external and accepts no options from here")]
    [InlineData("""{ "scenario": "direct", "options": { "rat": 5 } }""", "FILE:1: options: rat: unknown option of direct; did you mean rate?")]
    public void Search_FileThatCannotBeSearched_IsRefusedInOneLine(string text, string expected)
    {
        string path = Write(text);
        int code = PerfTools.Program.Run(["search", path], _output, _error);
        Assert.Equal((2, ""), (code, $"{_output}"));
        Assert.Equal($"perftools: {expected.Replace("FILE", path, StringComparison.Ordinal)}\n", $"{_error}");
    }

    [Fact]
    public void Search_OptionThatIsUnknown_NamesTheClosest()
    {
        Assert.Equal(2, PerfTools.Program.Run(["search", Write("""{ "scenario": "direct" }"""), "--itemz", "5"], _output, _error));
        Assert.Equal("perftools: --itemz: unknown option; did you mean --items?\n", $"{_error}");
    }

    [Fact]
    public void Search_FileThatIsNotThere_IsThree() =>
        Assert.Equal(3, PerfTools.Program.Run(["search", _folder.PathOf("none.json")], _output, _error));

    private SearchedScenario Read(string text) => (SearchedScenario)SearchedFile.Read(Write(text), _error);

    private string Write(string text)
    {
        string path = _folder.PathOf("my.json");
        File.WriteAllText(path, text);
        return path;
    }
}
