using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools search scenario</c>: finds the maximum value of an option at which all thresholds are kept.</summary>
internal sealed class SearchVerb(TextWriter error)
{
    public const string Name = "search";
    public const string Summary = "Finds the greatest rate, number of users or other value at which all thresholds hold";

    /// <summary>The options of a search in a scenario with a rate.</summary>
    public static OptionTable<SearchOptions> Options { get; } = SearchOptions.CreateTable();

    /// <summary>The scenarios that can be searched: every one.</summary>
    public static IEnumerable<Scenario> Scenarios => ScenarioList.All;

    /// <inheritdoc cref="ScenarioRun.CreateCommand"/>
    public Func<Role, IReadOnlyList<string>, RoleCommand>? CreateCommand { get; init; }

    /// <summary>Carries out a run; null for one with processes. Only tests set it.</summary>
    public Func<ScenarioOptions, RunFolder, FinishedRun>? MakeRun { get; init; }

    /// <summary>The clock for the duration of runs; only tests set it.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>Reads clocks and heat of the processors; only tests set it.</summary>
    public Func<ClockReading> ReadClocks { get; init; } = ProcessorClocks.OfThis.Read;

    /// <summary>The search options of a scenario, with their defaults.</summary>
    public static OptionTable<SearchOptions> SearchTableOf(Scenario scenario) =>
        scenario.Figures.HasNoRate ? SearchOptions.CreateTable(SearchOptions.DefaultsOf(scenario)) : Options;

    /// <summary>The default options of all runs of a scenario: short runs, latency from the time due.</summary>
    public static ScenarioOptions DefaultsOf(Scenario scenario) => scenario.Figures.HasNoRate
        ? scenario.Defaults : scenario.Defaults with { Seconds = SearchOptions.UsualSeconds, StampsDue = true };

    /// <summary>The options of the runs of a scenario.</summary>
    public static OptionTable<ScenarioOptions> OptionsOf(Scenario scenario) => scenario.OptionsFrom(DefaultsOf(scenario));

    /// <summary>Searches in a scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="common">The options of all runs.</param>
    /// <param name="search">The options of the search.</param>
    /// <param name="host">The host of the runs.</param>
    /// <param name="name">The name for the folder; null for that of the scenario.</param>
    public RunOutcome Run(Scenario scenario, ScenarioOptions common, SearchOptions search, RunHost host, string? name = null)
    {
        ScenarioRunner maker = new(new RunConsole(TextWriter.Null), null, host.Signals)
        {
            People = new(PeopleOf(common.Outputs, host)),
            CreateCommand = CreateCommand,
        };
        return Run(SearchSubject.Of(scenario, common, search) with { FolderName = name ?? scenario.Name }, search, host,
            (isOther, folder) => new SearchRuns(scenario,
            isOther ? common with { StampsDue = !common.StampsDue } : common, search, folder, Clock,
            MakeRun ?? ((own, place) => maker.Make(scenario, own, place))));
    }

    /// <summary>Searches in any subject.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="search">The options of the search.</param>
    /// <param name="host">The host of the runs.</param>
    /// <param name="createRuns">Creates the measurements; with the other time of latency where the argument is true.</param>
    public RunOutcome Run(SearchSubject subject, SearchOptions search, RunHost host, Func<bool, RunFolder, IMeasuredRuns> createRuns)
    {
        RunConsole people = PeopleOf(subject.Outputs, host);
        RunFolder folder = RunFolder.Open(subject.Out, $"{Name}-{subject.FolderName ?? subject.Name}", Clock.GetUtcNow().UtcDateTime, SearchFiles.Patterns);
        DateTime start = Clock.GetUtcNow().UtcDateTime;
        SearchResult asked = new()
        {
            Subject = subject,
            Search = search,
            Answer = SearchAnswer.Nothing,
            StartUtc = start,
            EndUtc = start,
        };
        people.WriteLine(SearchText.Headline(asked));
        SearchResult result = Measure(asked, isOther => createRuns(isOther, folder), people);
        if (result.Failure is { } failure && result.Answer.Samples.Count == 0)
            return failure with { Reason = $"{Name} {subject.Name}: {failure.Reason}" };
        return Report(result with { EndUtc = Clock.GetUtcNow().UtcDateTime }, folder, people, host);
    }

    /// <summary>The console for people: another one than that of an output for programs.</summary>
    public RunConsole PeopleOf(ResultOutputs outputs, RunHost host) => outputs.UsesConsole ? new RunConsole(error) : host.Console;

    // Measures the value, then the requested curves.
    private SearchResult Measure(SearchResult asked, Func<bool, IMeasuredRuns> createRuns, RunConsole people)
    {
        SearchOptions search = asked.Search;
        SearchRange range = asked.Subject.Range;
        int number = 0;
        void Show(SearchSample sample)
        {
            number = sample.Number;
            people.WriteLine(SearchText.Progress(sample));
        }

        using ClockWatch clocks = new(ReadClocks, Clock);
        using IMeasuredRuns runs = createRuns(false);
        SearchAnswer answer = new CapacitySearch(range, new(search.Budget.Seconds), Watched(runs, clocks)) { Measured = Show }.Find();
        LoadCurve? curve = search.HasCurve && answer.Value is not null && runs.Failure is null
            ? LoadCurve.Measure(range, answer, Watched(runs, clocks), Show, number) : null;
        runs.End();
        using IMeasuredRuns others = createRuns(true);
        LoadCurve? other = curve is not null && search.HasBothCurves && runs.Failure is null
            ? LoadCurve.Measure(range, answer, Watched(others, clocks), Show, number) : null;
        others.End();
        return asked with
        {
            Answer = answer,
            Curve = curve,
            OtherCurve = other,
            Run = answer.Samples is [.., var last] ? runs.Find(last) : null,
            Failure = runs.Failure ?? others.Failure,
        };
    }

    private static Func<SearchStep, SearchSample?> Watched(IMeasuredRuns runs, ClockWatch clocks) => step =>
    {
        clocks.Begin();
        SearchSample? sample = runs.Measure(step);
        string? disturbance = clocks.End();
        return sample is null ? null : sample with { Disturbance = sample.Disturbance ?? disturbance };
    };

    private static RunOutcome Report(SearchResult result, RunFolder folder, RunConsole people, RunHost host)
    {
        foreach (string line in SearchText.Closing(result, folder.ToString()))
            people.WriteLine(line);
        string?[] unwritten =
        [
            SearchFiles.TryWrite(folder, result),
            result.Subject.Outputs.Write(
                host.Console,
                markdown: writer => SearchFiles.WriteMarkdown(writer, result),
                junit: writer => JUnitFile.Write(writer, $"{Name} {result.Subject.Name}",
                    [new(result.Search.UntilText, result.Outcome.Code == ExitCode.Success ? null : result.Reason)], [.. SearchFiles.ReadNumbers(result)]),
                json: writer => writer.Write(SearchFile.CreateText(result))),
        ];
        return result.Outcome.WithUnwritten(unwritten.OfType<string>().ToArray() is [_, ..] failures ? string.Join("; ", failures) : null);
    }
}
