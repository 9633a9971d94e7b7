using System.CommandLine;
using System.Text.RegularExpressions;
using PerfTools.History;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;
using PerfTools.Matrix;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Search;
using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests;

/// <summary>README and the pages for users name only options and commands that the programs accept.</summary>
[Trait("Category", "Fast")]
public partial class ReadmeTests
{
    private static readonly string[] OptionsOfOtherPrograms = ["-c", "--project", "--source", "--global", "-o", "-Hn", "-n", "-e", "-outputValueUnitRatio"];
    private static readonly string[] OptionsOfEveryProgram = ["-help", "--help", "-?", "-version", "--version", "-list", "-completion"];
    private static readonly string[] AfterName = [" ", ",", "\n"]; // after the name of an option in the help
    private static readonly string Docs = Path.Combine(RepositoryRoot.FullPath, "docs");

    // Commands of many machines and of pipelines have separate tests; pages that are not for users describe how the tools are built.
    private static readonly string Text = string.Join('\n',
        Directory.GetFiles(Docs, "*.md").Where(path => Path.GetFileName(path) is not ("many-machines.md" or "ci.md"))
            .Concat(Directory.GetFiles(Path.Combine(Docs, "scenarios"))).Concat(Pages.PackageReadmeTests.Files)
            .Prepend(Path.Combine(RepositoryRoot.FullPath, "README.md")).Select(File.ReadAllText));

    private static readonly Dictionary<string, ToolTable> Verbs = new(
        ScenarioList.All.Select(scenario => KeyValuePair.Create("run " + scenario.Name, ToolTable.Of(scenario.Options))))
    {
        ["run users-low"] = ToolTable.Of(UsersSuite.All[0].Options),
        ["run users"] = ToolTable.Of(UsersSuite.All[^1].Options),
        ["cert"] = ToolTable.Of(CertVerb.Options),
        ["clock"] = ToolTable.Of(ClockVerb.Options),
        ["items"] = ToolTable.Of(ItemsVerb.Options),
        ["compare"] = ToolTable.Of(CompareVerb.Options),
        ["history"] = ToolTable.Of(HistoryVerb.Options),
        ["size"] = ToolTable.Of(SizeVerb.Options),
        ["export"] = ToolTable.Of(ExportVerb.Options),
        ["merge"] = ToolTable.Of(MergeVerb.Options),
        ["duel direct"] = ToolTable.Of(DuelVerb.Options),
        ["search direct"] = ToolTable.Of(SearchVerb.Options),
        ["matrix direct"] = ToolTable.Of(MatrixVerb.Options),
        ["report"] = ToolTable.Of(ReportVerb.Options),
    };

    public static TheoryData<string> Options =>
        new(CodeSpan().Matches(Text).SelectMany(m => OptionName().Matches(m.Groups[1].Value)).Select(m => m.Value).Distinct());

    public static TheoryData<string> Commands => new(
        CodeBlock().Matches(Text).SelectMany(m =>
            m.Groups[1].Value.Split('\n')).Where(line => TryReadCommand(line, out _, out _)).Distinct());

    public static TheoryData<string> Programs => new(ToolTable.Roles.Keys.Concat(Verbs.Keys));

    [Theory]
    [MemberData(nameof(Options))]
    public void Option_NamedInAPage_Exists(string option) =>
        Assert.Contains(option, AllNames().Concat(OptionsOfOtherPrograms).Concat(OptionsOfEveryProgram));

    [Theory]
    [MemberData(nameof(Commands))]
    public void Command_ShownInAPage_IsAccepted(string command)
    {
        Assert.True(TryReadCommand(command, out string program, out string[] args));
        Assert.Null(FindProblem(program, args));
    }

    [Fact]
    public void Lines_OfTheSample_StandInIt()
    {
        string[] sample = File.ReadAllLines(Path.Combine(RepositoryRoot.FullPath, "samples", "OwnConsumer", "Program.cs"));
        string[] shown = SampleBlock()
            .Match(File.ReadAllText(Path.Combine(Docs, "library.md"))).Groups[1].Value.Split('\n', StringSplitOptions.RemoveEmptyEntries);

        Assert.InRange(shown.Length, 3, 15);
        Assert.All(shown, line => Assert.Contains(line, sample));
    }

    [Fact]
    public void Commands_InPages_AreFound() => Assert.InRange(Commands.Count, 60, 200);

    [Theory]
    [MemberData(nameof(Programs))]
    public void Help_OfEveryProgram_NamesEveryOptionAndItsDefault(string program)
    {
        (string help, IEnumerable<(string Name, string? Default)> rows) = HelpOf(program);
        foreach ((string name, string? value) in rows)
        {
            int at = AfterName.Max(end => help.IndexOf($"\n  {name}{end}", StringComparison.Ordinal));
            Assert.True(at >= 0, $"{program} does not name {name}");
            if (value is { Length: > 0 })
                Assert.Contains($"(default {value})", Unwrap(help[at..].Split("\n  -", 3)[1]), StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Programs))]
    public void Help_OfEveryProgram_IsNoWiderThanOneHundred(string program) =>
        Assert.DoesNotContain(HelpOf(program).Help.Split('\n'), line => line.Length > 100);

    [Fact]
    public void Help_TimeoutsOfSockets_SaysThatTheyBoundTheOpening()
    {
        foreach (ToolTable role in ToolTable.Roles.Values.Where(role => role.Rows.Any(row => row.Name == "-recvTimeout")))
        {
            string help = Unwrap(role.HelpText);
            Assert.Contains("longest TCP connect, 0 for the usual; no effect on an open connection", help, StringComparison.Ordinal);
            Assert.Contains("longest handshake, 0 for the usual; no effect on an open connection", help, StringComparison.Ordinal);
        }

        Assert.Contains(ToolTable.Roles.Values, role => role.Rows.Any(row => row.Name == "-recvTimeout"));
    }

    private static string Unwrap(string help) => string.Join(' ', help.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    private static (string Help, IEnumerable<(string Name, string? Default)> Rows) HelpOf(string program)
    {
        if (ToolTable.Roles.TryGetValue(program, out ToolTable? role))
            return (role.HelpText, role.Rows);
        using StringWriter output = new(), error = new();
        Assert.Equal(0, PerfTools.Program.Run([.. program.Split(' '), "-help"], output, error));
        return (output.ToString(), Verbs[program].Rows.Select(row => ("-" + row.Name, row.Default)));
    }

    private static string? FindProblem(string program, string[] args) => (program, args) switch
    {
        ("perftools", ["cert", .. var rest]) => CertVerb.Options.Parse(rest).Problem,
        ("perftools", ["clock", .. var rest]) => ClockVerb.Options.Parse([.. rest.SkipWhile(word => !word.StartsWith('-'))]).Problem,
        ("perftools", ["items", .. var rest]) => ItemsVerb.Options.Parse(rest).Problem,
        ("perftools", ["show", not ['-', ..], ..] or ["completion", "bash" or "zsh" or "fish" or "powershell"] or ["run", "-list"]) => null,
        ("perftools", ["report", not ['-', ..], .. var rest]) => ReportVerb.Options.Parse([.. rest.SkipWhile(word => !word.StartsWith('-'))]).Problem,
        ("perftools", ["compare", not ['-', ..], not ['-', ..], .. var rest]) => CompareVerb.Options.Parse(rest).Problem,
        ("perftools", ["history", not ['-', ..], .. var rest]) => HistoryVerb.Options.Parse(rest).Problem,
        ("perftools", ["size", not ['-', ..], .. var rest]) => SizeVerb.Options.Parse(rest).Problem,
        ("perftools", ["export", not ['-', ..], .. var rest]) => ExportVerb.Options.Parse(rest).Problem,
        ("perftools", ["merge", not ['-', ..], not ['-', ..], .. var rest]) => MergeVerb.Options.Parse(rest).Problem,
        ("perftools", ["duel", var name, .. var rest]) when UsersDuel.All.FirstOrDefault(users => users.Name == name) is { } users =>
            FindDuelProblem(users.Options, rest, users.FindProblem),
        ("perftools", ["duel", var name, .. var rest]) => FindDuelProblem(ScenarioList.All.Single(s => s.Name == name), rest),
        ("perftools", ["run", "summary", .. var rest]) => FindProblem(DirectScenario.Direct, rest),
        ("perftools", ["run", var file, .. var rest]) when file.EndsWith(".json", StringComparison.Ordinal) => FindProblem(DirectScenario.Direct, rest),
        ("perftools", ["search", var file, .. var rest]) when file.EndsWith(".json", StringComparison.Ordinal) =>
            FindSearchProblem(DirectScenario.Direct, rest),
        ("perftools", ["search", var name, .. var rest]) when UsersSearch.All.FirstOrDefault(users => users.Name == name) is { } users =>
            FindSearchProblem(UsersSearch.SearchTable, users.Options, rest, (_, search) => search.FindProblemOfUsers()),
        ("perftools", ["search", var name, .. var rest]) => FindSearchProblem(SearchVerb.Scenarios.Single(s => s.Name == name), rest),
        ("perftools", ["matrix", var name, .. var rest]) => FindMatrixProblem(MatrixVerb.Scenarios.Single(s => s.Name == name), rest),
        ("perftools", ["run", var name, .. var rest]) when UsersSuite.All.FirstOrDefault(users => users.Name == name) is { } users =>
            users.Options.Parse(rest).Problem,
        ("perftools", ["run", var name, .. var rest]) => FindProblem(ScenarioList.All.Single(s => s.Name == name), rest),
        _ => ToolTable.Roles.TryGetValue(program, out ToolTable? role) ? role.FindProblem(args) : $"{program}: no such program or verb",
    };

    private static string? FindDuelProblem(Scenario scenario, string[] args) =>
        FindDuelProblem(scenario.Options, args, (runs, own) => DuelVerb.FindProblem(scenario, runs, own));

    private static string? FindDuelProblem<TRun>(OptionTable<TRun> runTable, string[] args, Func<TRun, DuelOptions, string?> findProblem)
        where TRun : class
    {
        Command command = new("duel");
        CommandOptions<DuelOptions> duel = DuelVerb.Options.AddTo(command);
        CommandOptions<TRun> common = runTable.AddTo(command);
        string here = AppContext.BaseDirectory; // where programs are: the folder of the page is an example
        ParseResult parsed = command.Parse([.. args.Select((word, i) => i > 0 && args[i - 1].EndsWith("-tools", StringComparison.Ordinal) ? here : word)],
            ParserRules.Configuration);
        (ParsedCommandLine<DuelOptions> own, ParsedCommandLine<TRun> runs) = (duel.Read(parsed), common.Read(parsed));
        return own.Problem ?? runs.Problem ?? findProblem(runs.Options!, own.Options!);
    }

    private static string? FindSearchProblem(Scenario scenario, string[] args) => FindSearchProblem(
        SearchVerb.SearchTableOf(scenario), SearchVerb.OptionsOf(scenario), args, (runs, search) => search.FindProblem(scenario, runs));

    private static string? FindSearchProblem<TRun>(OptionTable<SearchOptions> table, OptionTable<TRun> runTable, string[] args,
        Func<TRun, SearchOptions, string?> findProblem)
        where TRun : class
    {
        Command command = new("search");
        CommandOptions<SearchOptions> search = table.AddTo(command);
        CommandOptions<TRun> common = runTable.AddTo(command);
        ParseResult parsed = command.Parse(args, ParserRules.Configuration);
        (ParsedCommandLine<SearchOptions> own, ParsedCommandLine<TRun> runs) = (search.Read(parsed), common.Read(parsed));
        return own.Problem ?? runs.Problem ?? findProblem(runs.Options!, own.Options!);
    }

    private static string? FindMatrixProblem(Scenario scenario, string[] args)
    {
        Command command = new("matrix");
        CommandOptions<MatrixOptions> matrix = MatrixVerb.Options.AddTo(command);
        CommandOptions<ScenarioOptions> common = scenario.Options.AddTo(command);
        ParseResult parsed = command.Parse(args, ParserRules.Configuration);
        (ParsedCommandLine<MatrixOptions> own, ParsedCommandLine<ScenarioOptions> runs) = (matrix.Read(parsed), common.Read(parsed));
        return own.Problem ?? runs.Problem ?? own.Options!.FindProblem(scenario, runs.Options!);
    }

    // The roles' arguments in quotes are checked by the roles' own tables.
    private static string? FindProblem(Scenario scenario, string[] args)
    {
        ParsedCommandLine<ScenarioOptions> parsed = scenario.Options.Parse(args);
        return parsed.Problem
            ?? scenario.Roles.Where(role =>
                !role.HasOwnFiles).Select(role => FindProblem(role.Tool, [.. parsed.Options!.ArgumentsOf(role.Name)]))
            .FirstOrDefault(problem => problem is not null);
    }

    private static bool TryReadCommand(string line, out string program, out string[] args)
    {
        Match match = CommandLine().Match(line);
        program = match.Groups["tool"].Value.ToLowerInvariant();
        bool isSplit = ArgumentText.TrySplit(match.Groups["args"].Value, out IReadOnlyList<string> split, out _);
        args = [.. split];
        return match.Success && isSplit;
    }

    private static IEnumerable<string> AllNames() => ToolTable.Roles.Values.Concat(Verbs.Values).SelectMany(table => table.Names);

    [GeneratedRegex("(?<!`)`([^`\n]+)`(?!`)")]
    private static partial Regex CodeSpan();

    [GeneratedRegex(@"(?<=^|\s)--?[a-zA-Z?][\w.-]*")]
    private static partial Regex OptionName();

    [GeneratedRegex("^```[a-z]*\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex CodeBlock();

    [GeneratedRegex("^```csharp\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex SampleBlock();

    [GeneratedRegex(@"^(?:dotnet run -c Release --project tools/(?<tool>\w+) "
        + @"--|(?<tool>consperf|provperf|niprovperf|hubperf|usersperf|transportperf|latencyperf|perftools))(?<args>.*)$")]
    private static partial Regex CommandLine();
}
