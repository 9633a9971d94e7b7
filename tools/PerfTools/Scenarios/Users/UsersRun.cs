using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios.Users;

/// <summary>
/// One ramp of a load with a fresh hub: its roles, its steps, its verdict. In a ramp of several ranks, one rank's part of it.
/// </summary>
/// <param name="variant">The ramp.</param>
/// <param name="options">The options.</param>
/// <param name="share">The roles that are started here.</param>
/// <param name="folder">The folder for their files.</param>
internal sealed class UsersRun(UsersVariant variant, UsersOptions options, RampShare share, RunFolder folder)
{
    /// <summary>The file that notifies processes with users of the first log-in.</summary>
    public const string StartName = "start";

    private const int MoreSeconds = 60;

    // All processes check that file every few milliseconds; on a busy machine one may be a second late.
    private static readonly TimeSpan StartLead = TimeSpan.FromSeconds(2);

    private readonly UsersParameters _parameters = variant.Parameters;
    private readonly List<UsersRole> _roles = [];
    private readonly RampSchedule _schedule = new(options, variant.Steps.Totals);
    private readonly LoadLog _load = new();
    private DateTime? _startAt;
    private ControlToken? _token;
    private bool _isOver;
    private int _shown;

    /// <summary>The other ranks; null for a ramp of this machine alone.</summary>
    public RampRanks? Ranks { get; init; }

    /// <summary>Seconds for which the roles stay up, with one user per process until control sets others; null for a ramp with its steps.</summary>
    public int? StaySeconds { get; init; }

    /// <inheritdoc cref="ScenarioRun.ToolsFolder"/>
    public string? ToolsFolder { get; init; }

    /// <inheritdoc cref="ScenarioRun.Follow"/>
    public Action<string, IReadOnlyList<JsonElement>>? Follow { get; init; }

    /// <summary>The steps that were measured; after <see cref="Run"/>.</summary>
    public IReadOnlyList<StepRow> Steps { get; private set; } = [];

    /// <summary>The name of a source, by its number.</summary>
    public static string NameOfSource(int part) => FormattableString.Invariant($"source-{part}");

    /// <summary>The name of a process with users, by its number.</summary>
    public static string NameOfUsers(int part) => FormattableString.Invariant($"users-{part}");

    /// <summary>Carries out the ramp.</summary>
    /// <param name="stop">The user's request to end early.</param>
    /// <param name="show">Receives a line for each step.</param>
    /// <returns>The result; for one rank, the results of its roles.</returns>
    public RunDocument Run(StopRequest stop, Action<string> show)
    {
        double? before = CalmStart.Wait(show, stop.Requested);
        DateTime start = DateTime.UtcNow;
        MachineLoad load = new();
        RunLimits limits = new() { Run = TimeSpan.FromSeconds(PlannedSeconds + MoreSeconds), Look = TimeSpan.FromMilliseconds(100) };
        using RoleGroup group = new(limits, Ranks?.Join(stop) ?? stop);
        RunRoles(group, show);
        Look(show);
        Ranks?.PublishFailure(group.Failure);
        RampResult result = RampResult.Read(variant, options.EffectiveUntil, _roles, Loads);
        Steps = result.Steps;
        RunDocument run = CreateDocument(start, group, result, load);
        return run with { Machine = (run.Machine with { LoadBeforePercent = before }).WithTools(ToolsFolder) };
    }

    private UsersArguments Arguments => field ??= new(variant, options, share, folder)
    {
        IsRanked = Ranks is not null,
        StaySeconds = StaySeconds,
        Processors = UsersBinding.Assign(variant, options, share, UsableProcessors.Find()),
    };

    // The CPU use of others on this machine in each step so far.
    private IReadOnlyList<double?> Loads => _startAt is { } at ? StepLoads.Read(_load, at, _schedule, _roles) : [];

    // All of them have ended when it returns.
    private void RunRoles(RoleGroup group, Action<string> show)
    {
        using (ControlToken token = _token = ControlToken.Create(folder.FullPath))
        {
            if (TryStart(group, show))
                group.WaitForEnd(() => Watch(group, show));
            if (Ranks is not null)
            {
                Ranks.PublishFailure(group.Failure);
                Ranks.Serve(group, share, TimeUntilEnd);
            }

            group.EndAll();
        }
    }

    private RunDocument CreateDocument(DateTime start, RoleGroup group, RampResult result, MachineLoad load)
    {
        Verdict verdict = Ranks is not null ? Verdict.OfPart(group.Failure)
            : StaySeconds is null ? result.Judge(group.Failure) : result.JudgeStanding(group.Failure);
        double? foreign = _roles.TrueForAll(role => role.Final is not null)
            ? 100 * load.ForeignShare(_roles.Sum(role => new JsonView(role.Final).Number("process.cpuSeconds") ?? 0)) : null;
        return new RunDocument
        {
            Scenario = variant.Load.Name,
            Verdict = verdict.Result,
            Reason = verdict.Reason,
            ExitCode = (int)verdict.Code,
            StartUtc = start,
            EndUtc = DateTime.UtcNow,
            Inputs = DescribeInputs(),
            Figures = Ranks is null ? result.ReadFigures() : null,
            Assertions = [],
            Roles = [.. ExternalRoles,
                .. _roles.Zip(group.Roles).Select(pair =>
                    RoleOutcome.Of(pair.First.Name, pair.First.Tool, pair.First.Files, pair.Second, pair.First.Final))],
            Links = Ranks is null ? result.Links : [],
            Machine = ThisMachine.Description with { ForeignPercent = foreign },
            Steps = Ranks is null && StaySeconds is null ? result.Steps : null,
            Capacity = Ranks is null ? result.Capacity : null,
            Ranks = Ranks is null ? null : [Ranks.Rendezvous.Own with { StepForeignPercent = Loads }],
            Clocks = Ranks is null ? null : [Ranks.Clock],
            Changes = RunChange.Read(folder, _roles.Select(role => (role.Name, role.Files.JsonLines))) is { Count: > 0 } changes
                ? changes : null,
        };
    }

    private double PlannedSeconds => StartLead.TotalSeconds + (StaySeconds ?? _schedule.Seconds) + (Ranks is null ? 0 : options.Ranks.StartInSeconds);

    private TimeSpan TimeUntilEnd => _startAt is { } at ? at.AddSeconds(_schedule.Seconds) - DateTime.UtcNow : TimeSpan.Zero;

    private IEnumerable<RoleResult> ExternalRoles => options.External.Select(role => RoleOutcome.OfExternal(role.Key, role.Value));

    private bool TryStart(RoleGroup group, Action<string> show)
    {
        if (FindHub(group) is not { } hub)
            return false;
        foreach (int source in share.Sources)
        {
            if (Start(group, NameOfSource(source), ToolNames.Source, RoleEnding.OnRequest, Arguments.OfSource(hub, source)) is null)
                return false;
        }

        if (Ranks?.WaitForAll(group) == false)
            return false; // otherwise this would wait for the sources of an absent rank
        foreach (int part in share.Users)
        {
            if (Start(group, NameOfUsers(part), ToolNames.Users, RoleEnding.ByItself, Arguments.OfUsers(hub, part)) is null)
                return false;
        }

        if (!group.WaitUntil(AreAllReady, "the ramp") || FindStart(group, show) is not { } startAt)
            return false;
        _startAt = startAt;
        return share.Users.Count == 0 || TryPublishStart(group, startAt);
    }

    // Notifies the processes with users, which wait for it.
    private bool TryPublishStart(RoleGroup group, DateTime startAt) => HasSucceeded(group, WholeFile.TryWrite(
        folder.PathOf(StartName), writer => writer.Write(startAt.ToString(UsersArguments.TimeForm, CultureInfo.InvariantCulture) + "\n")));

    private static bool HasSucceeded(RoleGroup group, string? problemOfFile)
    {
        if (problemOfFile is not null)
            group.RecordFailure(new(ExitCode.OutputFile, problemOfFile));
        return problemOfFile is null;
    }

    // The hub started here, an external one, or that of another rank.
    private RolePlace? FindHub(RoleGroup group)
    {
        if (options.External.TryGetValue(UsersOptions.HubRole, out HostAddress? external))
            return new(external.Host, external.Port, options.PublishersPort);
        if (!share.HasHub && share.Sources.Count + share.Users.Count == 0)
            return new("", 0, 0); // a rank that only counts the others
        UsersCertificates certificates = Arguments.Certificates;
        if (!share.HasHub)
            return Ranks!.WaitForHub(group) is { } found && HasSucceeded(group, certificates.TryTrust(found.Authority)) ? found : null;
        (string host, int publishersPort) = (Ranks?.Rendezvous.Own.Address ?? ListenPlace.Loopback, FreePort.Find());
        if (!HasSucceeded(group, certificates.TryCreate(host))
            || Start(group, UsersOptions.HubRole, ToolNames.Hub, RoleEnding.OnRequest, Arguments.OfHub(publishersPort))?.Port is not { } port)
        {
            return null;
        }

        RolePlace place = new(host, port, publishersPort, certificates.Authority);
        Ranks?.Rendezvous.PublishPlace(UsersOptions.HubRole, place);
        return place;
    }

    private DateTime? FindStart(RoleGroup group, Action<string> show) =>
        Ranks is null ? DateTime.UtcNow + StartLead : Ranks.Synchronize(group, StartLead, show);

    private RoleProcess? Start(RoleGroup group, string name, string tool, RoleEnding ending, IReadOnlyList<string> arguments)
    {
        UsersRole role = new(name, tool, folder);
        _roles.Add(role);
        RoleCommand command = RoleCommand.ForProgram(name, tool, [.. arguments, .. role.FileArguments], ToolsFolder);
        if (ToolsFolder is null) // earlier editions accept no changes
        {
            command = command.WithControl(_token!.Text)
                .WithTelemetry(options.Outputs.Otlp, RunAttributes.Of(folder.FullPath, variant.Load.Name, name));
        }

        return group.Start(command with { Ending = ending, ReadyLine = name == UsersOptions.HubRole ? Role.ListeningLine : null },
            folder.PathOf(role.Files.Log));
    }

    // Users have completed their warm-up, and the hub has every image.
    private bool AreAllReady()
    {
        Ranks?.LookAround();
        ReadLines();
        return _roles.TrueForAll(role => role.Tool != ToolNames.Users || role.IsReady) && AreSourcesReady();
    }

    // The hub reports its images; where it is external or on another rank, sources report what they have sent.
    private bool AreSourcesReady()
    {
        if (share.HasHub)
        {
            return new JsonView(_roles[0].Last).Number("overall.gauges.items") >= (options.External.ContainsKey(UsersOptions.SourceRole)
                ? 0 : _parameters.Subjects);
        }

        return _roles.Where(role => role.Tool == ToolNames.Source).All(role =>
            role.All.Sum(line => new JsonView(line).Count("overall.counts.imagesSent")) >= _parameters.Subjects / _parameters.Sources);
    }

    private void ReadLines()
    {
        foreach (UsersRole role in _roles)
        {
            IReadOnlyList<JsonElement> lines = role.Read();
            Follow?.Invoke(role.Name, lines);
        }
    }

    // The first process whose step met the end condition ends the ramp of all.
    private void Watch(RoleGroup group, Action<string> show)
    {
        Look(show);
        if (_isOver || options.EffectiveUntil is null || !(Ranks?.IsOver == true || HasEndedEarly()))
            return;
        _isOver = true;
        Ranks?.Rendezvous.PublishOver();
        group.EndMeasuring();
    }

    private bool HasEndedEarly() =>
        _roles.Exists(role => role.Tool == ToolNames.Users && new JsonView(role.Final).Number("exitCode") == 0
        && role.ReadPart(withSamples: false).Periods.Count < variant.Steps.Totals.Count);

    // Shows each step when it is over in every process.
    private void Look(Action<string> show)
    {
        Ranks?.LookAround();
        ReadLines();
        if (StaySeconds is not null)
            return; // who sets the users reads what they measure
        _load.Look();
        if (_roles.Count(role => role.Tool == ToolNames.Users) < share.Users.Count)
            return;
        StepRow[] steps = [.. RampResult.ReadSteps(variant, _roles, Loads, withSamples: false).Select(step => step.Row)];
        foreach (StepRow step in steps.Skip(_shown))
            show(Ranks is null ? step.Describe() : step.DescribePart());

        _shown = Math.Max(_shown, steps.Length);
    }

    private Dictionary<string, JsonElement> DescribeInputs()
    {
        Dictionary<string, object?> inputs = UsersInputs.Describe(variant, options);
        if (share.HasHub)
            (inputs["hubSessionThreads"], inputs["hubSourceThreads"]) = (_parameters.StartedSessionThreads, _parameters.StartedSourceThreads);
        if (StaySeconds is not null)
            inputs["steps"] = "set by control";
        if (options.EffectiveUntil is { } until)
            inputs["until"] = until;
        if (Ranks is not null)
        {
            inputs["rank"] = FormattableString.Invariant($"{Ranks.Rendezvous.Own.Rank}/{Ranks.Rendezvous.Own.Ranks}");
            inputs["runId"] = Ranks.Rendezvous.RunId;
            inputs["place"] = Ranks.Place.ToString();
        }

        return InputJson.Of(inputs);
    }
}
