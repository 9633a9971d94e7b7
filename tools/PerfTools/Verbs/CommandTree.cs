using System.CommandLine;
using System.CommandLine.Help;
using PerfTools.History;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary>All verbs as one tree of commands: the library parses and writes the help, the rest is ours.</summary>
internal sealed class CommandTree
{
    private const string Tool = "perftools";
    private const string Description =
        "Runs the tools together on this machine and reports the result. Every option may also be written with one dash.";

    private const string ValueOfSwitch = $"<{ParserRules.NoValueName}>";

    private readonly TextWriter _error;
    private readonly RunConsole _console;
    private readonly RunSignals _signals;
    private readonly HelpOption _help = new("-help", "--help", "-?") { Recursive = true };
    private readonly Option<bool> _version = new("-version", "--version") { Recursive = true, Description = "The version of this program" };
    private readonly Command _root = new(Tool, Description);
    private readonly Option<bool> _list = new("-list", "--list") { Description = "The scenarios, a line each" };
    private readonly Command _run = new("run", "Runs the roles of a scenario, collects their files, and reports the result");
    private readonly Command _search = new(SearchVerb.Name, SearchVerb.Summary);
    private readonly Dictionary<Command, Func<ParseResult, int>> _verbs = [];
    private readonly CompletedCommands _completed;
    private readonly RunVerb _runs;

    // The columns are those of the screen; null when the output is no screen.
    public CommandTree(TextWriter output, TextWriter error, int? screenColumns, RunSignals signals)
    {
        (_error, _console, _signals) = (error, new RunConsole(output), signals);
        _completed = new([_help, _version, _list]);
        _root.Options.Add(_help);
        _root.Options.Add(_version);
        _root.Subcommands.Add(_run);
        _run.Options.Add(_list);
        if (_help.Action is HelpAction helpAction)
            helpAction.MaxWidth = Math.Min(screenColumns ?? HelpText.MaxWidth, HelpText.MaxWidth);
        _runs = new(screenColumns, error);
        foreach (Scenario scenario in ScenarioList.All)
        {
            Command verb = new(scenario.Name, scenario.Summary);
            AddVerb(_run, verb, scenario.Options, (options, host) => _runs.Run(scenario, options, host));
        }

        foreach (UsersSuite users in UsersSuite.All)
            AddVerb(_run, new Command(users.Name, users.Summary), users.Options, new UsersVerb(users, error).Run);
        AddFolders(ReportVerb.Name, ReportVerb.Summary, "folders with results", ReportVerb.Options, ReportVerb.Run);
        AddWordsVerb("show", "folder", ShowVerb.Summary, new ShowVerb(screenColumns).Run);
        AddWordsVerb(ControlVerb.Name, "folder or address", ControlVerb.Summary, ControlVerb.Run);
        AddArguments(CompareVerb.Name, CompareVerb.Summary, "folder", "two folders with a run, or with repeated runs: A, then B", CompareVerb.Options,
            folders => folders.Count == 2 ? null : "name two folders, A and B",
            (folders, options, host) => new CompareVerb(_error).Run(folders[0], folders[1], options, host));
        AddOneFolder(HistoryVerb.Name, HistoryVerb.Summary, HistoryVerb.Options, HistoryVerb.Run);
        AddOneFolder(SizeVerb.Name, SizeVerb.Summary, SizeVerb.Options, new SizeVerb(_error).Run);
        AddOneFolder(ExportVerb.Name, ExportVerb.Summary, ExportVerb.Options, ExportVerb.Run);
        AddFolders(MergeVerb.Name, MergeVerb.Summary, "folders of the ranks of a run, or with results of single programs", MergeVerb.Options, MergeVerb.Run);
        AddDuel();
        AddSearch();
        AddMatrix();
        AddVerb(_root, new Command("items", ItemsVerb.Summary), ItemsVerb.Options, ItemsVerb.Run);
        AddCompletion();
        AddVerb(_root, new Command("cert", CertVerb.Summary), CertVerb.Options, CertVerb.Run);
        AddArguments(ClockVerb.Name, ClockVerb.Summary, "peer", "host:port where perftools clock --listen answers", ClockVerb.Options, _ => null, ClockVerb.Run);
    }

    /// <summary>Executes the command line; the result is the exit code.</summary>
    public int Run(string[] args)
    {
        if (ScenarioFileVerb.IsMeantBy(args) && !args.Contains(_help.Name) && !args.Any(_help.Aliases.Contains))
            return ToolProgram.Run(Tool, _console, _error, host => ScenarioFileVerb.Run(args, _runs, host, _error), _signals);
        if (SearchedFile.IsMeantBy(args))
        {
            if (TryAddSearchOf(args[1], out int code))
                args = [SearchVerb.Name, SearchedFile.Word, .. args[2..]];
            else
                return code;
        }

        ParseResult parsed = _root.Parse(args, ParserRules.Configuration);
        if (parsed.Action is HelpAction)
            return PrintHelp(parsed);
        if (parsed.GetValue(_version))
            return ToolProgram.Print(_console, $"{Tool} {ProgramVersion.Of(typeof(CommandTree).Assembly)}\n");
        if (ParserRules.FindDirective(args) is { } directive)
            return Refuse($"{directive}: unexpected argument");
        Command command = parsed.CommandResult.Command;
        if (command == _run && parsed.UnmatchedTokens.Count == 0 && parsed.GetValue(_list))
            return ToolProgram.Print(_console, RunList.Describe());
        if (_verbs.TryGetValue(command, out Func<ParseResult, int>? verb))
            return verb(parsed);
        return parsed.UnmatchedTokens is [string stray, ..]
            ? Refuse(DescribeStray(command, stray))
            : PrintHelp(_root.Parse([.. args, _help.Name], ParserRules.Configuration));
    }

    private void AddVerb<T>(Command parent, Command verb, OptionTable<T> table, Func<T, RunHost, RunOutcome> run)
        where T : class
    {
        CommandOptions<T> options = AddOptions(verb, table);
        parent.Subcommands.Add(verb);
        _verbs.Add(verb, parsed =>
        {
            ParsedCommandLine<T> read = options.Read(parsed);
            return read.Options is null ? Refuse(read.Problem!) : ToolProgram.Run(Tool, _console, _error, host => run(read.Options, host), _signals);
        });
    }

    private void AddOneFolder<TOwn>(string name, string summary, OptionTable<TOwn> table, Func<string, TOwn, RunHost, RunOutcome> run)
        where TOwn : class => AddArguments(name, summary, "folder", "a folder with folders of runs", table,
            folders => folders.Count == 1 ? null : "name one folder", (folders, options, host) => run(folders[0], options, host));

    private void AddFolders<TOwn>(
        string name, string summary, string description, OptionTable<TOwn> table, Func<IReadOnlyList<string>, TOwn, RunHost, RunOutcome> run)
        where TOwn : class => AddArguments(name, summary, "folder", description, table, folders => folders.Count > 0 ? null : "name the folders", run);

    // A verb with words after it, and options. The problem of the words is the end of a sentence; null for none.
    private void AddArguments<TOwn>(string name, string summary, string word, string description, OptionTable<TOwn> table,
        Func<IReadOnlyList<string>, string?> findProblem, Func<IReadOnlyList<string>, TOwn, RunHost, RunOutcome> run)
        where TOwn : class
    {
        Argument<string[]> argument = new(word) { Arity = ArgumentArity.ZeroOrMore, Description = description };
        Command verb = new(name, summary) { argument };
        CommandOptions<TOwn> options = AddOptions(verb, table);
        _root.Subcommands.Add(verb);
        _verbs.Add(verb, parsed =>
        {
            string[] words = parsed.GetValue(argument) ?? [];
            if (Array.Find(words, given => given.StartsWith('-')) is { } stray)
                return Refuse(options.RefuseOption(stray));
            ParsedCommandLine<TOwn> read = options.Read(parsed);
            if (read.Options is null)
                return Refuse(read.Problem!);
            return findProblem(words) is { } problem
                ? Refuse($"{name}: {problem}") : ToolProgram.Run(Tool, _console, _error, host => run(words, read.Options, host), _signals);
        });
    }

    private void AddDuel()
    {
        DuelVerb duel = new(_error);
        Command verb = new(DuelVerb.Name, DuelVerb.Summary);
        AddOfScenarios(verb, ScenarioList.All, scenario => scenario.Options, DuelVerb.Options, DuelVerb.FindProblem, duel.Run);
        foreach (UsersDuel users in UsersDuel.All)
        {
            AddPair(verb, new(users.Name, users.Summary), DuelVerb.Options, users.Options, users.FindProblem,
                (common, own, host) => duel.Run(users, common, own, host));
        }
    }

    private void AddSearch()
    {
        SearchVerb search = new(_error);
        _root.Subcommands.Add(_search);
        foreach (Scenario scenario in SearchVerb.Scenarios)
            AddSearchOf(new SearchedScenario(scenario.Name, SearchVerb.SearchTableOf(scenario), scenario, SearchVerb.OptionsOf(scenario)), scenario.Name, search);
        foreach (UsersSearch users in UsersSearch.All)
            AddSearchOf(new SearchedRamps(users.Name, UsersSearch.SearchTable, users), users.Name, search);
    }

    private void AddSearchOf(SearchedFile subject, string word, SearchVerb search)
    {
        if (subject is SearchedScenario { Scenario: var scenario } one)
        {
            AddPair(_search, new(word, scenario.Summary), one.SearchTable, one.Options, (common, own) => own.FindProblem(scenario, common),
                (common, own, host) => search.Run(scenario, common, own, host, one.Name));
        }
        else if (subject is SearchedRamps { Users: var users } ramps)
        {
            AddPair(_search, new(word, users.Summary), ramps.SearchTable, users.Options, (_, own) => own.FindProblemOfUsers(),
                (common, own, host) => users.Run(common, own, host, search));
        }
    }

    // Adds a command for a scenario file, with the options of the file; false, and the exit code, where it cannot be read.
    private bool TryAddSearchOf(string path, out int code)
    {
        SearchedFile? file = null;
        code = ToolProgram.Run(Tool, _console, _error, _ =>
        {
            file = SearchedFile.Read(path, _error);
            return RunOutcome.Success;
        }, _signals);
        if (file is null)
            return false;
        AddSearchOf(file, SearchedFile.Word, new(_error));
        return true;
    }

    private void AddMatrix()
    {
        MatrixVerb matrix = new(_error);
        AddOfScenarios(new(MatrixVerb.Name, MatrixVerb.Summary), MatrixVerb.Scenarios, scenario => scenario.Options, MatrixVerb.Options,
            (scenario, common, own) => own.FindProblem(scenario, common), matrix.Run);
    }

    // A verb with a command for each scenario, which has the options of a run and those of the verb.
    private void AddOfScenarios<TOwn>(
        Command verb, IEnumerable<Scenario> scenarios, Func<Scenario, OptionTable<ScenarioOptions>> optionsOf, OptionTable<TOwn> ownOptions,
        Func<Scenario, ScenarioOptions, TOwn, string?> findProblem, Func<Scenario, ScenarioOptions, TOwn, RunHost, RunOutcome> run)
        where TOwn : class
    {
        _root.Subcommands.Add(verb);
        foreach (Scenario scenario in scenarios)
        {
            AddPair(verb, new(scenario.Name, scenario.Summary), ownOptions, optionsOf(scenario), (common, own) => findProblem(scenario, common, own),
                (common, own, host) => run(scenario, common, own, host));
        }
    }

    // A command with the options of a run and those of its verb.
    private void AddPair<TRun, TOwn>(Command verb, Command command, OptionTable<TOwn> ownOptions, OptionTable<TRun> runOptions,
        Func<TRun, TOwn, string?> findProblem, Func<TRun, TOwn, RunHost, RunOutcome> run)
        where TRun : class
        where TOwn : class
    {
        CommandOptions<TOwn> own = AddOptions(command, ownOptions);
        CommandOptions<TRun> common = AddOptions(command, runOptions);
        verb.Subcommands.Add(command);
        _verbs.Add(command, parsed =>
        {
            (ParsedCommandLine<TOwn> asked, ParsedCommandLine<TRun> runs) = (own.Read(parsed), common.Read(parsed));
            string? live = runs.Options is ScenarioOptions { Outputs.LivePort: not null } ? "--serve: only perftools run has a live page"
                : verb == _search && runs.Options is ScenarioOptions { Ranks.Rank: not null }
                ? "--rank: a search takes one machine; run, duel and matrix take several" : null;
            return (runs.Problem ?? asked.Problem ?? live ?? findProblem(runs.Options!, asked.Options!)) is { } problem
                ? Refuse(problem) : ToolProgram.Run(Tool, _console, _error, host => run(runs.Options!, asked.Options!, host), _signals);
        });
    }

    // A verb that accepts words of one kind and has no options.
    private void AddWordsVerb(string name, string kind, string summary, Func<IReadOnlyList<string>, RunHost, RunOutcome> run,
        params string[] known)
    {
        string description = known.Length > 0 ? string.Join(" or ", known) : $"a {kind} with results";
        Argument<string[]> argument = new(kind) { Arity = ArgumentArity.ZeroOrMore, Description = description };
        argument.CompletionSources.Add(known);
        Command verb = new(name, summary) { argument };
        _root.Subcommands.Add(verb);
        _verbs.Add(verb, parsed => parsed.GetValue(argument) switch
        {
            null or [] => Refuse($"{name}: name a {kind}"),
            { } words when Array.Find(words, word => word.StartsWith('-')) is { } stray =>
                Refuse($"{name}: {ClosestName.Refuse(stray, "option", [_help.Name, _version.Name])}"),
            { } words when known.Length > 0 && Array.Find(words, word => !known.Contains(word)) is { } stray =>
                Refuse($"{name}: {ClosestName.Refuse(stray, kind, known)}"),
            { } words => ToolProgram.Run(Tool, _console, _error, host => run(words, host), _signals),
        });
    }

    private void AddCompletion() => AddWordsVerb(
        "completion", "shell", "Prints a script by which a shell completes verbs, scenarios and options",
        (shells, host) =>
        {
            host.Console.Write(output => output.Write(CompletionScript.Create(shells[0], Tool, [.. _completed.Find(_root)])));
            return RunOutcome.Success;
        },
        [.. CompletionScript.Shells]);

    private CommandOptions<T> AddOptions<T>(Command command, OptionTable<T> table)
        where T : class
    {
        CommandOptions<T> options = table.AddTo(command);
        _completed.Add(command, options.Completed);
        return options;
    }

    private string DescribeStray(Command command, string stray)
    {
        if (stray.StartsWith('-'))
        {
            return ClosestName.Refuse(stray.Split('=', ':')[0], "option",
                [_help.Name, _version.Name, .. command == _run ? [_list.Name] : Array.Empty<string>()]);
        }

        if (command.Name is SearchVerb.Name or DuelVerb.Name && stray == UsersSearch.AllLoads)
            return $"{command.Name}: {stray} has several loads, each with its own number of users; name one: {UsersLoad.AllNames}";
        string problem = ClosestName.Refuse(stray, command == _root ? "verb" : "scenario", [.. command.Subcommands.Select(sub => sub.Name)]);
        return command == _root ? problem : $"{command.Name}: {problem}";
    }

    private int PrintHelp(ParseResult parsed)
    {
        using StringWriter text = new() { NewLine = "\n" };
        InvocationConfiguration printing = new() { Output = text, ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false };
        parsed.Invoke(printing);
        return ToolProgram.Print(_console, text.ToString().Replace(ValueOfSwitch, new string(' ', ValueOfSwitch.Length), StringComparison.Ordinal));
    }

    private int Refuse(string problem) => ToolProgram.Refuse(Tool, _error, problem);
}
