using System.Text.Json;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;
using PerfTools.Verdicts;
using Tools.Tests.PerfToolsTests.Reports;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>Loads of users as scenario files, and their thresholds.</summary>
[Trait("Category", "Fast")]
public sealed class UsersFileTests : IDisposable
{
    private static readonly JsonSchema Schema = JsonSchema.Load(Path.Combine(RepositoryRoot.FullPath, "docs", "scenario.schema.json"));

    private readonly RunDirectory _folder = new();
    private readonly StringWriter _output = new() { NewLine = "\n" };
    private readonly RunSignals _signals = new();

    public static TheoryData<string> Suites => new(UsersSuite.All.Select(suite => suite.Name));

    [Fact]
    public void Parse_EveryMember_IsWhatTheCommandLineWouldSay()
    {
        PlannedRamps run = (PlannedRamps)Assert.Single(Parse("""
            {
              "name": "mine", "scenario": "users-high",
              "options": { "steps": 500, "size": "full", "set": ["subjects=300", "burstMax=0.1"], "sweep": "size=54,108", "until": "avg<5ms", "repeat": 2 },
              "roles": { "hub": { "external": "host:14002" }, "users": { "arguments": "-uname 'a b'" }, "source": { "arguments": ["-tickRate", 50] } },
              "assert": ["users>=300", "hub.counts.updatesDropped<1"],
            }
            """).Runs);
        Assert.Equal(("users-high", "500", true, "avg<5ms", 2), (run.Scenario, $"{run.Given.Steps}", run.Given.IsFull, run.Given.Until, run.Given.Repeat));
        Assert.Equal(["subjects=300", "burstMax=0.1"], run.Given.Settings);
        Assert.Equal(["size=54,108"], run.Given.Sweeps);
        Assert.Equal("host:14002", $"{run.Given.External["hub"]}");
        Assert.Equal(["-uname", "a b"], run.Given.Arguments.Of("users"));
        Assert.Equal(["-tickRate", "50"], run.Given.Arguments.Of("source"));
        Assert.Equal(["users>=300", "hub.counts.updatesDropped<1"], run.Thresholds.Select(threshold => threshold.Text));
    }

    [Fact]
    public void Parse_MatrixOfSettings_AddsOneToThoseOfTheFile()
    {
        ScenarioPlan plan = Parse("""
            { "scenario": "users-low", "options": { "set": ["subjects=300"] }, "matrix": { "set": ["size=54", "size=108"], "period": [2, 3] } }
            """);
        Assert.Equal(["set-size-54_period-2", "set-size-54_period-3", "set-size-108_period-2", "set-size-108_period-3"], plan.Runs.Select(run => run.Folder));
        Assert.Equal(["subjects=300", "size=108"], ((PlannedRamps)plan.Runs[3]).Given.Settings);
    }

    [Theory, MemberData(nameof(Suites))]
    public void CreateText_OfASuite_IsReadBackAsTheSameOptions(string name)
    {
        UsersSuite suite = UsersSuite.All.Single(suite => suite.Name == name);
        foreach (UsersOptions options in new[] { suite.Options.Defaults, OptionLines.Accept(suite.Options,
            "--steps 30 --set subjects=300 --set rate=2 --sweep size=54,108 --variants all --external source=h:5 --args hub=-maxQueue=100000 --assert users>=30,hub.counts.updatesDropped<1") })
        {
            PlannedRamps run = new(null, suite, options);
            string text = ScenarioFileWriter.CreateText(run);
            PlannedRamps read = (PlannedRamps)Assert.Single(Parse(text).Runs);
            Assert.Equal(text, ScenarioFileWriter.CreateText(read));
            Assert.Equal(options.Settings, read.Given.Settings);
            Assert.Equal(Describe(suite, options), Describe(suite, read.Given));
            Assert.Empty(Schema.FindProblems(JsonElement.Parse(text)));
        }

        Assert.Contains("\"variants\": \"base\"", ScenarioFileWriter.CreateText(new PlannedRamps(null, suite, suite.Options.Defaults)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"options\": {\n\"stps\": 5}", "f.json:2: options: stps: unknown option of users-low; did you mean steps?")]
    [InlineData("\"options\": {\n\"steps\": \"5,3\"}", "f.json:2: steps: '5,3' is not a rising list such as 250,500 or 250..5500/250")]
    [InlineData("\"options\": {\"set\": [\"size=54\",\n[]]}", "f.json:2: set: a list is not name=value")]
    [InlineData("\"options\": {\"set\": [\"colour=54\"]}", "f.json:1: --set: colour: unknown parameter")]
    [InlineData("\"options\": {\"steps\":\n[5]}", "f.json:2: steps: a list is not a rising list")]
    [InlineData("\"roles\": {\"hub\": {\n\"external\": true}}", "f.json:2: hub: external: 'true' is not host:port")]
    [InlineData("\"roles\": {\"hub\": {\n\"external\": \"host\"}}", "f.json:2: hub: external: 'host' is not host:port")]
    [InlineData("\"roles\": {\"hub\": {\n\"tool\": \"x\"}}", "f.json:2: tool: unknown name; known are arguments, external")]
    [InlineData("\"roles\": {\"hub\": {\n\"arguments\": true}}", "f.json:2: hub: arguments must be a list of texts, or one text with every quote closed")]
    [InlineData("\"roles\": {\"users\": {\n\"arguments\": [\"-steps\", 5]}}", "f.json:1: -steps belongs to the run and cannot be given to a role")]
    [InlineData("\"roles\": {\"users\": {\n\"external\": \"h:1\"}}", "f.json:2: users: external: users are always started here")]
    [InlineData("\"roles\": {\n\"user\": {}}", "f.json:2: user: unknown name; did you mean users?")]
    [InlineData("\"assert\": [\n\"images<1\"]", "f.json:2: assert: 'images<1' is not a list such as ")]
    [InlineData("\"assert\": [\"consumer.counts.x<1\"]", "f.json:1: --assert: consumer: unknown role; ")]
    public void Parse_Mistake_IsNamedWithItsLine(string members, string problem)
    {
        (ScenarioPlan? plan, IReadOnlyList<string> problems) = ScenarioFile.Parse($"{{\"scenario\": \"users-low\", {members}}}", "f.json", []);
        Assert.Null(plan);
        Assert.StartsWith(problem, Assert.Single(problems), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_SeveralRuns_AreJudgedByTheirThresholdsAndStandInOneTable()
    {
        ScenarioPlan plan = Parse("""
            {
              "name": "two",
              "runs": [
                { "name": "few", "scenario": "users-low", "options": { "steps": "30" }, "assert": ["users>=30"] },
                { "name": "many", "scenario": "users-low", "options": { "steps": "40", "sweep": "burstMax=0,0.1" }, "assert": ["users>=35", "rate>=99%"] }
              ]
            }
            """, "--out", _folder.File("all"), "--junit", _folder.File("j.xml"), "--markdown", _folder.File("m.md"));
        RunOutcome outcome = new RunVerb(null, TextWriter.Null) { MakeRamp = Make }.Run(plan, Host);
        Assert.Equal((ExitCode.AssertionMissed, "run users-low burst100: users>=35: users is 34"), (outcome.Code, outcome.Reason));
        string[] lines = $"{_output}".Split('\n');
        int head = Array.FindIndex(lines, line => line.StartsWith("run    ramp                 verdict   users   rate/s", StringComparison.Ordinal));
        Assert.StartsWith("few    users-low-base       OK        30      150 ", lines[head + 1], StringComparison.Ordinal);
        Assert.StartsWith("many   users-low-base       OK        40      150 ", lines[head + 2], StringComparison.Ordinal);
        Assert.StartsWith("many   users-low-burst100   MISSED    34      150 ", lines[head + 3], StringComparison.Ordinal);
        Assert.Contains("  assertion users>=35: 34, missed", lines);
        RunDocument missed = RunFile.Read(_folder.File("all/many/users-low-burst100/run.json"));
        Assert.Equal((RunVerdict.Missed, 6), (missed.Verdict, missed.ExitCode));
        Assert.Equal([("users>=35", false, 34.0), ("rate>=99%", true, 100.0)], missed.Assertions.Select(one => (one.Assertion, one.Kept, one.Figure!.Value)));
        string cases = File.ReadAllText(_folder.File("j.xml"));
        Assert.Contains("tests=\"8\" failures=\"1\"", cases, StringComparison.Ordinal);
        Assert.Contains("name=\"many/users-low-burst100: users&gt;=35\"", cases, StringComparison.Ordinal);
        Assert.StartsWith("| run | ramp | verdict | users |", File.ReadAllText(_folder.File("m.md")), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_OneLoad_HasItsCapacityInMarkdownAndItsThresholdInTheExitCode()
    {
        UsersOptions options = OptionLines.Accept(UsersSuite.All[0].Options,
            $"--steps 30 --assert users>30 --out {_folder.File("one")} --markdown {_folder.File("m.md")} --json {_folder.File("r.json")}");
        RunOutcome outcome = new UsersVerb(UsersSuite.All[0], TextWriter.Null) { MakeRun = Make }.Run(options, Host);
        Assert.Equal((ExitCode.AssertionMissed, "run users-low base: users>30: users is 30"), (outcome.Code, outcome.Reason));
        Assert.Contains("| capacity, users | 30 | at least |", File.ReadAllText(_folder.File("m.md")), StringComparison.Ordinal);
        Assert.Equal("MISSED", JsonElement.Parse(File.ReadAllText(_folder.File("r.json"))).GetProperty("verdict").GetString());
    }

    [Fact]
    public void Run_WithSave_WritesTheFileAndRunsNothing()
    {
        UsersOptions options = OptionLines.Accept(UsersSuite.All[0].Options, $"--set subjects=77 --out {_folder.File("none")} --save {_folder.File("s.json")}");
        Assert.Equal(ExitCode.Success, new UsersVerb(UsersSuite.All[0], TextWriter.Null).Run(options, Host).Code);
        Assert.Equal(["subjects=77"], ((PlannedRamps)Parse(File.ReadAllText(_folder.File("s.json"))).Runs[0]).Given.Settings);
        Assert.False(Directory.Exists(_folder.File("none")));
    }

    [Fact]
    public void Judge_NoStepKept_HasACapacityOfNothingAndWithoutStepsIsNotKnown()
    {
        RunDocument run = UsersDuelTests.Document(1) with { Capacity = null, Verdict = RunVerdict.Slow, ExitCode = 6, Reason = "step 1 was slow" };
        RunDocument judged = RunAssertions.Judge(run, Threshold.TryParseList("users>=1", [Threshold.Users])!);
        Assert.Equal((RunVerdict.Slow, 0.0), (judged.Verdict, judged.Assertions[0].Figure));
        Assert.StartsWith("step 1 was slow; users>=1: ", judged.Reason, StringComparison.Ordinal);
        RunDocument empty = RunAssertions.Judge(run with { Steps = [] }, Threshold.TryParseList("users<9", [Threshold.Users])!);
        Assert.Equal((false, null), (empty.Assertions[0].Kept, empty.Assertions[0].Figure));
    }

    public void Dispose()
    {
        _signals.Dispose();
        _output.Dispose();
        _folder.Dispose();
    }

    private RunHost Host => new(new RunConsole(_output), _signals);

    private static IEnumerable<string> Describe(UsersSuite suite, UsersOptions options) => UsersFiles.Plan(suite.Loads, options, 1).Select(variant =>
        $"{variant.Load.Name} {variant.Name} {variant.Steps} {string.Join(' ', variant.Parameters.All)}");

    private static ScenarioPlan Parse(string text, params string[] overrides)
    {
        (ScenarioPlan? plan, IReadOnlyList<string> problems) = ScenarioFile.Parse(text, "f.json", overrides);
        Assert.Empty(problems);
        return plan!;
    }

    // A ramp with bursts holds six users less.
    private static RunDocument Make(UsersVariant variant, UsersOptions options, RunFolder folder)
    {
        RampMergeTests.WritePart(folder.FullPath, RampMergeTests.CreatePeriods(), parts: 1);
        int users = variant.Steps.Totals[^1] - (variant.Parameters.BurstMax > 0 ? 6 : 0);
        return UsersDuelTests.Document(1) with { Capacity = SuiteSamples.All[1].Document.Capacity! with { Users = users, Limit = "no further step was run" } };
    }
}
