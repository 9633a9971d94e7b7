using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools search scenario</c>: the greatest value of an option at which all thresholds hold.</summary>
internal sealed class SearchVerb(TextWriter error)
{
    public const string Name = "search";
    public const string Summary = "Finds the greatest rate, or other value, at which all thresholds hold";

    public static OptionTable<SearchOptions> Options { get; } = SearchOptions.CreateTable();

    /// <summary>The scenarios in which something can be searched: those that are asked for a rate.</summary>
    public static IEnumerable<Scenario> Scenarios => ScenarioList.All.Where(scenario => !scenario.Figures.HasNoRate);

    /// <inheritdoc cref="ScenarioRun.CreateCommand"/>
    public Func<Role, IReadOnlyList<string>, RoleCommand>? CreateCommand { get; init; }

    /// <summary>Makes a run; null for one with processes. Only tests set it.</summary>
    public Func<ScenarioOptions, RunFolder, FinishedRun>? MakeRun { get; init; }

    /// <summary>Tells how long runs take; only tests set it.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>The options of the runs of a scenario: short runs, latency from the time due.</summary>
    public static OptionTable<ScenarioOptions> OptionsOf(Scenario scenario) =>
        scenario.OptionsFrom(scenario.Defaults with { Seconds = SearchOptions.UsualSeconds, StampsDue = true });

    public RunOutcome Run(Scenario scenario, ScenarioOptions common, SearchOptions search, RunHost host)
    {
        RunConsole people = common.Outputs.TakesConsole ? new RunConsole(error) : host.Console;
        RunFolder folder = RunFolder.Open(common.Out, $"{Name}-{scenario.Name}", Clock.GetUtcNow().UtcDateTime, SearchFiles.Patterns);
        RunMaker maker = new(new RunConsole(TextWriter.Null), null, host.Signals) { CreateCommand = CreateCommand };
        using SearchRuns runs = new(scenario, common, search, folder, Clock, MakeRun ?? ((options, place) => maker.Make(scenario, options, place)));
        DateTime start = Clock.GetUtcNow().UtcDateTime;
        SearchRange range = search.Over.RangeOf(common, search.First);
        SearchResult result = new()
        {
            Scenario = scenario,
            Options = common,
            Search = search,
            Answer = SearchAnswer.Nothing,
            StartUtc = start,
            EndUtc = start,
        };
        people.WriteLine(SearchText.Headline(result));
        void Show(SearchSample sample) => people.WriteLine(SearchText.Progress(sample));
        SearchAnswer answer = new CapacitySearch(range, new(search.Budget.Seconds), runs.Measure) { Measured = Show }.Find();
        if (runs.Failure is { } failure && answer.Samples.Count == 0)
            return failure with { Reason = $"{Name} {scenario.Name}: {failure.Reason}" };
        LoadCurve? curve = search.HasCurve && answer.Value is not null && runs.Failure is null
            ? LoadCurve.Measure(range, answer, runs.Measure, Show) : null;
        runs.End();
        result = result with
        {
            Answer = answer,
            Curve = curve,
            Run = answer.Samples is [.., var last] ? runs.Find(last) : null,
            Failure = runs.Failure,
            EndUtc = Clock.GetUtcNow().UtcDateTime,
        };
        return Tell(result, folder, people, host);
    }

    private static RunOutcome Tell(SearchResult result, RunFolder folder, RunConsole people, RunHost host)
    {
        foreach (string line in SearchText.Closing(result, folder.ToString()))
            people.WriteLine(line);
        string?[] unwritten =
        [
            SearchFiles.TryWrite(folder, result),
            result.Options.Outputs.Write(
                host.Console,
                markdown: writer => SearchFiles.WriteMarkdown(writer, result),
                junit: writer => JUnitFile.Write(writer, $"{Name} {result.Scenario.Name}",
                    [new(result.Search.UntilText, result.Outcome.Code == ExitCode.Success ? null : result.Reason)]),
                json: writer => writer.Write(SearchFile.CreateText(result))),
        ];
        return result.Outcome.WithUnwritten(unwritten.OfType<string>().ToArray() is [_, ..] failures ? string.Join("; ", failures) : null);
    }
}
