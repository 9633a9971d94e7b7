using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary>The runs of a search, each anew and in a folder of its own.</summary>
/// <param name="scenario">The scenario.</param>
/// <param name="common">The options of all runs.</param>
/// <param name="search">What is searched.</param>
/// <param name="folder">The folder of the search.</param>
/// <param name="clock">Tells how long they take.</param>
/// <param name="make">Makes a run.</param>
internal sealed class SearchRuns(Scenario scenario, ScenarioOptions common, SearchOptions search, RunFolder folder, TimeProvider clock,
    Func<ScenarioOptions, RunFolder, FinishedRun> make)
{
    private readonly CandidateReader _reader = new(scenario, search.Until);
    private readonly Dictionary<string, RunDocument> _runs = [];

    /// <summary>How a run ended that was no measurement, which ends the search; null when all were.</summary>
    public RunOutcome? Failure { get; private set; }

    /// <summary>Measures a value; null when the run was interrupted, or could not be made.</summary>
    public SearchSample? Measure(SearchStep step)
    {
        long start = clock.GetTimestamp();
        string name = string.Create(CultureInfo.InvariantCulture, $"{step.Number:00}-{step.Value}");
        ScenarioOptions options = search.Over.Set(common, step.Value) with { Thresholds = search.Until };
        if (step.Stage == SearchStage.Curve)
            options = options with { Seconds = Math.Max(options.Seconds, LoadCurve.MinSeconds) };
        FinishedRun run = make(options, RunMaker.OpenFolder(scenario, $"{folder}{name}"));
        if (IsNoMeasurement(run, step))
        {
            Failure = run.Outcome;
            return null;
        }

        _runs[name] = run.Document;
        return _reader.Read(step.Value, options, run.Document, name, clock.GetElapsedTime(start).TotalSeconds);
    }

    /// <summary>The run of a sample.</summary>
    public RunDocument Find(SearchSample sample) => _runs[sample.Folder];

    // Where a lower value was kept, a run that cannot start has met a limit.
    private static bool IsNoMeasurement(FinishedRun run, SearchStep step) => run.Document.Verdict == RunVerdict.Interrupted
        || run.Outcome.Code is ExitCode.InternalError or ExitCode.CommandLine or ExitCode.InputFile or ExitCode.OutputFile
        || (run.Outcome.Code == ExitCode.NotStarted && step.Kept is null);
}
