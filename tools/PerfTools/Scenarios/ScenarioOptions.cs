using System.Collections.Immutable;
using PerfCommon.Transport;
using PerfTools.Editions;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Scenarios;

/// <summary>The options of one run; a scenario offers those that its table names. Vary it with <c>with</c>.</summary>
internal sealed record ScenarioOptions
{
    /// <summary>The default ticks per second of the tools, where no rate is lower.</summary>
    public const int UsualTickRate = 1000;

    /// <summary>Ticks per second with <c>--smooth</c>, where no rate is lower: a tenth of the default burst.</summary>
    public const int SmoothTickRate = 10_000;

    /// <summary>The number of items that the consumer opens. <c>--items</c></summary>
    public int Items { get; init; } = 10_000;

    /// <summary>Messages per second that the sender is to send on each connection; 0 for none. <c>--rate</c></summary>
    public int Rate
    {
        get => HasUpdates ? Schedule?.MaxRate ?? field : 0;
        init;
    } = 100_000;

    /// <summary>The course of a changing rate, in either form.</summary>
    public RateSchedules Schedules { get; init; } = new(null, null);

    /// <inheritdoc cref="RateSchedules.Steps"/>
    public RateSchedule? Steps => Schedules.Steps;

    /// <inheritdoc cref="RateSchedules.Ramp"/>
    public RateSchedule? Ramp => Schedules.Ramp;

    /// <summary>The course of the rate; null for a constant one.</summary>
    public RateSchedule? Schedule => Steps ?? Ramp;

    /// <summary>
    /// Messages per second with a time stamp; null for 1,000, or fewer where a rate is lower. <c>--latency-rate</c>
    /// </summary>
    public LatencyRate? LatencyRate { get; init; }

    /// <summary>True when stamps have the time at which a message was due, not that at which it was encoded. <c>--stamp</c></summary>
    public bool StampsDue { get; init; }

    /// <summary>Posts per second on each of the consumer's connections. <c>--posting</c></summary>
    public int Posting { get; init; }

    /// <summary>Generic messages per second on each connection, in both directions. <c>--generic</c></summary>
    public int Generic { get; init; }

    /// <summary>True to measure round trips on the login stream. <c>--rtt</c></summary>
    public bool RoundTrips { get; init; }

    /// <summary>The number of worker threads of each role. <c>--threads</c></summary>
    public int Threads { get; init; } = 1;

    /// <summary>The measured seconds; a changing rate determines them itself. <c>--seconds</c></summary>
    public int Seconds
    {
        get => Schedule?.Seconds ?? field;
        init;
    } = 10;

    /// <summary>The maximum number of messages in one packed buffer; 1 for no packing. <c>--pack</c></summary>
    public int Pack { get; init; } = 1;

    /// <summary>The messages and connections of TransportPerf.</summary>
    public TransportLoad Transport { get; init; } = new();

    /// <inheritdoc cref="TransportLoad.MessageBytes"/>
    public int MessageBytes => Transport.MessageBytes;

    /// <summary>True to pin each worker to a separate processor. <c>--bind</c></summary>
    public bool BindsWorkers { get; init; }

    /// <summary>True for bursts as small as the clock allows. <c>--smooth</c></summary>
    public bool IsSmooth { get; init; }

    /// <summary>The folder for the results; null for a new one. <c>--out</c></summary>
    public string? Out { get; init; }

    /// <summary>The kind of connection between the roles. <c>--connection</c></summary>
    public ConnectionKind Connection { get; init; }

    /// <summary>The compression that all roles request. <c>--compression</c></summary>
    public CompressionType Compression { get; init; }

    /// <summary>The thresholds for the result. <c>--assert</c></summary>
    public IReadOnlyList<Threshold> Thresholds { get; init; } = [];

    /// <summary>The number of runs. <c>--repeat</c></summary>
    public int Repeat { get; init; } = 1;

    /// <summary>The outputs of the result in addition to the console.</summary>
    public ResultOutputs Outputs { get; init; } = new();

    /// <summary>What a hub's publisher sends.</summary>
    public PublishingLoad Publishing { get; init; } = new();

    /// <inheritdoc cref="PublishingLoad.Preloads"/>
    public bool Preloads => Publishing.Preloads;

    /// <inheritdoc cref="PublishingLoad.NoUpdates"/>
    public bool NoUpdates => Publishing.NoUpdates;

    /// <inheritdoc cref="PublishingLoad.NoProvider"/>
    public bool NoProvider => Publishing.NoProvider;

    /// <summary>The machines. <c>--rank</c> and others</summary>
    public RankOptions Ranks { get; init; } = new();

    /// <summary>The further options of a round-trip test.</summary>
    public RoundtripOptions Roundtrip { get; init; } = new();

    /// <summary>Further arguments of the roles, by their names. <c>--args</c> and its short forms</summary>
    public FurtherArguments Arguments { get; init; } = new();

    /// <summary>The addresses of the roles that are not started, by their names. <c>--external</c></summary>
    public ImmutableDictionary<string, HostAddress> External { get; init; } = ImmutableDictionary<string, HostAddress>.Empty;

    /// <summary>The roles that other programs play.</summary>
    public EditionOptions Editions { get; init; } = new();

    /// <summary>False where the options exclude updates.</summary>
    public bool HasUpdates => !NoUpdates && !NoProvider;

    /// <summary>The stamped messages per second in the sender's arguments.</summary>
    public LatencyRate EffectiveLatencyRate => HasUpdates && LatencyRate is { } asked ? asked : UsualLatencyRate(Rate, SourceTickRate);

    /// <summary>Ticks per second where no rate is lower.</summary>
    public int MaxTickRate => IsSmooth ? SmoothTickRate : UsualTickRate;

    /// <summary>Ticks per second of the role that sends updates.</summary>
    public int SourceTickRate => TickRateFor(Schedule?.MinRate ?? Rate, Generic);

    /// <summary>Ticks per second of the role that posts.</summary>
    public int ConsumerTickRate => TickRateFor(Posting, Generic);

    /// <summary>The default number of stamped messages per second for a rate: one a tick at most.</summary>
    public static LatencyRate UsualLatencyRate(int rate, int tickRate) =>
        PerfTools.Hosting.Options.LatencyRate.Of(Math.Min(Math.Min(tickRate, UsualTickRate), rate));

    // The tools send at least one message of each kind per tick.
    private int TickRateFor(params int[] rates)
    {
        int[] sent = [.. rates.Where(rate => rate > 0)];
        return sent.Length == 0 ? UsualTickRate : Math.Min(sent.Min(), MaxTickRate);
    }

    public IReadOnlyList<string> ArgumentsOf(string role) => Arguments.Of(role);

    /// <summary>The same with more arguments of one role, after those it has.</summary>
    public ScenarioOptions WithArguments(string role, IReadOnlyList<string> more) =>
        this with { Arguments = Arguments.With(role, more) };

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { LatencyRate: { All: false, PerSecond: < 0 } } => "--latency-rate must be 0 or more, or all",
        { Preloads: true } when External.ContainsKey(RoleNames.Hub) => "--preload needs a hub that is started here",
        { Steps: not null, Ramp: not null } => "--steps cannot be combined with --ramp",
        { Preloads: true, NoProvider: true } => "--preload needs a publisher",
        { LatencyRate: { } latencyRate, HasUpdates: true } when latencyRate.Exceeds(Rate) => "--latency-rate must not exceed --rate",
        { LatencyRate: { } latencyRate, Generic: > 0 }
            when latencyRate.Exceeds(Generic) && !ArgumentsOf(RoleNames.Provider).Contains("-tickRate")
            => "--latency-rate must not exceed --generic: a tick sends some of each kind",
        _ => FindRankProblem() ?? Editions.FindProblem() ?? Outputs.FindProblem(),
    };

    // What only a run of one process can do.
    private string? FindRankProblem() => Ranks.FindProblem(Out)
        ?? (Ranks.Rank is not null && External.FirstOrDefault(role => role.Value == HostAddress.Elsewhere) is { Key: { } role }
            ? $"--external {role} cannot be combined with --rank: give {role} a rank" : null);
}
