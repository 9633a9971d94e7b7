using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary>How the runs of a search over users are made.</summary>
/// <param name="Ramp">Makes a ramp of one step with a new hub, to its end.</param>
/// <param name="Standing">Starts roles that stay up for a number of seconds; the step of the variant is the most users that they are started for.</param>
internal sealed record UsersSearchMakers(
    Func<UsersVariant, UsersOptions, RunFolder, RunDocument> Ramp, Func<UsersVariant, UsersOptions, int, RunFolder, IStandingUsers> Standing);

/// <summary>
/// The measurements of a search over users: by roles that stay up while the number of users is set, or by a ramp of one step with a new hub each.
/// </summary>
/// <param name="load">The load.</param>
/// <param name="options">The options of all measurements.</param>
/// <param name="search">What is searched.</param>
/// <param name="folder">The folder of the search.</param>
/// <param name="clock">Tells how long they take.</param>
/// <param name="make">Makes the runs.</param>
internal sealed class UsersSearchRuns(UsersLoad load, UsersOptions options, SearchOptions search, RunFolder folder, TimeProvider clock, UsersSearchMakers make)
    : IMeasuredRuns
{
    // Roles that are not ended do so by themselves, not long after the search has ended.
    private const int MarginSeconds = 60;

    // The next doubling fits in as well.
    private const int CapacityFactor = 2;

    private readonly UsersCandidateReader _reader = new(search.Until);
    private readonly Dictionary<int, RunDocument> _runs = [];
    private bool _staysUp = search.UsersStayUp;
    private IStandingUsers? _standing;
    private RunFolder? _standingPlace;
    private string _standingName = "";
    private int _capacity; // users that the standing roles were started for
    private bool _warmsUp;

    public RunOutcome? Failure { get; private set; }

    public SearchSample? Measure(SearchStep step)
    {
        long start = clock.GetTimestamp();
        UsersOptions asked = options with { Steps = StepsOf(step.Value) };
        if (step.Stage == SearchStage.Curve)
            asked = asked with { Times = asked.Times with { PeriodSeconds = Math.Max(asked.Period, LoadCurve.MinSeconds) } };
        (RunDocument? run, string name) = (_staysUp ? TryMeasureStanding(step, asked) : null) ?? MeasureAnew(step, asked);
        if (run is null)
            return null;
        _runs[step.Number] = run;
        SearchSample sample = _reader.Read(step.Value, run, name, clock.GetElapsedTime(start).TotalSeconds);
        _warmsUp = !sample.IsKept; // the hub sends its backlog first
        return sample;
    }

    public RunDocument Find(SearchSample sample) => _runs[sample.Number];

    /// <summary>Ends the roles that stay up; counts that do not add up over all of their run are a failure.</summary>
    public void End()
    {
        if (EndStanding() is { } ended && ended.Links.Any(link => link.Balanced == false))
            Failure ??= OutcomeOf(ended);
    }

    public void Dispose() => EndStanding();

    private static StepList StepsOf(int users) => StepList.TryParse(users.ToString(CultureInfo.InvariantCulture))!;

    private UsersVariant VariantOf(UsersOptions asked) => UsersVariant.Plan(load, asked, out _)[0].WithProcesses(isFull: true, machines: 1);

    private RunFolder OpenFolder(string name) => RunFolder.Open($"{folder}{name}", name, clock.GetUtcNow().UtcDateTime, UsersFiles.OfRamp);

    private (RunDocument?, string) MeasureAnew(SearchStep step, UsersOptions asked)
    {
        EndStanding();
        string name = string.Create(CultureInfo.InvariantCulture, $"{step.Number:00}-{step.Value}");
        RunFolder place = OpenFolder(name);
        return (Check(make.Ramp(VariantOf(asked), asked, place), place, step), name);
    }

    // Null where roles cannot stay up, or refuse that number of users: each run is made anew then.
    private (RunDocument?, string)? TryMeasureStanding(SearchStep step, UsersOptions asked)
    {
        if (step.Value > _capacity)
            EndStanding();
        if (_standing is null)
            BeginStanding(step);
        try
        {
            string period = string.Create(CultureInfo.InvariantCulture, $"{step.Number:00}-{step.Value}");
            if (_standing!.Measure(new(VariantOf(asked), asked, period, _warmsUp)) is { } run)
            {
                if (HasLostUsers(run))
                    EndStanding(); // they stay away: the next value has new roles
                return (run, _standingName);
            }
        }
        catch (SetupException)
        {
            _staysUp = false;
            return null;
        }

        RunFolder place = _standingPlace!;
        RunDocument ended = EndStanding()!; // the next value begins another
        if ((ExitCode)ended.ExitCode != ExitCode.NotStarted)
            return (Check(ended, place, step), _standingName);
        _staysUp = false;
        return null;
    }

    private void BeginStanding(SearchStep step)
    {
        _capacity = Math.Clamp(CapacityFactor * step.Value, Math.Min(UsersVariant.MaxUsersOfProcess, search.Over.Max), search.Over.Max);
        UsersOptions whole = options with { Steps = StepsOf(_capacity) };
        _standingName = string.Create(CultureInfo.InvariantCulture, $"{step.Number:00}-standing");
        _standingPlace = OpenFolder(_standingName);
        int seconds = search.Budget.Seconds + (search.HasCurve ? LoadCurve.MaxSeconds : 0) + MarginSeconds;
        _standing = make.Standing(VariantOf(whole), whole, seconds, _standingPlace);
        _warmsUp = true;
    }

    private static bool HasLostUsers(RunDocument run) =>
        run.Steps is [.., var step] && (step.UsersIn < step.UsersAsked || step.Lost > 0 || step.Hub.Cut > 0);

    private RunDocument? EndStanding()
    {
        RunDocument? ended = _standing?.End();
        _standing?.Dispose();
        _standing = null;
        _capacity = 0;
        return ended;
    }

    private RunDocument? Check(RunDocument run, RunFolder place, SearchStep step)
    {
        RunOutcome outcome = OutcomeOf(run);
        if (!SearchRuns.IsNoMeasurement(new(place, run, outcome), step))
            return run;
        Failure = outcome;
        return null;
    }

    private RunOutcome OutcomeOf(RunDocument run) =>
        run.Reason is { } reason ? new((ExitCode)run.ExitCode, $"run {load.Name}: {reason}") : RunOutcome.Success;
}
