using System.Diagnostics;
using System.Globalization;
using PerfCommon;
using PerfTools.Control;
using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary>A measurement of roles that stay up.</summary>
/// <param name="Variant">A load with one step, the number of users.</param>
/// <param name="Options">Its times.</param>
/// <param name="Period">A name that no other measurement has.</param>
/// <param name="WarmsUp">True where the warm-up precedes the measurement: of new roles, and after a number of users that was too high.</param>
internal sealed record StandingMeasurement(UsersVariant Variant, UsersOptions Options, string Period, bool WarmsUp);

/// <summary>Hub, sources and processes with users that stay up while the number of users is set.</summary>
internal interface IStandingUsers : IDisposable
{
    /// <summary>The run when it is over.</summary>
    RunDocument? Ended { get; }

    /// <summary>Sets the number of users and measures a period once all are logged in; null when the run ended meanwhile.</summary>
    /// <exception cref="SetupException">A role cannot be reached, or refuses.</exception>
    RunDocument? Measure(StandingMeasurement asked);

    /// <summary>Ends the run in good order and waits for it.</summary>
    RunDocument End();
}

/// <summary>The same as processes.</summary>
/// <param name="share">The processes that are started.</param>
/// <param name="options">The options of all measurements.</param>
/// <param name="folder">Their folder.</param>
/// <param name="stop">The user's wish to end early.</param>
/// <param name="make">Makes the run, on a new thread; the request ends it.</param>
internal sealed class StandingUsers(RampShare share, UsersOptions options, RunFolder folder, StopRequest stop, Func<StopRequest, RunDocument> make)
    : IStandingUsers
{
    private const int LookMillis = 100;
    private const string UsersIn = "usersIn", UsersAsked = "usersAsked";

    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(120);
    private static readonly TimeSpan LoginPatience = TimeSpan.FromSeconds(10); // beyond the time that log-ins take at their rate
    private static readonly TimeSpan PeriodPatience = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan CollectionPatience = TimeSpan.FromSeconds(3);

    private readonly ControlClient _client = new();
    private readonly CancellationTokenSource _end = CancellationTokenSource.CreateLinkedTokenSource(stop.Requested);
    private readonly UsersRole[] _roles = [.. share.Roles.Select(name => new UsersRole(name, ToolOf(name), folder))];
    private readonly LoadLog _load = new();
    private Task<RunDocument>? _run;

    public RunDocument? Ended => Run.IsCompleted ? Run.GetAwaiter().GetResult() : null;

    // The request is the user's, or follows from roles that do not answer.
    private Task<RunDocument> Run => _run ??= Task.Factory.StartNew(
        () => make(new(FindStop, _end.Token)),
        CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private IEnumerable<UsersRole> Users => _roles.Where(role => role.Tool == ToolNames.Users);

    public RunDocument? Measure(StandingMeasurement asked)
    {
        int users = asked.Variant.Steps.Totals[0];
        if (!WaitUntil(() => Users.All(role => Read(role, UsersIn) > 0), StartLimit))
            return null;
        int change = Math.Abs(users - (int)Sum(UsersAsked));
        Set(index => ControlVerb.Share([string.Create(CultureInfo.InvariantCulture, $"users={users}")], index, share.Users.Count)[0]);
        TimeSpan logins = TimeSpan.FromSeconds((double)change / asked.Options.Logins);
        TimeSpan settling = TimeSpan.FromSeconds(asked.Options.Settle + (asked.WarmsUp ? asked.Options.Warmup : 0));
        if (!WaitUntil(() => Sum(UsersAsked) == users && Sum(UsersIn) == users, logins + LoginPatience) || !WaitUntil(() => false, settling))
            return null;
        Set(_ => string.Create(CultureInfo.InvariantCulture, $"period={asked.Period}:{asked.Options.Period}"));
        StandingUsersReader reader = new(_roles, options);
        DateTime? end = null;
        if (!WaitUntil(() => (end = reader.FindEnd(asked.Period)) is not null, TimeSpan.FromSeconds(asked.Options.Period) + PeriodPatience))
            return null;
        if (end is null)
            throw new SetupException(SetupProblem.NotStarted, $"users: no figures of the period {asked.Period}");
        WaitUntil(() => _roles.All(role => role.LastInterval?.Utc >= end), CollectionPatience); // the hub's are those of its collections
        return reader.Read(asked.Variant, asked.Period, _load);
    }

    public RunDocument End()
    {
        try
        {
            if (!Run.IsCompleted)
                Set(_ => "end=now");
        }
        catch (SetupException)
        {
            _end.Cancel(); // roles that cannot be reached end by signals
        }

        return Run.GetAwaiter().GetResult();
    }

    public void Dispose()
    {
        _client.Dispose();
        _end.Dispose();
    }

    private ExitCode? FindStop()
    {
        if (stop.Code() is { } code)
            return code;
        return _end.IsCancellationRequested ? ExitCode.Terminated : null;
    }

    private static string ToolOf(string name) => name switch
    {
        UsersOptions.HubRole => ToolNames.Hub,
        _ when name.StartsWith(UsersOptions.SourceRole, StringComparison.Ordinal) => ToolNames.Source,
        _ => ToolNames.Users,
    };

    private static double? Read(UsersRole role, string gauge) =>
        role.LastInterval is { } last ? new JsonView(last.Line).Number("overall.gauges." + gauge) : null;

    private double Sum(string gauge) => Users.Sum(role => Read(role, gauge) ?? 0);

    // Each process with users, by its place among them; once more where it was too busy to answer.
    private void Set(Func<int, string> value)
    {
        IReadOnlyList<ControlledRole> found = ControlledRole.FindIn(folder.FullPath);
        foreach ((int index, int part) in share.Users.Index())
        {
            string name = UsersRun.NameOfUsers(part);
            ControlledRole role = found.FirstOrDefault(one => one.Name == name)
                ?? throw new SetupException(SetupProblem.NotStarted, $"{name}: takes no changes");
            try
            {
                _client.Request(role, [value(index)]);
            }
            catch (SetupException problem) when (problem.Problem == SetupProblem.NotStarted)
            {
                _client.Request(role, [value(index)]);
            }
        }
    }

    // False when the run is over; true as well when the limit has passed.
    private bool WaitUntil(Func<bool> isReached, TimeSpan limit)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!Run.Wait(LookMillis))
        {
            foreach (UsersRole role in _roles)
                role.Read();
            _load.Look();
            if (isReached() || waited.Elapsed >= limit)
                return true;
        }

        return false;
    }
}
