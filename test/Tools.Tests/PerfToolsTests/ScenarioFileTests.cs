using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;
using Tools.Tests.PerfToolsTests.Reports;
using Tools.Tests.PerfToolsTests.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public sealed class ScenarioFileTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public static TheoryData<string> Scenarios => new(ScenarioList.All.Select(scenario => scenario.Name));

    public static TheoryData<string> Samples =>
        new(Directory.GetFiles(Path.Combine(RepositoryRoot.FullPath, "samples", "scenarios")).Select(Path.GetFileName)!);

    [Fact]
    public void Parse_EveryMember_IsWhatTheCommandLineWouldSay()
    {
        ScenarioPlan plan = Parse("""
            {
              // a comment
              "$schema": "x", "name": "mine", "summary": "what it is",
              "scenario": "direct",
              "options": { "rate": 5000, "connection": "encrypted", "rtt": true, "latency-rate": "all", "repeat": 2 },
              "roles": { "consumer": { "arguments": "-view '22, 25'" }, "provider": { "external": "host:14002" } },
              "assert": ["p99<1ms", "consumer.counts.itemsLost<1"],
            }
            """);
        ScenarioOptions options = OptionsOf(Assert.Single(plan.Runs));
        Assert.Equal(("mine", "what it is", "", "run"), (plan.Name, plan.Summary, plan.Runs[0].Title, plan.Runs[0].Folder));
        Assert.Equal((5_000, "Encrypted", true, "all", 2),
            (options.Rate, $"{options.Connection}", options.RoundTrips, $"{options.LatencyRate}", options.Repeat));
        Assert.Equal(["-view", "22, 25"], options.ArgumentsOf("consumer"));
        Assert.Equal("host:14002", options.External["provider"].ToString());
        Assert.Equal(["p99<1ms", "consumer.counts.itemsLost<1"], options.Thresholds.Select(threshold => threshold.Text));
    }

    [Fact]
    public void Parse_WithoutAName_IsNamedByItsFile()
    {
        ScenarioPlan plan = ScenarioFile.Parse("""{ "scenario": "direct" }""", "folder/my-own.json", []).Plan!;
        Assert.Equal(("my-own", null), (plan.Name, plan.Summary));
    }

    [Fact]
    public void Parse_MatrixOverSeveralRuns_IsEveryCombinationInOrder()
    {
        ScenarioPlan plan = Parse("""
            {
              "runs": [ { "name": "a b", "scenario": "direct", "options": { "pack": 3 } }, { "scenario": "ni-hub" } ],
              "matrix": { "rate": [1000, 2000], "connection": ["socket", "encrypted"] }
            }
            """);
        Assert.Equal(
            ["a-b_rate-1000_connection-socket", "a-b_rate-1000_connection-encrypted", "a-b_rate-2000_connection-socket", "a-b_rate-2000_connection-encrypted",
                "ni-hub_rate-1000_connection-socket", "ni-hub_rate-1000_connection-encrypted", "ni-hub_rate-2000_connection-socket",
                    "ni-hub_rate-2000_connection-encrypted"],
            plan.Runs.Select(run => run.Folder));
        Assert.Equal([3, 3, 3, 3, 1, 1, 1, 1], plan.Runs.Select(run => OptionsOf(run).Pack));
        Assert.Equal([1_000, 1_000, 2_000, 2_000, 1_000, 1_000, 2_000, 2_000], plan.Runs.Select(run => OptionsOf(run).Rate));
        Assert.Equal("a b, rate 2000, connection encrypted", plan.Runs[3].Title);
    }

    [Fact]
    public void Parse_OptionsOfTheCommandLine_WinOverTheFile()
    {
        ScenarioPlan plan = ScenarioFile.Parse("""{ "scenario": "direct", "options": { "rate": 5000, "items": 7 } }""", "f.json",
            ["--rate", "9000", "--out", "o"]).Plan!;
        Assert.Equal((9_000, 7, "o"), (OptionsOf(plan.Runs[0]).Rate, OptionsOf(plan.Runs[0]).Items, plan.Runs[0].Out));
    }

    [Theory]
    [InlineData("{\n \"scenario\": \"direct\",\n \"options\": { \"rate\": 5 \n \"x\": 1 }",
        "f.json:4: not JSON: '\"' is invalid after a value. Expected either ',', '}', or ']'.")]
    [InlineData("", "f.json:1: not JSON: ")]
    [InlineData("{} {}", "f.json:1: not JSON: ")]
    [InlineData("[]", "f.json:1: the file must be an object")]
    [InlineData("{\n}", "f.json:1: scenario is missing: one of direct, hub-direct, ")]
    [InlineData("{\n\"scenario\":\n\"dirct\"}", "f.json:3: scenario: dirct is none of direct, ")]
    [InlineData("{\"scenario\": 7}", "f.json:1: scenario must be a text")]
    [InlineData("{\"scenario\": \"direct\",\n\"option\": {}}", "f.json:2: option: unknown name; did you mean options?")]
    [InlineData("{\"scenario\": \"direct\",\n\"scenario\": \"direct\"}", "f.json:2: scenario is given twice")]
    [InlineData("{\"scenario\": \"direct\",\n\"options\": {\n\"rat\": 1}}", "f.json:3: options: rat: unknown option of direct; did you mean rate?")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\n\"out\": \"x\"}}", "f.json:2: options: out: unknown option of direct")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\n\"rate\": \"x\"}}", "f.json:2: rate: 'x' is not a whole number")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\n\"rate\": 1.5}}", "f.json:2: rate: '1.5' is not a whole number")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\n\"seconds\": 0}}", "f.json:2: seconds must be at least 1")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\n\"rate\": null}}", "f.json:2: rate: null is not a whole number")]
    [InlineData("{\"scenario\": \"direct\",\"options\": [\n]}", "f.json:1: options must be an object")]
    [InlineData("{\"scenario\": \"direct\",\n\"roles\": {\"hub\": {}}}", "f.json:2: hub: unknown name; known are provider, consumer")]
    [InlineData("{\"scenario\": \"direct\",\"roles\": {\"consumer\": {\n\"argument\": 1}}}", "f.json:2: argument: unknown name; did you mean arguments?")]
    [InlineData("{\"scenario\": \"direct\",\"roles\": {\"consumer\": {\n\"arguments\": \"'x\"}}}",
        "f.json:2: consumer: arguments must be a list of texts, or one text with every quote closed")]
    [InlineData("{\"scenario\": \"direct\",\"roles\": {\"provider\": {\n\"external\": \":x\"}}}", "f.json:2: provider: external: ':x' is not host:port")]
    [InlineData("{\"scenario\": \"direct\",\"roles\": {\"provider\": {\n\"tool\": \"'x\"}}}",
        "f.json:2: provider: tool: ''x' is not a command with every quote closed")]
    [InlineData("{\"scenario\": \"direct\",\"roles\": {\"provider\": {\n\"tool\": 7}}}",
        "f.json:2: provider: tool: '7' is not a command with every quote closed")]
    [InlineData("{\"scenario\": \"direct\",\"roles\": {\"provider\": {\n\"edition\": \"cobol\"}}}", "f.json:2: provider: edition: 'cobol' is not one of ")]
    [InlineData("{\"scenario\": \"direct\",\"roles\": {\"consumer\": {\"external\": \"h:1\"}}}",
        "f.json:1: --external: the consumer connects itself; give consumer alone")]
    [InlineData("{\"scenario\": \"direct\",\"assert\": [\"p99<1ms\",\n\"p98<1\"]}", "f.json:2: assert: 'p98<1' is not a list such as ")]
    [InlineData("{\"scenario\": \"direct\",\"assert\": \"p99<1ms\"}", "f.json:1: assert must be a list")]
    [InlineData("{\"scenario\": \"direct\",\"assert\": [\"hub.counts.x<1\"]}", "f.json:1: --assert: hub: unknown role")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\"steps\": \"1000,2000:5\", \"ramp\": \"1:2:5\"}}",
        "f.json:1: --steps cannot be combined with --ramp")]
    [InlineData("{\"scenario\": \"direct\",\"matrix\": [1]}", "f.json:1: matrix must be an object")]
    [InlineData("{\"scenario\": \"direct\",\"matrix\": {\n\"rate\": 1}}", "f.json:2: matrix: rate must be a list of values, at least one")]
    [InlineData("{\"scenario\": \"direct\",\"matrix\": {\"rate\": [1,\n-1]}}", "f.json:2: rate must be 0 or more")]
    [InlineData("{\"scenario\": \"direct\",\"matrix\": {\"size\": [16]}}", "f.json:1: options: size: unknown option of direct")]
    [InlineData("{\"scenario\": \"direct\",\"matrix\": {\"rate\": [1,\n1]}}", "f.json:2: matrix: 1 is given twice")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\"steps\": \"1000,2000:5\", \"ramp\": \"1:2:5\"},\"matrix\": {\"items\": [1,2,3]}}",
        "f.json:1: --steps cannot be combined with --ramp (items 1)")]
    [InlineData("{\"runs\": [{\"name\": \"a b\", \"scenario\": \"direct\"},{\"name\": \"a-b\", \"scenario\": \"direct\"}]}",
        "f.json:1: the folder a-b would hold several runs: a b; a-b")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\n\"place\": \"hub=1\"}}", "f.json:2: place: 'hub=1' is not a list such as provider=0,consumer=1")]
    [InlineData("{\"scenario\": \"direct\",\"options\": {\"place\": \"provider=0,consumer=1x2\"}}", "f.json:1: --place, --run-id and --address need --rank")]
    [InlineData("{\"runs\": []}", "f.json:1: runs is empty")]
    [InlineData("{\"runs\": [{\"scenario\": \"direct\"},\n{\"scenario\": \"direct\"}]}", "f.json:2: two runs are called direct; give each a name")]
    [InlineData("{\"runs\": [{\"scenario\": \"direct\"}],\n\"scenario\": \"direct\"}", "f.json:2: scenario: unknown name; known are $schema, ")]
    public void Parse_Mistake_IsNamedWithItsLine(string text, string problem)
    {
        (ScenarioPlan? plan, IReadOnlyList<string> problems) = ScenarioFile.Parse(text, "f.json", []);
        Assert.Null(plan);
        Assert.StartsWith(problem, Assert.Single(problems), StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_SeveralMistakes_AreAllNamedInTheirOrder()
    {
        IReadOnlyList<string> problems = ScenarioFile.Parse("""
            { "scenario": "direct",
              "matrix": { "connection": ["socket", "tls"] },
              "options": { "rat": 5,
                           "items": "many" },
              "colour": 1 }
            """, "f.json", []).Problems;
        Assert.Equal([2, 3, 4, 5], problems.Select(problem => int.Parse(problem.Split(':')[1], System.Globalization.CultureInfo.InvariantCulture)));
    }

    [Fact]
    public void Parse_MoreRunsThanAllowed_IsRefusedBeforeTheyAreMadeAndDeepOnesAreNoJson()
    {
        string values = string.Join(',', Enumerable.Range(1, 300));
        string run = "{\"name\":\"NAME\",\"scenario\":\"direct\"}";
        string runs = string.Join(',', Enumerable.Range(1, 3_000).Select(i => run.Replace("NAME", $"{i}", StringComparison.Ordinal)));
        string[] files =
        [
            $"{{\"scenario\":\"direct\",\"matrix\":{{\"rate\":[{values}],\"items\":[{values}]}}}}",
            $"{{\"runs\":[{runs}],\"matrix\":{{\"rate\":[{values}]}}}}",
            $"{{\"runs\":[{runs}]}}",
        ];
        Assert.All(files, file => Assert.Equal(["f.json:1: more than 200 runs"], ScenarioFile.Parse(file, "f.json", []).Problems));
        string deep = string.Concat(Enumerable.Repeat("[", 1_000));
        Assert.Contains("not JSON", Assert.Single(ScenarioFile.Parse(deep, "f.json", []).Problems), StringComparison.Ordinal);
    }

    [Fact]
    public void Read_FileAboveTheLimit_IsRefused()
    {
        File.WriteAllText(_folder.PathOf("f.json"), "{\"scenario\": \"direct\"}" + new string(' ', 1_100_000));
        Assert.Equal(SetupProblem.InputFile, Assert.Throws<SetupException>(() => ScenarioFile.Read(_folder.PathOf("f.json"), [])).Problem);
    }

    [Theory, MemberData(nameof(Scenarios))]
    public void CreateText_OfAScenario_IsReadBackAsTheSameOptions(string name)
    {
        Scenario scenario = ScenarioList.All.First(scenario => scenario.Name == name);
        string role = scenario.Roles[0].Name;
        foreach (ScenarioOptions options in new[] { scenario.Options.Defaults,
            scenario.Options.Defaults.WithArguments(role, ["-a b", "'"]) with { BindsWorkers = true, Repeat = 3 } })
        {
            string text = ScenarioFileWriter.CreateText(new PlannedScenario(null, scenario, options));
            PlannedRun run = Assert.Single(Parse(text).Runs);
            Assert.Equal(name, run.Scenario);
            Assert.Equal(text, ScenarioFileWriter.CreateText(run));
            Assert.Equal(scenario.DescribeInputs(options).Select(input => $"{input.Key} {input.Value}"),
                scenario.DescribeInputs(OptionsOf(run)).Select(input => $"{input.Key} {input.Value}"));
            Assert.Empty(Schema.FindProblems(JsonElement.Parse(text)));
        }
    }

    [Theory, MemberData(nameof(Samples))]
    public void Sample_Each_HasNoMistakeAndIsAsTheSchemaSays(string name)
    {
        string text = File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "samples", "scenarios", name));
        Assert.Empty(ScenarioFile.Parse(text, name, []).Problems);
        using JsonDocument document = JsonDocument.Parse(text, new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        Assert.Empty(Schema.FindProblems(document.RootElement));
    }

    [Fact]
    public void BuiltFile_IsTheSampleOfThatName() => Assert.Equal(
        File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "samples", "scenarios", "summary.json")), ScenarioFileVerb.ReadBuilt());

    [Fact]
    public void Schema_Options_AreThoseOfAllScenarios()
    {
        using JsonDocument schema = JsonDocument.Parse(File.ReadAllText(SchemaPath));
        IEnumerable<string> options = schema.RootElement.GetProperty("$defs").GetProperty("options").GetProperty("properties").EnumerateObject()
            .Select(member => member.Name);
        IEnumerable<string> ofScenarios = ScenarioList.All.SelectMany(scenario =>
            OptionMembers.RowsOf(scenario.Options, PlannedScenario.ShortFormsOf(scenario)).Select(row => row.Name[1..]));
        IEnumerable<string> ofUsers = UsersSuite.All.SelectMany(suite => OptionMembers.RowsOf(suite.Options, []).Select(row => row.Name[1..]));
        Assert.Equal(ofScenarios.Concat(ofUsers).Distinct().Order(), options.Order());
        Assert.Equal(FileNames.OfFile.Order(), schema.RootElement.GetProperty("properties").EnumerateObject().Select(member => member.Name).Order());
        Assert.Equal(ScenarioList.All.Select(scenario => scenario.Name).Concat(UsersSuite.All.Select(suite => suite.Name)),
            schema.RootElement.GetProperty("properties").GetProperty("scenario").GetProperty("enum").EnumerateArray().Select(name => name.GetString()));
        Assert.NotEmpty(Schema.FindProblems(JsonElement.Parse("""{"scenario":"direct","options":{"colour":1}}""")));
    }

    [Fact]
    public void Run_OfAMatrix_MakesEachRunInItsFolderAndOneTable()
    {
        StringWriter output = new() { NewLine = "\n" }, error = new() { NewLine = "\n" };
        ScenarioPlan plan = ScenarioFile.Parse("""
            { "name": "two", "scenario": "direct", "options": { "rate": 4000 }, "matrix": { "items": [100, 200] } }
            """, "f.json", ["--out", _folder.PathOf("all"), "--markdown", _folder.PathOf("m.md"), "--junit", _folder.PathOf("j.xml")]).Plan!;
        using RunSignals signals = new();
        RunOutcome outcome = new RunVerb(null, error) { CreateCommand = RoleScripts.CommandsIn(_folder.FullPath) }
            .Run(plan, new RunHost(new RunConsole(output), signals));
        Assert.Equal(ExitCode.Success, outcome.Code);
        Assert.Equal([100, 200], ((int[])[100, 200]).Select(items => RunFile.Read(_folder.PathOf($"all/items-{items}/run.json")).Inputs["items"].GetInt32()));
        string[] lines = $"{output}".Split('\n');
        Assert.Contains("Run 2 of 2: items 200", lines);
        int head = Array.FindIndex(lines, line => line.StartsWith("items   verdict   rate/s", StringComparison.Ordinal));
        Assert.StartsWith("100     OK", lines[head + 1], StringComparison.Ordinal);
        Assert.StartsWith("200     OK", lines[head + 2], StringComparison.Ordinal);
        Assert.StartsWith("| items | verdict | rate/s |", File.ReadAllText(_folder.PathOf("m.md")), StringComparison.Ordinal);
        Assert.Contains("items-200: verdict", File.ReadAllText(_folder.PathOf("j.xml")), StringComparison.Ordinal);
        Assert.Contains("<td>items", File.ReadAllText(_folder.PathOf("all/report.html")).Replace("<th>", "<td>", StringComparison.Ordinal),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Run_WithSave_WritesTheFileAndRunsNothing()
    {
        using RunSignals signals = new();
        ScenarioOptions options = new() { Rate = 77, Out = _folder.PathOf("none"), Outputs = new() { Save = _folder.PathOf("s.json") } };
        RunOutcome outcome = new RunVerb(null, TextWriter.Null).Run(DirectScenario.Direct, options, new RunHost(new RunConsole(TextWriter.Null), signals));
        Assert.Equal(ExitCode.Success, outcome.Code);
        Assert.Equal(77, OptionsOf(Parse(File.ReadAllText(_folder.PathOf("s.json"))).Runs[0]).Rate);
        Assert.False(Directory.Exists(_folder.PathOf("none")));
    }

    [Fact]
    public void FileVerb_SeveralMistakes_AreALineEachAndTheLastIsThrown()
    {
        File.WriteAllText(_folder.PathOf("f.json"), "{\n\"scenario\": \"direct\",\n\"a\": 1,\n\"b\": 2 }");
        using RunSignals signals = new();
        StringWriter error = new() { NewLine = "\n" };
        SetupException thrown = Assert.Throws<SetupException>(() => ScenarioFileVerb.Run(["run", _folder.PathOf("f.json")],
            new RunVerb(null, error), new RunHost(new RunConsole(TextWriter.Null), signals), error));
        Assert.Equal(SetupProblem.CommandLine, thrown.Problem);
        Assert.StartsWith($"{_folder.PathOf("f.json")}:4: b: ", thrown.Message, StringComparison.Ordinal);
        Assert.StartsWith($"perftools: {_folder.PathOf("f.json")}:3: a: ", $"{error}", StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private static ScenarioOptions OptionsOf(PlannedRun run) => ((PlannedScenario)run).Given;

    private static string SchemaPath => Path.Combine(RepositoryRoot.FullPath, "docs", "scenario.schema.json");

    private static JsonSchema Schema { get; } = JsonSchema.Load(SchemaPath);

    private static ScenarioPlan Parse(string text)
    {
        (ScenarioPlan? plan, IReadOnlyList<string> problems) = ScenarioFile.Parse(text, "f.json", []);
        Assert.Empty(problems);
        return plan!;
    }
}
