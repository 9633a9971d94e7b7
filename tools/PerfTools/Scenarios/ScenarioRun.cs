using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using PerfTools.Screen;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios;

/// <summary>One run of a scenario: its roles, their figures, the verdict.</summary>
internal sealed class ScenarioRun(Scenario scenario, ScenarioOptions options, RunFolder folder, RunScreen screen)
{
    // A role that listens must outlive the slowest measuring role, and must end even when perftools is gone.
    private const int MarginSeconds = 60;
    private const string CertifiedName = "localhost";

    private readonly FigureReader _figures = new(scenario, options);
    private readonly IReadOnlyList<Role> _started = [.. scenario.RolesOf(options).Where(role => !options.External.ContainsKey(role.Name))];
    private readonly Dictionary<string, HostAddress> _addresses = new(options.External);
    private readonly OtherPrograms _others = new(scenario, options, folder);
    private readonly RemoteStartWait? _elsewhere = RemoteStartWait.Of(scenario, options);
    private bool _isAnnounced;

    private RoleLines Lines => field ??= new(scenario.RolesOf(options), folder, Ranks);

    private IReadOnlyDictionary<string, IReadOnlyList<int>> Processors => field ??= WorkerBinding.Assign(scenario, options, UsableProcessors.Find(), Ranks);

    // The roles that this rank starts; all of them without ranks.
    private IReadOnlyList<Role> Own => field ??= [.. _started.Where(role => Ranks?.IsHere(role.Name) != false)];

    /// <summary>The timeouts; only tests set them.</summary>
    public RunLimits Limits { get; init; } = RunLimits.For(options.Seconds);

    /// <summary>The folder with the programs of the roles; null for that of this program.</summary>
    public string? ToolsFolder { get; init; }

    /// <summary>Creates the command of a role; null for its program. Only tests set it.</summary>
    public Func<Role, IReadOnlyList<string>, RoleCommand>? CreateCommand { get; init; }

    /// <summary>Receives the new lines of each role, on the thread of the run; may be null.</summary>
    public Action<string, IReadOnlyList<JsonElement>>? Follow { get; init; }

    /// <summary>The other machines of the run; null for a run of this one.</summary>
    public ScenarioRanks? Ranks { get; init; }

    /// <inheritdoc cref="RoleGroup.Unwritten"/>
    public string? Unwritten { get; private set; }

    /// <summary>Carries out the run.</summary>
    public RunDocument Run(StopRequest stop)
    {
        DateTime start = DateTime.UtcNow;
        MachineLoad load = new();
        using RoleGroup group = new(Limits, stop);
        using (ControlToken? token = ToolsFolder is null && Ranks is null ? ControlToken.Create(folder.FullPath) : null) // earlier editions accept no changes
            RunRoles(group, token);
        Unwritten = group.Unwritten;
        return Ranks is { IsFirst: false } ? DescribePart(start, group, load) : Judge(start, group, load);
    }

    // The run, or on rank 0 the whole run.
    private RunDocument Judge(DateTime start, RoleGroup group, MachineLoad load)
    {
        Ranks?.Parts.Collect();
        (Dictionary<string, JsonElement> finals, RunFailure? failure) = Finish(group);
        IReadOnlyList<RunChange> changes = RunChange.Read(folder, _started.Select(role => (role.Name, role.JsonFile)));
        RoleResult[] roles = [.. Describe(group.Roles, finals)];
        RecordedRole Find(string name) => new(folder.FullPath, roles.First(role => role.Name == name)) { ClockShift = Ranks?.ShiftOf(name) ?? default };
        RunFigures? figures = _figures.Read(finals, new MergedSamples(folder.FullPath, scenario.Figures.Measured, roles));
        if (changes.Any(change => change.IsOfLoad))
            figures = figures is null ? null : figures with { RateAsked = null }; // the rate requested of all roles is unknown
        IReadOnlyList<LinkResult> links = _figures.ReadLinks(finals, _others.CountsToTheEnd);
        IReadOnlyList<LinkResult>? pairs = _figures.ReadPairs(finals, _others.CountsToTheEnd);
        double? foreignPercent = FindForeignPercent(load, finals);
        if (options.Schedule is { } course && figures is not null)
        {
            figures = figures with
            {
                RateAsked = null,
                RateSteps = changes.Any(change => change.IsOfLoad) ? []
                : RateStepReader.Read(scenario, options, course, Find, finals)
            };
        }

        IReadOnlyList<ThresholdResult> assertions = new RunAssertions(figures, links, roles).Compare(options.Thresholds);
        SlowCause cause = _figures.ReadCause(finals, foreignPercent) with
        { Circumstances = _figures.ReadCircumstances(finals, figures, load, IsOnThisMachine) };
        Verdict verdict = Verdict.Of(failure, figures, links, cause, pairs).With(assertions);
        return CreateDocument(start, verdict, roles, foreignPercent) with
        {
            Figures = figures,
            Assertions = [.. assertions.Select(RunAssertions.Describe)],
            Links = links,
            Pairs = pairs,
            Changes = changes.Count > 0 ? changes : null,
            ClockChecks = Ranks?.CheckClocks(_figures.ReadClocks(finals)) is { Count: > 0 } checks ? checks : null,
        };
    }

    // The results of another rank than the first prove only that its roles did what they were asked.
    private RunDocument DescribePart(DateTime start, RoleGroup group, MachineLoad load)
    {
        (Dictionary<string, JsonElement> finals, RunFailure? failure) = Finish(group);
        double? foreignPercent = FindForeignPercent(load, finals);
        return CreateDocument(start, Verdict.OfPart(failure), [.. Describe(group.Roles, finals)], foreignPercent);
    }

    private RunDocument CreateDocument(DateTime start, Verdict verdict, IReadOnlyList<RoleResult> roles, double? foreignPercent) => new()
    {
        Scenario = scenario.Name,
        Verdict = verdict.Result,
        Reason = verdict.Reason,
        ExitCode = (int)verdict.Code,
        StartUtc = start,
        EndUtc = DateTime.UtcNow,
        Inputs = scenario.DescribeInputs(options),
        Figures = null,
        Assertions = [],
        Roles = roles,
        Links = [],
        Machine = ThisMachine.Description with { ForeignPercent = foreignPercent },
        Ranks = Ranks?.Parts.Describe(foreignPercent),
        Clocks = Ranks?.Clocks,
    };

    // Unknown without the figures of every role that was started: the CPU time of the others would count as foreign.
    private double? FindForeignPercent(MachineLoad load, Dictionary<string, JsonElement> finals)
    {
        string[] here = [.. _started.Select(role => role.Name).Where(IsOnThisMachine)];
        return here.All(finals.ContainsKey) ? 100 * load.ForeignShare(here.Sum(role => new JsonView(finals[role]).Number("process.cpuSeconds") ?? 0)) : null;
    }

    private Dictionary<string, JsonElement> FindHere(Dictionary<string, JsonElement> finals) =>
        finals.Where(final => IsOnThisMachine(final.Key)).ToDictionary(); // only their times are of this clock

    private bool IsOnThisMachine(string role) => Ranks?.IsOnThisMachine(role) != false;

    // The final lines of all roles, and the first failure.
    private (Dictionary<string, JsonElement> Finals, RunFailure? Failure) Finish(RoleGroup group)
    {
        RunFailure? unsound = _others.Finish(FindHere(ReadFinals()));
        Dictionary<string, JsonElement> finals = ReadFinals();
        RunFailure? failure = Ranks is null ? group.Failure : Ranks.Parts.Judge(group.Failure);
        failure ??= unsound ?? _started.Select(Lines.FindBreak).FirstOrDefault(broken => broken is not null);
        return (finals, failure is null ? null : Lines.Explain(failure));
    }

    private Dictionary<string, JsonElement> ReadFinals()
    {
        ReadLines();
        return Lines.Finals;
    }

    private void RunRoles(RoleGroup group, ControlToken? token)
    {
        if ((Ranks?.Failure ?? _others.Prepare(Own)) is { } failure)
            group.RecordFailure(failure);
        else if (TryStartAll(group, token))
            WaitForEnd(group);
        _others.Look();
        if (Ranks is { } ranks)
            ranks.EndAll(group, Own, Limits, Look);
        else
            group.EndAll();
    }

    private bool TryStartAll(RoleGroup group, ControlToken? token)
    {
        foreach (Role role in Own)
        {
            if (role.ReadyLine is null)
                Announce();
            if (Ranks?.TryFindPeers(role, group, _addresses) == false)
                return false;
            if (role.StartsWhen is { } mayStart && !group.WaitUntil(() => IsTime(role, mayStart), role.Title))
                return false;
            RoleContext context = new(options, folder, _addresses, RoleSeconds)
            {
                Ranks = Ranks,
                Processors = Processors.GetValueOrDefault(role.Name, []),
            };
            if (CreateCommandOf(role, role.CreateArguments(context), group) is not { } command)
                return false;
            if (ToolsFolder is null && command.Program is not null)
            {
                command = (token is null ? command : command.WithControl(token.Text))
                    .WithTelemetry(options.Outputs.Otlp, RunAttributes.Of(folder.FullPath, scenario.Name, role.Name));
            }

            RoleProcess? process = group.Start(
                command with { ReadyLine = command.ListenPort is null ? role.ReadyLine : null, Ending = role.Ending }, folder.PathOf(role.LogFile));
            if (process is null)
                return false;
            _others.Watch(role, process);
            if (process.Port is { } port)
            {
                _addresses[role.Name] = new(Ranks?.PublishPlace(role, port)
                    ?? (options.Connection == ConnectionKind.Encrypted ? CertifiedName : ListenPlace.Loopback), port);
            }
        }

        return true;
    }

    // Longer than the run, and than the waits for other machines.
    private int RoleSeconds => (int)Limits.Run.TotalSeconds + MarginSeconds + (_elsewhere is null ? 0 : (int)RemoteStartWait.Limit.TotalSeconds)
        + (Ranks is null ? 0 : 2 * options.Ranks.MeetSeconds);

    private void WaitForEnd(RoleGroup group)
    {
        Announce();
        if (_elsewhere is { } wait)
        {
            screen.ShowHeadline(wait.Describe(_addresses[wait.Server]));
            wait.Wait(group, Look);
        }

        group.WaitForEnd(Look);
    }

    // Null when the role cannot be started.
    private RoleCommand? CreateCommandOf(Role role, IReadOnlyList<string> arguments, RoleGroup group)
    {
        try
        {
            RoleCommand? other = _others.CreateCommand(role, arguments, out string? problem);
            if (problem is not null)
                group.RecordFailure(new(ExitCode.CommandLine, problem));
            return problem is not null ? null
                : other ?? CreateCommand?.Invoke(role, arguments) ?? RoleCommand.ForProgram(role.Title, role.Tool, arguments, ToolsFolder);
        }
        catch (SetupException problem)
        {
            group.RecordFailure(new(ExitCode.OutputFile, problem.Message));
            return null;
        }
    }

    private bool IsTime(Role role, Func<ScenarioOptions, Func<string, JsonView>, bool> mayStart)
    {
        Ranks?.LookAround(folder);
        ReadLines();
        return Ranks?.MayStart(role.Name) == true || mayStart(options, name => new(Lines.LastOf(name)));
    }

    private void Announce()
    {
        if (!_isAnnounced)
            screen.ShowHeadline(scenario.CreateHeadline(options, _addresses, Ranks?.Shown));
        _isAnnounced = true;
    }

    private IEnumerable<RoleResult> Describe(IReadOnlyList<RoleProcess> processes, Dictionary<string, JsonElement> finals)
    {
        Dictionary<string, RoleProcess> started = Own.Zip(processes).ToDictionary(pair => pair.First.Name, pair => pair.Second);
        foreach (Role role in scenario.RolesOf(options))
        {
            if (options.External.TryGetValue(role.Name, out HostAddress? address))
                yield return RoleOutcome.OfExternal(role.Name, address);
            else if (started.TryGetValue(role.Name, out RoleProcess? process))
                yield return Describe(role, process, FindHere(finals));
            else if (Ranks?.Parts.ResultOf(role.Name) is { } result)
                yield return result;
        }
    }

    private RoleResult Describe(Role role, RoleProcess process, Dictionary<string, JsonElement> here) =>
        RoleOutcome.Of(role.Name, role.Tool, role.Files, process, Lines.FinalOf(role.Name)) with
        {
            Edition = _others.EditionOf(role.Name),
            Outside = _others.UseOf(role.Name, here),
        };

    private void Look()
    {
        Ranks?.LookAround(folder);
        _others.Look();
        IReadOnlyList<JsonElement> measured = ReadLines();
        Ranks?.PublishStarts(role => new(Lines.LastOf(role)));
        (string, JsonElement?)[] latest = [.. _started.Select(role => (role.Name, Lines.LastOf(role.Name)))];
        foreach (JsonElement line in measured)
            screen.ShowProgress(_figures.ReadProgress(line, latest), TimeSpan.FromSeconds(options.Seconds));
    }

    // Returns the new lines of the first role that measures.
    private IReadOnlyList<JsonElement> ReadLines()
    {
        Dictionary<string, IReadOnlyList<JsonElement>> added = _started.ToDictionary(role => role.Name, role => Lines.ReadNew(role.Name));
        if (_elsewhere is { } wait)
            wait.Receive(added[wait.Server]);
        foreach ((string role, IReadOnlyList<JsonElement> lines) in added)
            Follow?.Invoke(role, lines);
        return [.. added.GetValueOrDefault(scenario.Figures.Measured.MeasuredBy[0], []).Where(line => !RunChange.IsIn(line))];
    }
}
