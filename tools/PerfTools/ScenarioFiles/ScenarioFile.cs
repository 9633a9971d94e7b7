using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Results.Files;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;

namespace PerfTools.ScenarioFiles;

/// <summary>Reads a scenario file: JSON with comments. Every mistake is reported with its line (docs/scenario-files.md).</summary>
/// <remarks>The option table of a scenario defines the names and the values of its options.</remarks>
internal sealed class ScenarioFile
{
    /// <summary>The extension of such files.</summary>
    public const string Extension = ".json";

    /// <summary>The maximum number of runs; more are a mistake.</summary>
    public const int MaxRuns = 200;

    private const int MaxBytes = 1_048_576;

    private readonly FileProblems _problems;
    private readonly HashSet<(int Line, string Problem)> _told = [];
    private readonly IReadOnlyList<string> _overrides;

    private readonly Func<Scenario, ScenarioOptions> _defaultsOf;

    private ScenarioFile(FileProblems problems, IReadOnlyList<string> overrides, Func<Scenario, ScenarioOptions>? defaultsOf) =>
        (_problems, _overrides, _defaultsOf) = (problems, overrides, defaultsOf ?? (static scenario => scenario.Options.Defaults));

    /// <summary>Reads a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="overrides">The options of the command line, which take precedence over the file.</param>
    /// <param name="defaultsOf">The defaults of options that the file does not set; null for those of a run.</param>
    /// <returns>The runs that it requests, or its mistakes, a line each.</returns>
    /// <exception cref="SetupException">The file cannot be read (exit code 3).</exception>
    public static (ScenarioPlan? Plan, IReadOnlyList<string> Problems) Read(
        string path, IReadOnlyList<string> overrides, Func<Scenario, ScenarioOptions>? defaultsOf = null) =>
        Parse(ResultFile.ReadText(path, MaxBytes), path, overrides, defaultsOf);

    /// <summary>Reads the text of a file.</summary>
    /// <inheritdoc cref="Read"/>
    public static (ScenarioPlan? Plan, IReadOnlyList<string> Problems) Parse(
        string text, string path, IReadOnlyList<string> overrides, Func<Scenario, ScenarioOptions>? defaultsOf = null)
    {
        FileProblems problems = new(path);
        ScenarioPlan? plan = null;
        try
        {
            plan = new ScenarioFile(problems, overrides, defaultsOf).ReadPlan(JsonNode.Parse(text), Path.GetFileNameWithoutExtension(path));
        }
        catch (JsonException error)
        {
            problems.Add((int)(error.LineNumber ?? 0) + 1, "not JSON: " + PrintableText.From(error.Message.Split(" LineNumber:")[0]));
        }

        return (problems.Lines.Count == 0 ? plan : null, problems.Lines);
    }

    private ScenarioPlan? ReadPlan(JsonNode file, string stem)
    {
        if (!Is(file, JsonValueKind.Object, "the file"))
            return null;
        bool hasRuns = Find(file, FileNames.Runs) is not null;
        Members(file, hasRuns ? FileNames.BesideRuns : FileNames.OfFile);
        string name = Text(file, FileNames.Name) ?? stem;
        string? summary = Text(file, FileNames.Summary);
        _ = Text(file, FileNames.Schema);
        List<(JsonNode Part, PlannedRun Run)> runs = [];
        if (!hasRuns)
            AddRun(file, null, runs);
        else if (Find(file, FileNames.Runs) is { } list && Is(list, JsonValueKind.Array, FileNames.Runs))
            ReadRuns(list, runs);
        RunMatrix matrix = new(_problems, Find(file, FileNames.Matrix));
        if ((long)runs.Count * matrix.Count > MaxRuns)
        {
            _problems.Add(file.Line, string.Create(CultureInfo.InvariantCulture, $"more than {MaxRuns} runs"));
            return null;
        }

        PlannedRun[] all = [.. runs.SelectMany(run => matrix.Vary(run.Run).Select(one => Complete(run.Part, one)).OfType<PlannedRun>())];
        if (_problems.Lines.Count > 0)
            return null;
        foreach (IGrouping<string, PlannedRun> same in all.GroupBy(run => run.Folder, StringComparer.OrdinalIgnoreCase).Where(same => same.Count() > 1))
            _problems.Add(file.Line, $"the folder {same.Key} would hold several runs: {string.Join("; ", same.Select(run => run.Title))}");
        return new(name, summary, all);
    }

    private void ReadRuns(JsonNode list, List<(JsonNode, PlannedRun)> runs)
    {
        if (list.Items.Count == 0)
            _problems.Add(list.Line, $"{FileNames.Runs} is empty");
        HashSet<string> names = [];
        foreach (JsonNode entry in list.Items.Take(MaxRuns + 1).Where(entry => Is(entry, JsonValueKind.Object, "an entry of " + FileNames.Runs)))
        {
            Members(entry, FileNames.OfRun);
            string name = Text(entry, FileNames.Name) ?? Text(entry, FileNames.Scenario, tellsProblem: false) ?? "";
            if (!names.Add(name))
                _problems.Add(entry.Line, $"two runs are called {name}; give each a {FileNames.Name}");
            AddRun(entry, name, runs);
        }
    }

    private void AddRun(JsonNode part, string? name, List<(JsonNode, PlannedRun)> runs)
    {
        if (ReadScenario(part, name) is not { } run)
            return;
        if (Find(part, FileNames.Options) is { } given && Is(given, JsonValueKind.Object, FileNames.Options))
        {
            foreach (JsonMember option in Members(given, null))
                run = run.WithOption(_problems, option.Name, option.Line, option.Value) ?? run;
        }

        runs.Add((part, ReadRoles(part, run).WithAssertions(_problems, Find(part, FileNames.Assert))));
    }

    private PlannedRun? ReadScenario(JsonNode part, string? name)
    {
        if (Find(part, FileNames.Scenario) is null)
        {
            _problems.Add(part.Line, $"{FileNames.Scenario} is missing: one of {Scenarios}");
            return null;
        }

        if (Text(part, FileNames.Scenario) is not { } named)
            return null;
        if (ScenarioList.All.FirstOrDefault(scenario => scenario.Name == named) is { } found)
            return new PlannedScenario(name, found, _defaultsOf(found));
        if (UsersSuite.All.FirstOrDefault(suite => suite.Name == named) is { } users)
            return new PlannedRamps(name, users, users.Options.Defaults);
        _problems.Add(Find(part, FileNames.Scenario)!.Line, $"{FileNames.Scenario}: {PrintableText.From(named)} is none of {Scenarios}");
        return null;
    }

    private PlannedRun ReadRoles(JsonNode part, PlannedRun run)
    {
        if (Find(part, FileNames.Roles) is not { } roles || !Is(roles, JsonValueKind.Object, FileNames.Roles))
            return run;
        foreach (JsonMember role in Members(roles, run.RoleNames).Where(role => Is(role.Value, JsonValueKind.Object, role.Name)))
        {
            foreach (JsonMember member in Members(role.Value, run.RoleMembers))
                run = run.WithRole(_problems, role.Name, member) ?? run;
        }

        return run;
    }

    private PlannedRun? Complete(JsonNode part, PlannedRun run)
    {
        if (run.Complete(_overrides, out string? problem) is { } complete)
            return complete;
        if (_told.Add((part.Line, problem!)))
            _problems.Add(part.Line, run.Title.Length > 0 ? $"{problem} ({run.Title})" : problem!);
        return null;
    }

    // The members of an object, each name once; unknown names are mistakes.
    private IReadOnlyList<JsonMember> Members(JsonNode part, IReadOnlyList<string>? known)
    {
        foreach (JsonMember twice in part.Members.Except(part.Members.DistinctBy(member => member.Name)))
            _problems.Add(twice.Line, $"{PrintableText.From(twice.Name)} is given twice");
        if (known is null)
            return part.Members;
        foreach (JsonMember unknown in part.Members.Where(member => !known.Contains(member.Name)))
            _problems.Add(unknown.Line, ClosestName.Refuse(PrintableText.From(unknown.Name), "name", known, $"known are {string.Join(", ", known)}"));
        return [.. part.Members.Where(member => known.Contains(member.Name))];
    }

    private string? Text(JsonNode part, string name, bool tellsProblem = true) => Find(part, name) is not { } value ? null
        : value.Kind == JsonValueKind.String || (tellsProblem && Is(value, JsonValueKind.String, name)) ? value.Text : null;

    private bool Is(JsonNode part, JsonValueKind kind, string what)
    {
        if (part.Kind != kind)
            _problems.Add(part.Line, $"{what} must be {(kind == JsonValueKind.Object ? "an object" : kind == JsonValueKind.Array ? "a list" : "a text")}");
        return part.Kind == kind;
    }

    private static JsonNode? Find(JsonNode part, string name) => part.Members.FirstOrDefault(member => member.Name == name)?.Value;

    private static string Scenarios => string.Join(", ", ScenarioList.All.Select(scenario => scenario.Name).Concat(UsersSuite.All.Select(suite => suite.Name)));
}
