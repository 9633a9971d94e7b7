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
        DateTime start = Clock.GetUtcNow().UtcDateTime;
        SearchResult asked = new()
        {
            Scenario = scenario,
            Options = common,
            Search = search,
            Answer = SearchAnswer.Nothing,
            StartUtc = start,
            EndUtc = start,
        };
        people.WriteLine(SearchText.Headline(asked));
        SearchResult result = Measure(asked, options =>
            new(scenario, options, search, folder, Clock, MakeRun ?? ((own, place) => maker.Make(scenario, own, place))), people);
        if (result.Failure is { } failure && result.Answer.Samples.Count == 0)
            return failure with { Reason = $"{Name} {scenario.Name}: {failure.Reason}" };
        return Tell(result with { EndUtc = Clock.GetUtcNow().UtcDateTime }, folder, people, host);
    }

    // The value, then the curves that are asked for.
    private static SearchResult Measure(SearchResult asked, Func<ScenarioOptions, SearchRuns> createRuns, RunConsole people)
    {
        (ScenarioOptions common, SearchOptions search) = (asked.Options, asked.Search);
        SearchRange range = search.Over.RangeOf(common, search.First);
        int number = 0;
        void Show(SearchSample sample)
        {
            number = sample.Number;
            people.WriteLine(SearchText.Progress(sample));
        }

        using SearchRuns runs = createRuns(common);
        SearchAnswer answer = new CapacitySearch(range, new(search.Budget.Seconds), runs.Measure) { Measured = Show }.Find();
        LoadCurve? curve = search.HasCurve && answer.Value is not null && runs.Failure is null
            ? LoadCurve.Measure(range, answer, runs.Measure, Show, number) : null;
        runs.End();
        using SearchRuns others = createRuns(common with { StampsDue = !common.StampsDue });
        LoadCurve? other = curve is not null && search.HasBothCurves && runs.Failure is null
            ? LoadCurve.Measure(range, answer, others.Measure, Show, number) : null;
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
