using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary>Measures the values of a search: in one run whose roles stay up while its rate changes, or in a separate run each.</summary>
/// <param name="scenario">The scenario.</param>
/// <param name="common">The options of all runs.</param>
/// <param name="search">The options of the search.</param>
/// <param name="folder">The folder of the search.</param>
/// <param name="clock">The clock for the duration of runs.</param>
/// <param name="make">Carries out a run.</param>
internal sealed class SearchRuns(Scenario scenario, ScenarioOptions common, SearchOptions search, RunFolder folder, TimeProvider clock,
    Func<ScenarioOptions, RunFolder, FinishedRun> make) : IMeasuredRuns
{
    // A run that is not ended ends by itself, soon after the search has ended.
    private const int MarginSeconds = 30;

    private readonly SearchedValue _over = search.Over.In(scenario);
    private readonly CandidateReader _reader = new(scenario, search.Until);
    private readonly Dictionary<int, RunDocument> _runs = [];
    private bool _staysUp = search.MayStayUp(scenario, common);
    private StandingRun? _standing;
    private string _standingFolder = "";

    /// <summary>The outcome of a run that was no measurement, which ends the search; null when there was none.</summary>
    public RunOutcome? Failure { get; private set; }

    /// <summary>Measures a value; null when the run was interrupted, or failed.</summary>
    public SearchSample? Measure(SearchStep step)
    {
        long start = clock.GetTimestamp();
        ScenarioOptions options = _over.Set(common, step.Value) with { Thresholds = search.Until };
        if (step.Stage == SearchStage.Curve)
            options = options with { Seconds = Math.Max(options.Seconds, LoadCurve.MinSeconds) };
        (RunDocument? run, string name) = (_staysUp ? TryMeasureStanding(step, options) : null) ?? MeasureAnew(step, options);
        if (run is null)
            return null;
        _runs[step.Number] = run;
        return _reader.Read(step.Value, options, run, name, clock.GetElapsedTime(start).TotalSeconds);
    }

    /// <summary>Finds the run of a sample.</summary>
    public RunDocument Find(SearchSample sample) => _runs[sample.Number];

    /// <summary>Ends the run that stays up; counts of the whole run that are not balanced are a failure.</summary>
    public void End()
    {
        if (EndStanding() is { } ended && ended.Document.Links.Any(link => link.Balanced == false))
            Failure ??= ended.Outcome;
    }

    public void Dispose() => EndStanding();

    private (RunDocument?, string) MeasureAnew(SearchStep step, ScenarioOptions options)
    {
        EndStanding();
        string name = string.Create(CultureInfo.InvariantCulture, $"{step.Number:00}-{step.Value}");
        return (Check(make(options, ScenarioRunner.OpenFolder(scenario, $"{folder}{name}")), step), name);
    }

    // Null where a role cannot be reached any more: then each value gets a new run.
    private (RunDocument?, string)? TryMeasureStanding(SearchStep step, ScenarioOptions options)
    {
        if (_standing is null)
        {
            _standingFolder = string.Create(CultureInfo.InvariantCulture, $"{step.Number:00}-standing");
            ScenarioOptions whole = options with
            {
                Seconds = search.Budget.Seconds + (search.HasCurve ? LoadCurve.MaxSeconds : 0)
                + MarginSeconds,
                Thresholds = []
            };
            _standing = new(scenario, whole, ScenarioRunner.OpenFolder(scenario, $"{folder}{_standingFolder}"), make);
        }

        try
        {
            if (_standing.Measure(options) is { } part)
                return (part, _standingFolder);
        }
        catch (SetupException)
        {
            _staysUp = false;
            return null;
        }

        FinishedRun ended = _standing.Ended!;
        EndStanding(); // the next value begins another
        return (Check(ended, step), _standingFolder);
    }

    private FinishedRun? EndStanding()
    {
        FinishedRun? ended = _standing?.End();
        _standing?.Dispose();
        _standing = null;
        return ended;
    }

    private RunDocument? Check(FinishedRun run, SearchStep step)
    {
        if (!IsNoMeasurement(run, step))
            return run.Document;
        Failure = run.Outcome;
        return null;
    }

    /// <summary>
    /// True for a run that shows nothing about its value; a run that cannot start where a lower value was kept has reached a limit.
    /// </summary>
    public static bool IsNoMeasurement(FinishedRun run, SearchStep step) => run.Document.Verdict == RunVerdict.Interrupted
        || run.Outcome.Code is ExitCode.InternalError or ExitCode.CommandLine or ExitCode.InputFile or ExitCode.OutputFile
        || (run.Outcome.Code == ExitCode.NotStarted && step.Kept is null);
}
