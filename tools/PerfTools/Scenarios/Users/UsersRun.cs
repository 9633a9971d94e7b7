using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Results;
using PerfTools.Search;

namespace PerfTools.Scenarios.Users;

/// <summary>One ramp of a load with a fresh hub: its roles, its steps, its verdict.</summary>
internal sealed partial class UsersRun(UsersVariant variant, UsersOptions options, RunFolder folder)
{
    private const string Hub = "hub";
    private const double FirstProcessSeconds = 3.5;
    private const double MoreProcessSeconds = 0.75;

    private readonly UsersParameters _parameters = variant.Parameters;
    private readonly List<UsersRole> _roles = [];
    private ControlToken? _token;

    /// <summary>The steps that were measured; after <see cref="Run"/>.</summary>
    public IReadOnlyList<StepRow> Steps { get; private set; } = [];

    /// <summary>The last step of which all was well; null for none.</summary>
    public StepRow? Capacity { get; private set; }

    /// <summary>Runs it to its end.</summary>
    /// <param name="stop">The user's wish to end early.</param>
    /// <param name="show">Gets a line for each step.</param>
    public RunDocument Run(StopRequest stop, Action<string> show)
    {
        DateTime start = DateTime.UtcNow;
        MachineLoad load = new();
        RunLimits limits = new() { Run = TimeSpan.FromSeconds(PlannedSeconds + 60), Look = TimeSpan.FromMilliseconds(100) };
        using RoleGroup group = new(limits, stop);
        using (ControlToken token = _token = ControlToken.Create(folder.FullPath))
        {
            if (TryStart(group))
                group.WaitForEnd(() => ShowSteps(show));
            group.EndAll();
        }

        ShowSteps(show);
        Steps = ReadSteps();
        LinkResult[] links = [.. ReadLinks()];
        RunFailure? failure = group.Failure;
        RunFigures? figures = ReadFigures();
        Capacity = Steps.TakeWhile(step => step.IsOk && FindMiss(step) is null).LastOrDefault();
        Verdict verdict = Judge(failure, links);
        double? foreign = _roles.TrueForAll(role => role.Lines.Final is not null)
            ? 100 * load.ForeignShare(_roles.Sum(role => new JsonView(role.Lines.Final).Number("process.cpuSeconds") ?? 0)) : null;
        return new RunDocument
        {
            Scenario = variant.Load.Name,
            Verdict = verdict.Result,
            Reason = verdict.Reason,
            ExitCode = verdict.Code,
            StartUtc = start,
            EndUtc = DateTime.UtcNow,
            Inputs = DescribeInputs(),
            Figures = figures,
            Assertions = [],
            Roles = [.. _roles.Zip(group.Roles).Select(pair => RoleResult.Of(pair.First.Name, pair.First.Tool, pair.First.Files, pair.Second, pair.First.Lines.Final))],
            Links = links,
            Machine = MachineDescription.Current with { ForeignPercent = foreign },
            Changes = RunChange.Read(folder, _roles.Select(role => (role.Name, role.Files.JsonLines))) is { Count: > 0 } changes ? changes : null,
        };
    }

    // From the start of the users' processes to the first log-in: they compile meanwhile.
    private TimeSpan UntilFirstLogin => TimeSpan.FromSeconds(FirstProcessSeconds + ((_parameters.UsersProcesses - 1) * MoreProcessSeconds));

    private double PlannedSeconds => UntilFirstLogin.TotalSeconds + options.Warmup
        + variant.Steps.Totals.Zip(variant.Steps.Totals.Prepend(0), (total, before) => Math.Ceiling((total - before) / (double)options.Logins) + options.Settle + options.Period).Sum();

    private bool TryStart(RoleGroup group)
    {
        int providersPort = FreePort.Find();
        RoleProcess? hub = Start(group, Hub, "HubPerf", RoleEnding.WhenTold, HubArguments(providersPort));
        if (hub?.Port is not { } port)
            return false;
        for (int source = 1; source <= _parameters.Sources; source++)
        {
            if (Start(group, $"source-{source}", "NIProvPerf", RoleEnding.WhenTold, SourceArguments(providersPort, source)) is null)
                return false;
        }

        if (!group.WaitUntil(IsCacheFull, "users"))
            return false;
        string startAt = (DateTime.UtcNow + UntilFirstLogin).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        for (int part = 1; part <= _parameters.UsersProcesses; part++)
        {
            if (Start(group, $"users-{part}", "UsersPerf", RoleEnding.ByItself, UsersArguments(port, part, startAt)) is null)
                return false;
        }

        return true;
    }

    private RoleProcess? Start(RoleGroup group, string name, string tool, RoleEnding ending, IReadOnlyList<string> arguments)
    {
        UsersRole role = new(name, tool, folder);
        _roles.Add(role);
        RoleCommand command = RoleCommand.ForProgram(name, tool, [.. arguments, .. role.FileArguments]).WithControl(_token!.Text);
        return group.Start(command with { Ending = ending, ReadyLine = name == Hub ? Role.ListeningLine : null }, folder.PathOf(role.Files.Log));
    }

    private bool IsCacheFull()
    {
        ReadLines();
        return new JsonView(_roles[0].Lines.Last).Number("overall.gauges.items") >= _parameters.Subjects;
    }

    private void ReadLines() => _roles.ForEach(role => role.Read());

    private int _shown;

    // As each is over in every process.
    private void ShowSteps(Action<string> show)
    {
        ReadLines();
        IReadOnlyList<StepRow> steps = ReadSteps(withSamples: false);
        foreach (StepRow step in steps.Skip(_shown))
        {
            show(string.Create(CultureInfo.InvariantCulture,
                $"  {step.UsersAsked,7:N0} users   mean {StepRow.Millis(step.MeanMicros),8} ms   max {StepRow.Millis(step.Samples == 0 ? null : step.MaxMicros),9}   received {step.ReceivedPercent,6:F2} %   {step.Note}").TrimEnd());
        }

        _shown = Math.Max(_shown, steps.Count);
    }

    private IReadOnlyList<StepRow> ReadSteps(bool withSamples = true)
    {
        UsersRole[] users = [.. _roles.Where(role => role.Tool == "UsersPerf")];
        if (users.Length < _parameters.UsersProcesses)
            return [];
        return new StepReader(variant).Read(
            [.. users.Select(role => role.All)],
            [.. users.Select(role => withSamples ? ReadSamples(role) : [])],
            IntervalsOf(_roles[0]),
            [.. _roles.Where(role => role.Tool == "NIProvPerf").Select(IntervalsOf)]);
    }

    private IReadOnlyList<LongHistogram> ReadSamples(UsersRole role)
    {
        string path = folder.PathOf($"{role.Files.Histograms}-steps.hlog");
        return File.Exists(path) ? [.. HistogramLogReader.ReadFile(path).Select(interval => interval.Histogram)] : [];
    }

    private static RoleInterval[] IntervalsOf(UsersRole role) => [.. role.All.Select(RoleInterval.TryRead).OfType<RoleInterval>()];

    private IEnumerable<LinkResult> ReadLinks()
    {
        JsonView hub = new(_roles.FirstOrDefault()?.Lines.Final);
        UsersRole[] sources = [.. _roles.Where(role => role.Tool == "NIProvPerf")], users = [.. _roles.Where(role => role.Tool == "UsersPerf")];
        long? sent = Sum(sources, "updatesSent"), received = Sum(users, "updatesReceived");
        bool isComparable = _roles.TrueForAll(role => role.Lines.Final is { } final && !new JsonView(final).IsFalse("comparable"));
        long? Of(params string[] counters) => hub.Exists ? counters.Sum(counter => hub.Count("overall.counts." + counter)) : null;
        LinkResult Link(string from, string to, string what, long? sent, long? received, long? lost, long? notSent) =>
            new() { From = from, To = to, What = what, Sent = sent, Received = received, Lost = lost, NotSent = notSent, Comparable = isComparable };
        yield return Link("sources", Hub, "updates", sent, Of("updatesReceived"), 0, Sum(sources, "updatesNotSent"));
        yield return Link(Hub, Hub, "copies due", Of("copiesDue"), Of("updatesSent"), Of("updatesConflated", "updatesDropped", "updatesNotSent"), 0);
        yield return Link(Hub, "users", "updates", Of("updatesSent"), received, 0, Of("updatesConflated", "updatesDropped"));
        yield return Link(Hub, "users", "images", Of("imagesSent"), Sum(users, "refreshesReceived"), 0, Of("imagesNotSent"));
    }

    private static long? Sum(UsersRole[] roles, string counter) => roles.Length > 0 && Array.TrueForAll(roles, role => role.Lines.Final is not null)
        ? roles.Sum(role => new JsonView(role.Lines.Final).Count("overall.counts." + counter)) : null;

    // Those of the last step.
    private RunFigures? ReadFigures()
    {
        if (Steps.Count == 0)
            return null;
        StepRow last = Steps[^1];
        return new RunFigures
        {
            RateAsked = last.Expected / last.Seconds,
            RateReached = last.Received / last.Seconds,
            SteadySeconds = last.Seconds,
            LatencyMicros = last.Samples == 0 ? null : new RunLatency
            {
                Count = last.Samples,
                Average = last.MeanMicros ?? 0,
                Deviation = null, // of several processes it is not kept
                Min = last.MinMicros,
                Max = last.MaxMicros,
                P50 = last.P50,
                P90 = last.P90,
                P99 = last.P99,
                P999 = last.P999,
                P9999 = null,
            },
            SendLagMicros = null,
            Images = null,
        };
    }

    private Verdict Judge(RunFailure? failure, LinkResult[] links)
    {
        if (failure is not null)
            return new(failure.Code.IsOfSignal() ? Verdict.Interrupted : Verdict.Failed, failure.Code, failure.Reason);
        if (Steps.Count == 0)
            return new(Verdict.Failed, ExitCode.Incomplete, "no step was measured");
        if (Array.Find(links, link => link.Balanced == false) is { } uneven)
            return new(Verdict.Failed, ExitCode.Incomplete, Say($"{uneven.NameAmong(links)} do not add up: {uneven.Sent:N0} sent, {uneven.Received:N0} received, {uneven.Lost:N0} counted as lost"));
        if (options.EffectiveUntil is not null && Capacity is not null)
            return new(Verdict.Ok, ExitCode.Success, null);
        return Steps.FirstOrDefault(step => !step.IsOk) is { } first
            ? new(Verdict.Slow, ExitCode.AssertionMissed, Say($"step {first.Step} with {first.UsersAsked:N0} users: {first.Fault}")) : new(Verdict.Ok, ExitCode.Success, null);
    }

    // Whether a step keeps what ends the ramp, as far as the figures of the row tell.
    private string? FindMiss(StepRow step) => options.EffectiveUntil is not { } until ? null
        : PerfTools.Hosting.Options.Threshold.TryParseList(until, PerfTools.Hosting.Options.Threshold.Metrics)!
            .Where(limit => FigureOf(step, limit.Metric) is { } figure && !limit.IsKeptBy(figure)).Select(limit => limit.Text).FirstOrDefault();

    private static double? FigureOf(StepRow step, string metric) => metric switch
    {
        "avg" => step.MeanMicros,
        "max" => step.MaxMicros,
        "p50" => step.P50,
        "p90" => step.P90,
        "p99" => step.P99,
        "p99.9" => step.P999,
        "rate%" => step.ReceivedPercent,
        "rate" => step.Received / step.Seconds,
        "lost" => step.Lost,
        _ => null,
    };

    private Dictionary<string, JsonElement> DescribeInputs()
    {
        Dictionary<string, object> inputs = new()
        {
            ["rate"] = _parameters.SourceRate,
            ["latencyRate"] = "all",
            ["stamp"] = "sent",
            ["seconds"] = options.Period,
            ["pack"] = 1,
            ["connection"] = _parameters.ConnType,
            ["compression"] = "none",
            ["arguments"] = new Dictionary<string, string>(),
            ["external"] = new Dictionary<string, string>(),
            ["variant"] = variant.Name,
            ["steps"] = variant.Steps.ToString(),
            ["parameters"] = _parameters.All.ToDictionary(row => row.Name, row => row.Value),
        };
        return inputs.ToDictionary(input => input.Key, input => JsonSerializer.SerializeToElement(input.Value));
    }

    private static string Say(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}
