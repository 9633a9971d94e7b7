using System.Text.Json;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using PerfTools.Screen;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios;

/// <summary>Interprets the JSON lines of the roles for a run of a scenario.</summary>
internal sealed class FigureReader(Scenario scenario, ScenarioOptions options)
{
    private readonly FigurePaths _paths = scenario.Figures;
    private readonly IReadOnlyList<Role> _roles = scenario.RolesOf(options);
    private readonly IReadOnlyList<Link> _links = scenario.LinksOf(options);

    // The interval of the statistics, by which some editions count, and of the ticks, by which others do, with a margin for a busy machine.
    private const double IntervalSeconds = 1, TicksSeconds = 0.1;

    // ConsPerf's default
    private const int UsualRequestRate = 500_000;

    // Several of one kind have the same arguments.
    private IReadOnlyList<string> Senders => field ??= _roles.Select(role => role.Name).Where(_links[0].IsFrom).ToArray() is { Length: > 0 } several
        ? several : [_links[0].From];

    /// <summary>Messages received by those who measure per message sent: more than 1 where several consumers subscribe to one item.</summary>
    /// <param name="finals">The final lines by role.</param>
    public double ReadCopies(IReadOnlyDictionary<string, JsonElement> finals) => ReadCopies(_paths.Copies, finals);

    /// <summary>The messages a second that the roles that measure send themselves and that return to them, as often as they return.</summary>
    /// <param name="lines">A line of each role, a final one or one of a collection.</param>
    public double ReadReturning(IReadOnlyDictionary<string, JsonElement> lines) => ReadReturning(_paths.Measured.MeasuredBy, lines);

    /// <summary>Reads the balance of each link.</summary>
    /// <param name="finals">The final lines by role; a role without one is absent.</param>
    /// <param name="countsToTheEnd">True for a role that is none of ours and counts to its end; null for ours.</param>
    public IReadOnlyList<LinkResult> ReadLinks(IReadOnlyDictionary<string, JsonElement> finals, Func<string, bool?>? countsToTheEnd = null) =>
        ReadLinks(_links, finals, countsToTheEnd);

    /// <summary>Reads the balance of each of several providers with its consumers; null where consumers have one provider.</summary>
    /// <param name="finals">The final lines by role; a role without one is absent.</param>
    /// <param name="countsToTheEnd">True for a role that is none of ours and counts to its end; null for ours.</param>
    public IReadOnlyList<LinkResult>? ReadPairs(IReadOnlyDictionary<string, JsonElement> finals, Func<string, bool?>? countsToTheEnd = null) =>
        scenario.Pairs.Count == 0 ? null : ReadLinks([.. scenario.Pairs.Where(link => !link.IsLeftOut(options))], finals, countsToTheEnd);

    private IReadOnlyList<LinkResult> ReadLinks(
        IEnumerable<Link> links, IReadOnlyDictionary<string, JsonElement> finals, Func<string, bool?>? countsToTheEnd) =>
        [.. links.Select(link => (link, result: Read(link, finals) with { UnderWay = FindUnderWay(link, finals, countsToTheEnd) }))
            .Where(pair => !pair.link.IsOptional || pair.result is not { Sent: 0 or null, Received: 0 or null })
            .Select(pair => pair.result)];

    /// <summary>Reads the figures of a run from its final lines by role; null when a role that was started left none.</summary>
    /// <param name="finals">The final lines by role.</param>
    /// <param name="samples">All samples of several roles that measure or send; null where they cannot be read.</param>
    public RunFigures? Read(IReadOnlyDictionary<string, JsonElement> finals, MergedSamples? samples = null)
    {
        if (_roles.Any(role => !finals.ContainsKey(role.Name) && !options.External.ContainsKey(role.Name)))
            return null;
        JsonView[] measuring = [.. _paths.Measured.MeasuredBy.Where(finals.ContainsKey).Select(role => new JsonView(finals[role]))];
        if (measuring.Length == 0)
            return ReadOfSender(finals);
        return new RunFigures
        {
            RateAsked = ReadRateAsked(finals),
            RateReached = measuring.Sum(role => role.Number(_paths.Rate) ?? 0),
            SteadySeconds = measuring.Max(role => role.Number(_paths.Seconds) ?? 0),
            LatencyMicros = measuring.Length == 1 ? measuring[0].Latency(_paths.Latency)
                : RunLatency.Add([.. measuring.Select(role => role.Latency(_paths.Latency)).OfType<RunLatency>()], samples?.Read()),
            Clock = ReadClocks(finals).Select(one => one.Clock).MaxBy(clock => clock.BoundMicros ?? double.MaxValue),
            SendLagMicros = ReadSendLag(finals, samples),
            RoundTrips = _paths.Sizes is { } sizes ? [.. measuring[0].Parts(sizes).Select(RoundTripFigures.Read)] : null,
            ClosedLoop = _paths.Sizes is null ? null : measuring[0].IsTrue("closedLoop"),
            Images = AddImages(measuring.Select(role => ReadImages(role.Part("overall"))).OfType<ImageFigures>()),
        };
    }

    /// <summary>The clocks by which the roles that measure corrected latencies, by role.</summary>
    /// <param name="finals">The final lines by role.</param>
    public IEnumerable<(string Role, RunClock Clock)> ReadClocks(IReadOnlyDictionary<string, JsonElement> finals) =>
        from role in _paths.Measured.MeasuredBy
        let clock = RunClock.Read(View(finals, role).Part("overall.clock"))
        where clock is not null
        select (role, clock);

    private RunLatency? ReadSendLag(IReadOnlyDictionary<string, JsonElement> finals, MergedSamples? samples)
    {
        RunLatency[] lags = [.. Senders.Select(sender => View(finals, sender).Latency(_paths.Measured.SendLag)).OfType<RunLatency>()];
        return lags is [var only] ? only : RunLatency.Add(lags, samples?.ReadLags());
    }

    // The measuring role is elsewhere: only what was sent to it is known.
    private RunFigures ReadOfSender(IReadOnlyDictionary<string, JsonElement> finals) => new()
    {
        RateAsked = null, // the number of its connections is unknown
        RateReached = Senders.Sum(sender => View(finals, sender).Number("overall.sendRate") ?? 0),
        SteadySeconds = 0,
        LatencyMicros = null,
        SendLagMicros = ReadSendLag(finals, samples: null),
        Images = null,
    };

    /// <summary>Reads the possible causes of a slow run.</summary>
    /// <param name="finals">The final lines by role.</param>
    /// <param name="foreignPercent">The CPU use of other programs.</param>
    public SlowCause ReadCause(IReadOnlyDictionary<string, JsonElement> finals, double? foreignPercent)
    {
        string sending = Senders.MaxBy(sender => View(finals, sender).Latency(_paths.Measured.SendLag)?.Max ?? 0)!;
        JsonView sender = View(finals, sending);
        JsonView slowest = sender.Parts("connections") is [JsonView first, ..] ? first : default;
        return new SlowCause
        {
            Workers = [.. _roles.SelectMany(role => ReadWorkers(role.Name, View(finals, role.Name)))],
            Stopped = Senders.Sum(name => Add(View(finals, name), _links[0].Stopped) ?? 0),
            SlowPeer = slowest.Text("address"),
            OutputBuffers = slowest.Number("outputBuffers") is { } buffers ? (long)buffers : null,
            PeerLimitedPercent = slowest.Number("peerLimitedPercent"),
            Path = FindPath(sending, sender, slowest.Text("address")),
            BuffersPerTick = RoleArgumentRules.BuffersPerTick(options.ArgumentsOf(Senders[0]), _paths, options),
            MaxLagMicros = sender.Latency(_paths.Measured.SendLag)?.Max ?? 0,
            ForeignPercent = foreignPercent,
        };
    }

    // The address of a connection ends with its port.
    private static HostPath? FindPath(string role, JsonView sender, string? address) =>
        HostPath.Read(role, sender).FirstOrDefault(path => address?.StartsWith(path.Peer + ":", StringComparison.Ordinal) == true
            || address?.StartsWith($"[{path.Peer}]", StringComparison.Ordinal) == true);

    /// <summary>Reads the circumstances of a run: events outside of its figures.</summary>
    /// <param name="finals">The final lines by role.</param>
    /// <param name="figures">The figures of the run; null when a role left none.</param>
    /// <param name="load">The load of the machine since the start of the run.</param>
    /// <param name="isHere">True for a role on this machine.</param>
    public SlowEvidence ReadCircumstances(IReadOnlyDictionary<string, JsonElement> finals, RunFigures? figures, MachineLoad load, Func<string, bool> isHere) =>
        new()
        {
            StolenPercent = 100 * load.StolenShare(),
            SwappedMegabytes = load.SwappedMegabytes(),
            RolesMegabytes = finals.Where(role => isHere(role.Key)).Sum(role => new JsonView(role.Value).Number("resources.memoryMegabytes.max") ?? 0),
            AllowedMegabytes = ThisMachine.Description.CgroupMemoryMegabytes,
            Pauses = [.. finals.Select(role => (role.Key, new JsonView(role.Value).Number("process.gcPauseMillis") ?? 0))],
            SteadySeconds = figures?.SteadySeconds ?? 0,
            Images = figures?.Images,
            RequestRate = _paths.Images is null ? null
            : _paths.Measured.MeasuredBy.Sum(role =>
                (double)RoleArgumentRules.RateOf(options.ArgumentsOf(role), "-requestRate",
                    UsualRequestRate) * RoleArgumentRules.CountConnections(role, options)),
            CongestionControl = MachineTraits.CongestionControl,
        };

    private static IEnumerable<(string, double)> ReadWorkers(string role, JsonView final)
    {
        IReadOnlyList<JsonView> threads = final.Parts("threads");
        for (int i = 0; i < threads.Count; i++)
        {
            if (threads[i].Number("coreCpuPercent") is { } percent)
                yield return (threads.Count > 1 ? $"worker {i + 1} of the {role}" : $"the worker of the {role}", percent);
        }
    }

    /// <summary>Reads the progress of the run.</summary>
    /// <param name="line">A line of the first role that measures.</param>
    /// <param name="latest">The latest line of every role that has one.</param>
    public ProgressSample ReadProgress(JsonElement line, IEnumerable<(string Role, JsonElement? Line)> latest)
    {
        JsonView measuring = new(line);
        JsonView overall = measuring.Part("overall");
        IReadOnlyList<JsonView> threads = measuring.Parts("threads"); // each reports once when it has all images
        double? rate = measuring.Number(_paths.Measured.IntervalRate);
        bool hasBegun = _paths.Images is null ? rate > 0 : threads.Append(overall).Any(part => ReadImages(part) is not null);
        RunLatency? latency = measuring.Latency(_paths.Measured.IntervalLatency);
        return new ProgressSample
        {
            Images = ReadImages(overall) ?? (threads is [JsonView only] ? ReadImages(only) : null),
            IsMeasuring = hasBegun && !measuring.IsTrue("final"),
            Rate = rate,
            P50Micros = latency?.P50,
            P99Micros = latency?.P99,
            Roles = [.. latest.Select(role => ReadProgress(role.Role, new(role.Line))).OfType<RoleProgress>()],
        };
    }

    private static RoleProgress? ReadProgress(string role, JsonView line) =>
        line.Number("process.coreCpuPercent") is { } percent ? new(role, percent, line.Number("process.queuedBytes")) : null;

    private LinkResult Read(Link link, IReadOnlyDictionary<string, JsonElement> finals)
    {
        JsonView[] from = Views(finals, link.IsFrom), to = Views(finals, link.IsTo);
        return new LinkResult
        {
            From = link.From,
            To = link.To,
            What = link.What,
            Sent = Add(from, link.Sent),
            Received = Add(to, link.Received),
            Lost = Add(to, link.Lost) ?? (Array.TrueForAll(to, role => role.Exists) ? 0 : null),
            Unwatched = Add(to, link.Unwatched) ?? 0,
            NotSent = Add(from, link.NotSent),
            Comparable = Array.TrueForAll([.. from, .. to], role => role.Exists && !role.IsFalse("comparable"))
                && Add(from, link.Sent) is not null && Add(to, link.Received) is not null,
        };
    }

    // The roles of one end of a link; the figures of one without a final line do not exist.
    private JsonView[] Views(IReadOnlyDictionary<string, JsonElement> finals, Func<string, bool> isMeant) =>
        [.. _roles.Where(role => isMeant(role.Name)).Select(role => View(finals, role.Name))];

    /// <summary>The rate requested of the sender, once for each connection of those that measure; null for a sender that is not ours.</summary>
    /// <param name="finals">The final lines by role, or the latest of a run in progress.</param>
    public double? ReadRateAsked(IReadOnlyDictionary<string, JsonElement> finals) =>
        options.External.ContainsKey(Senders[0]) || _paths.HasNoRate ? null
        : ReadSent([.. _paths.Measured.MeasuredBy.Where(role => RequestsMessages(options.ArgumentsOf(role)))], finals);

    // The rate requested of the sender on each connection, plus the own messages of the measuring roles that return. The copies are those for all.
    private double ReadSent(string[] measuring, IReadOnlyDictionary<string, JsonElement> finals)
    {
        if (measuring.Length == 0)
            return 0;
        double sent = RoleArgumentRules.RateOf(options.ArgumentsOf(Senders[0]), _paths.RateOption, options.Rate);
        int connections = _paths.ConnectedBy is { } connected ? RoleArgumentRules.CountConnections(connected, options) * Math.Max(1, scenario.Senders.Count())
            : measuring.Sum(role => RoleArgumentRules.CountConnections(role, options));
        return (sent * connections * ReadCopies(_paths.Copies, finals))
            + ReadReturning(measuring, finals);
    }

    private double ReadReturning(IEnumerable<string> measuring, IReadOnlyDictionary<string, JsonElement> finals) =>
        measuring.Sum(role => ReadReturning(role, finals)) * ReadCopies(_paths.ReturningCopies, finals);

    private double ReadReturning(string role, IReadOnlyDictionary<string, JsonElement> finals) => _paths.ReturningOption is not { } option ? 0
        : RoleArgumentRules.RateOf(options.ArgumentsOf(role), option, options.Posting)
            * View(finals, role).Parts("threads").Count(worker => _paths.Returning.Any(path => worker.Count(path) > 0));

    private static double ReadCopies(CopyCounters? copies, IReadOnlyDictionary<string, JsonElement> finals) =>
        copies?.ReadFactor(View(finals, copies.Role)) ?? 1;

    private bool RequestsMessages(IReadOnlyList<string> arguments) =>
        _paths.SilencingOption is null || !new RoleArguments(arguments).IsGiven(_paths.SilencingOption);

    private static ImageFigures? AddImages(IEnumerable<ImageFigures> images) =>
        images.Aggregate(default(ImageFigures), (sum, one) => new((sum?.Count ?? 0) + one.Count, Math.Max(sum?.Seconds ?? 0, one.Seconds)));

    private ImageFigures? ReadImages(JsonView part) => _paths.Images is { } name && part.Part(name) is { Exists: true } images
        ? new(images.Count("items"), images.Number("seconds") ?? 0) : null;

    private static JsonView View(IReadOnlyDictionary<string, JsonElement> finals, string role) =>
        new(finals.TryGetValue(role, out JsonElement final) ? final : null);

    private static long? Add(JsonView[] roles, IReadOnlyList<string> counters)
    {
        long?[] counts = [.. roles.Select(role => Add(role, counters))];
        return Array.TrueForAll(counts, count => count is not null) ? counts.Sum() : null;
    }

    // Null where the role has none of these counters.
    private static long? Add(JsonView role, IReadOnlyList<string> counters) =>
        counters.Any(counter => role.Number(counter) is not null) || (role.Exists && counters.Count == 0) ? counters.Sum(role.Count) : null;

    // Messages of a continuous stream may be in flight when either side counts; those requested once may not.
    private long? FindUnderWay(Link link, IReadOnlyDictionary<string, JsonElement> finals, Func<string, bool?>? countsToTheEnd)
    {
        bool?[] ends = [.. _roles.Where(role => link.IsFrom(role.Name) || link.IsTo(role.Name)).Select(role => countsToTheEnd?.Invoke(role.Name))];
        if (ends.All(end => end is null))
            return null;
        double seconds = ends.Contains(false) ? IntervalSeconds : TicksSeconds;
        return link.IsOnce ? 0 : (long)Math.Ceiling((ReadRateAsked(finals) ?? options.Rate) * seconds);
    }
}
