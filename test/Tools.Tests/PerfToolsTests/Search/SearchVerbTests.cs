using System.Text.Json;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Search;
using PerfTools.Verbs;
using Tools.Tests.PerfToolsTests.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary><c>perftools search</c> with runs that are figures only.</summary>
public sealed class SearchVerbTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly RunSignals _signals = new();

    [Fact]
    public void Run_OfASystemWithALimit_TellsItOnTheScreen()
    {
        Assert.Equal(ExitCode.Success, Run("--curve", new FakeRuns()).Code);
        ExpectedText.AssertEquals("search.txt", Shown);
    }

    [Fact]
    public void Run_OfASystemWithALimit_WritesItAsJson()
    {
        Run("--from 3000000 --budget 90s", new FakeRuns());
        ExpectedText.AssertEquals("search.json", File.ReadAllText(_folder.PathOf("all/search.json")));
    }

    [Fact]
    public void Run_WithCurve_WritesFilesWithTheKnee()
    {
        Run("--curve --markdown " + _folder.PathOf("m.md") + " --junit " + _folder.PathOf("j.xml") + " --json " + _folder.PathOf("s.json"), new FakeRuns());
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("all/search.json")));
        JsonElement curve = json.RootElement.GetProperty("curve");
        Assert.Equal([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110],
            curve.GetProperty("points").EnumerateArray().Select(point => point.GetProperty("percent").GetInt32()));
        Assert.Equal(70, curve.GetProperty("kneePercent").GetInt32());
        string[] csv = File.ReadAllLines(_folder.PathOf("all/curve.csv"));
        Assert.Equal(
            (12, "percent,value,rate,p50Micros,p99Micros,p999Micros,sent,notSent,knee,notDrawn,providerCpuCorePercent,providerMemoryMegabytes,consumerCpuCorePercent,consumerMemoryMegabytes"), (csv.Length, csv[0]));
        Assert.StartsWith("70,", csv.Single(line => line.Split(',')[8] == "1"), StringComparison.Ordinal);
        Assert.Contains("<title>knee</title>", File.ReadAllText(_folder.PathOf("all/curve.svg")), StringComparison.Ordinal);
        Assert.Contains("Load curve", File.ReadAllText(_folder.PathOf("all/search.html")), StringComparison.Ordinal);
        Assert.Equal(File.ReadAllText(_folder.PathOf("all/search.json")), File.ReadAllText(_folder.PathOf("s.json")));
        Assert.StartsWith("**FOUND** 4.", File.ReadAllText(_folder.PathOf("m.md")), StringComparison.Ordinal);
        Assert.Contains("<testsuite name=\"perftools search direct\" tests=\"1\" failures=\"0\"", File.ReadAllText(_folder.PathOf("j.xml")),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Run_WithBothCurves_MeasuresTheSameLoadsWithTheOtherStamp()
    {
        FakeRuns runs = new() { Change = (_, run) => run };
        Run("--both-curves --markdown " + _folder.PathOf("m.md"), runs);
        ScenarioOptions[] curves = [.. runs.Asked.TakeLast(22)];
        Assert.All(curves[..11], options => Assert.True(options.StampsDue));
        Assert.All(curves[11..], options => Assert.False(options.StampsDue));
        Assert.Equal(curves[..11].Select(options => options.Rate), curves[11..].Select(options => options.Rate));
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("all/search.json")));
        JsonElement[] runsOf(string curve) =>
            [.. json.RootElement.GetProperty(curve).GetProperty("points").EnumerateArray().Select(point => point.GetProperty("run"))];
        int[] numbers = [.. runsOf("curve").Concat(runsOf("otherCurve")).Select(run => run.GetProperty("number").GetInt32())];
        Assert.Equal(Enumerable.Range(numbers[0], 22), numbers);
        Assert.Equal(12, File.ReadAllLines(_folder.PathOf("all/curve-other.csv")).Length);
        Assert.Contains("p99 from the time sent", File.ReadAllText(_folder.PathOf("all/curve.svg")), StringComparison.Ordinal);
        Assert.Contains("Load curve, latency from the time sent", File.ReadAllText(_folder.PathOf("all/search.html")), StringComparison.Ordinal);
        Assert.Contains("    curve        latency from the time sent\n", Shown, StringComparison.Ordinal);
        Assert.Equal(2, File.ReadAllText(_folder.PathOf("m.md")).Split("| load |").Length - 1);
    }

    [Fact]
    public void Run_EachValue_IsARunWithTheThresholdsStampedAsDue()
    {
        FakeRuns runs = new();
        Run("--from 3000000 --items 7", runs);
        Assert.Equal([3_000_000, 6_000_000, 6_000_000], runs.Asked.Take(3).Select(options => options.Rate));
        Assert.All(runs.Asked, options => Assert.Equal((7, 5, true, 3), (options.Items, options.Seconds, options.StampsDue, options.Thresholds.Count)));
    }

    [Theory]
    [InlineData("direct", "--over items --from 100", "items", "7 items")]
    [InlineData("direct", "--over threads", "threads", "4 threads")]
    [InlineData("direct", "--over connections", "threads", "5 connections")]
    [InlineData("transport", "--over connections --from 8", "connections", "37 connections")]
    [InlineData("reflect", "--over connections", "connections", "37 connections")]
    [InlineData("transport", "--over size --from 20", "size", "29 bytes")]
    [InlineData("roundtrip", "", "packet", "51 bytes")]
    public void Run_OverAnotherOption_SearchesThat(string name, string line, string option, string expected)
    {
        Scenario scenario = ScenarioList.All.Single(one => one.Name == name);
        int Value(ScenarioOptions options) => option switch
        {
            "items" => options.Items,
            "threads" => options.Threads,
            "size" => options.MessageBytes,
            "packet" => options.Roundtrip.Size!.Value,
            _ => options.Transport.Connections,
        };
        int limit = int.Parse(expected.Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture);
        FakeRuns runs = null!;
        runs = new() { Change = (_, run) => Value(runs.Asked[^1]) <= limit ? run : Missed(run) };
        Assert.Equal(ExitCode.Success, Run(Verb(runs), line, scenario).Code);
        Assert.Contains($"\nFOUND  {expected} [", Shown, StringComparison.Ordinal);
        Assert.Contains(name == "roundtrip" ? "latency of round trips" : "latency from the time due", Shown, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_RateOfSeveralConnections_IsForEachOfThem()
    {
        Run(Verb(new()), "--connections 3", TransportScenario.Transport);
        Assert.Contains(" messages/s for each connection [", Shown, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_ClockThatFellOrHeat_DropsTheRunAndSaysSo()
    {
        int reads = 0;
        SearchVerb verb = new(_error)
        {
            MakeRun = new FakeRuns().Make,
            Clock = new SteppingClock(),
            ReadClocks = () => ++reads switch { 5 or 6 => new(2_000, 7), >= 10 => new(3_000, 9), _ => new(3_000, 7) }, // two of each run
        };
        Run(verb, "");
        Assert.Matches(@"\n +3  bracket .* clock 2,000 MHz instead of 3,000 MHz\n", Shown);
        Assert.Matches(@"\n +5  bracket .* processors throttled for heat 2 times\n", Shown);
        Assert.Contains(", 2 dropped; roles anew for each\n", Shown, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_MachineBusy_DropsTheRunAndSaysSo()
    {
        Run("", new()
        {
            Change = (number, run) => number == 3
            ? run with { Document = run.Document with { Machine = run.Document.Machine with { ForeignPercent = 45 } } } : run
        });
        Assert.Contains("machine busy: other programs used 45 %\n", Shown, StringComparison.Ordinal);
        Assert.Contains(", 1 dropped; roles anew for each\n", Shown, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_Interrupted_ReportsWhatItKnows()
    {
        RunOutcome outcome = Run("", new()
        {
            Change = (number, run) => number < 4 ? run : run with
            {
                Document = run.Document with { Verdict = RunVerdict.Interrupted },
                Outcome = new(ExitCode.Interrupted, "run direct: ended by SIGINT"),
            },
        });
        Assert.Equal((ExitCode.Interrupted, "search direct: run direct: ended by SIGINT"), (outcome.Code, outcome.Reason));
        Assert.Contains("\nINTERRUPTED  400,000 updates/s\n", Shown, StringComparison.Ordinal);
        Assert.True(File.Exists(_folder.PathOf("all/search.json")));
    }

    [Fact]
    public void Run_NothingKept_EndsWithSix()
    {
        RunOutcome outcome = Run("--from 2", new() { Change = (_, run) => Missed(run) });
        Assert.Equal((ExitCode.AssertionMissed, "search direct: no value kept p99<1ms, lost<1, notSent<1, down to 1: too slow"),
            (outcome.Code, outcome.Reason));
        Assert.Contains("\nNONE  no --rate kept the thresholds\n", Shown, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_BudgetTooShort_EndsWithFive()
    {
        RunOutcome outcome = Run("--budget 20s", new());
        Assert.Equal((ExitCode.Incomplete, "search direct: the budget of 20s ended before three runs in a row kept a value"), (outcome.Code, outcome.Reason));
        Assert.Contains("\nUNCONFIRMED  100,000 updates/s\n", Shown, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_ProgramsThatDoNotStart_EndWithTheirExitCode()
    {
        SearchVerb verb = new(_error) { CreateCommand = (role, _) => new(role.Title, "/bin/sh", ["-c", "echo wrong >&2; exit 2"]) };
        RunOutcome outcome = Run(verb, "");
        Assert.Equal(ExitCode.CommandLine, outcome.Code);
        Assert.StartsWith("search direct: run direct: ProvPerf ended before it listened with exit code 2: wrong", outcome.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_RolesThatAreScripts_MakesAFolderOfEachRun()
    {
        ScenarioRunner maker = new(new RunConsole(TextWriter.Null), null, _signals) { CreateCommand = RoleScripts.CommandsIn(_folder.FullPath) };
        SearchVerb verb = new(_error)
        {
            MakeRun = (options, folder) => AsOnAnIdleMachine(maker.Make(DirectScenario.Direct, options, folder)),
            Clock = new SteppingClock(),
            ReadClocks = () => default,
        };
        Assert.Equal(ExitCode.Success, Run(verb, "--until lost<1 --from 4000 --budget 100s").Code);
        Assert.Contains("\nFOUND  4,000 updates/s [", Shown, StringComparison.Ordinal);
        Assert.Contains("limit        at 4,", Shown, StringComparison.Ordinal);
        Assert.True(File.Exists(_folder.PathOf("all/01-4000/run.json")));
        Assert.True(File.Exists(_folder.PathOf("all/02-8000/report.html")));
    }

    // Busy machines drop runs, so what is found is open; what has to be there is one run whose rate was set.
    [Theory]
    [InlineData("direct", "provider", "consumer")]
    [InlineData("transport", "server", "client")]
    public async Task Run_WithStay_SetsTheRateOfOneRun(string scenario, string sender, string measuring)
    {
        (int code, string output, string error) = await PerfToolsRuns.Run("search", scenario, "--stay", "--until", "lost<1", "--from", "2000",
            "--seconds", "3", "--budget", "22s", "--out", _folder.PathOf("all"));
        Assert.True(code is 0 or 5, error);
        Assert.Matches(@"\n +1  bracket +2,000  (kept|dropped) ", output);
        RunDocument standing = RunFile.Read(_folder.PathOf("all/01-standing/run.json"));
        Assert.Equal(0, standing.Roles.Single(role => role.Name == measuring).ExitCode);
        Assert.Contains(standing.Changes!, change => change.Role == sender && change.Name == "rate");
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("all/search.json")));
        JsonElement[] runs = [.. json.RootElement.GetProperty("runs").EnumerateArray()];
        Assert.All(runs, run => Assert.Equal("01-standing", run.GetProperty("folder").GetString()));
        Assert.InRange(runs[0].GetProperty("figures").GetProperty("rate").GetDouble(), 1_000, 4_000);
        Assert.InRange(runs[0].GetProperty("figures").GetProperty("sent").GetInt64(), 2_000, 10_000);
        Assert.False(File.Exists(_folder.PathOf("all/01-standing/control.token")));
    }

    [Theory]
    [InlineData("OK", 1_000, true, true)]
    [InlineData("SLOW", 1_000, true, true)]
    [InlineData("SLOW", 980, true, false)]
    [InlineData("SLOW", 1_000, false, false)]
    [InlineData("MISSED", 1_000, true, false)]
    [InlineData("FAILED", 1_000, true, false)]
    public void Read_Verdict_KeepsOnlyWhatReachedTheRate(string verdict, double reached, bool asserted, bool expected)
    {
        RunDocument run = SampleFigures.Run with
        {
            Verdict = verdict,
            Figures = SampleFigures.Good with { RateAsked = 1_000, RateReached = reached },
            Assertions = [new() { Assertion = "p99<1ms", Kept = asserted, Figure = 1, Line = "" }],
        };
        CandidateReader reader = new(DirectScenario.Direct, Threshold.TryParseList("p99<1ms,notSent<5", Threshold.Metrics)!);
        Assert.Equal(expected, reader.Read(1_000, new(), run, "01", 7).IsKept);
    }

    public void Dispose()
    {
        _signals.Dispose();
        _output.Dispose();
        _error.Dispose();
        _folder.Dispose();
    }

    private string Shown => $"{_output}".Replace(_folder.FullPath, "FOLDER", StringComparison.Ordinal);

    private static FinishedRun AsOnAnIdleMachine(FinishedRun run) =>
        run with { Document = run.Document with { Machine = run.Document.Machine with { ForeignPercent = 0 } } };

    private static FinishedRun Missed(FinishedRun run) => run with
    {
        Document = run.Document with { Verdict = RunVerdict.Missed, Reason = "too slow" },
        Outcome = new(ExitCode.AssertionMissed, "too slow"),
    };

    private RunOutcome Run(string line, FakeRuns runs) => Run(Verb(runs), line);

    // Of a machine that says nothing of its clocks.
    private SearchVerb Verb(FakeRuns runs) => new(_error) { MakeRun = runs.Make, Clock = new SteppingClock(), ReadClocks = () => default };

    // As the command line has them: own options are taken out, the others are those of the runs.
    private RunOutcome Run(SearchVerb verb, string line, Scenario? asked = null)
    {
        Scenario scenario = asked ?? DirectScenario.Direct;
        List<string> own = ["--fresh"], others = ["--out", _folder.PathOf("all")];
        string[] names = [.. SearchVerb.Options.Rows.SelectMany(row => row.AllNames)];
        List<string> target = others;
        foreach (string word in line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (word.StartsWith('-'))
                target = names.Contains(word) ? own : others;
            target.Add(word);
        }

        ParsedCommandLine<SearchOptions> search = SearchVerb.SearchTableOf(scenario).Parse(own);
        ParsedCommandLine<ScenarioOptions> common = SearchVerb.OptionsOf(scenario).Parse(others);
        Assert.Null(search.Problem ?? common.Problem ?? search.Options!.FindProblem(scenario, common.Options!));
        return verb.Run(scenario, common.Options!, search.Options!, new(new RunConsole(_output), _signals));
    }
}
