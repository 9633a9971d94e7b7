using System.Collections.Immutable;
using PerfCommon.Transport;
using PerfTools.Editions;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Scenarios;

/// <summary>What one run is asked to do; a scenario offers those of them that its table names. Vary it with <c>with</c>.</summary>
internal sealed record ScenarioOptions
{
    /// <summary>Ticks a second of the tools, where no rate is lower.</summary>
    public const int UsualTickRate = 1000;

    /// <summary>Ticks a second with <c>--smooth</c>, where no rate is lower: a tenth of the usual burst.</summary>
    public const int SmoothTickRate = 10_000;

    /// <summary>Items that the consumer opens. <c>--items</c></summary>
    public int Items { get; init; } = 10_000;

    /// <summary>Messages a second that the sender is asked for, on each connection; 0 where there are to be none. <c>--rate</c></summary>
    public int Rate
    {
        get => HasUpdates ? Course?.MaxRate ?? field : 0;
        init;
    } = 100_000;

    /// <summary>How the rate is to change, in either form.</summary>
    public RateCourses Courses { get; init; } = new(null, null);

    /// <inheritdoc cref="RateCourses.Steps"/>
    public RateCourse? Steps => Courses.Steps;

    /// <inheritdoc cref="RateCourses.Ramp"/>
    public RateCourse? Ramp => Courses.Ramp;

    /// <summary>How the rate changes; null for one that stays.</summary>
    public RateCourse? Course => Steps ?? Ramp;

    /// <summary>
    /// Messages a second that carry a time stamp; null for 1,000, or fewer where a rate is lower. <c>--latency-rate</c>
    /// </summary>
    public LatencyRate? LatencyRate { get; init; }

    /// <summary>Stamps tell when a message was due, not when it was made. <c>--stamp</c></summary>
    public bool StampsDue { get; init; }

    /// <summary>Posts a second of each of the consumer's connections. <c>--posting</c></summary>
    public int Posting { get; init; }

    /// <summary>Generic messages a second of each connection, both ways. <c>--generic</c></summary>
    public int Generic { get; init; }

    /// <summary>Round trips are measured on the login stream. <c>--rtt</c></summary>
    public bool RoundTrips { get; init; }

    /// <summary>Worker threads of each role. <c>--threads</c></summary>
    public int Threads { get; init; } = 1;

    /// <summary>Seconds of measuring; those of a rate that changes are its own. <c>--seconds</c></summary>
    public int Seconds
    {
        get => Course?.Seconds ?? field;
        init;
    } = 10;

    /// <summary>Most messages in one packed buffer; 1 for no packing. <c>--pack</c></summary>
    public int Pack { get; init; } = 1;

    /// <summary>What TransportPerf sends, over how many connections.</summary>
    public TransportLoad Transport { get; init; } = new();

    /// <inheritdoc cref="TransportLoad.MessageBytes"/>
    public int MessageBytes => Transport.MessageBytes;

    /// <summary>Each worker gets a processor of its own. <c>--bind</c></summary>
    public bool BindsWorkers { get; init; }

    /// <summary>Bursts are as small as the clock allows. <c>--smooth</c></summary>
    public bool IsSmooth { get; init; }

    /// <summary>The folder for the results; null for a new one. <c>--out</c></summary>
    public string? Out { get; init; }

    /// <summary>What the roles connect over. <c>--connection</c></summary>
    public ConnectionKind Connection { get; init; }

    /// <summary>What all roles ask for. <c>--compression</c></summary>
    public CompressionType Compression { get; init; }

    /// <summary>What the result must keep. <c>--assert</c></summary>
    public IReadOnlyList<Threshold> Thresholds { get; init; } = [];

    /// <summary>How many runs. <c>--repeat</c></summary>
    public int Repeat { get; init; } = 1;

    /// <summary>Where the result goes beside the console.</summary>
    public ResultOutputs Outputs { get; init; } = new();

    /// <summary>The consumer starts when the hub has every image. <c>--preload</c></summary>
    public bool Preloads { get; init; }

    /// <summary>Where an external hub listens for publishers; null for the guide's port. <c>--ni-port</c></summary>
    public int? PublisherPort { get; init; }

    /// <summary>The publisher sends images alone. <c>--no-updates</c></summary>
    public bool NoUpdates { get; init; }

    /// <summary>The run goes without a publisher. <c>--no-provider</c></summary>
    public bool NoProvider { get; init; }

    /// <summary>What a round-trip test is asked for beside.</summary>
    public RoundtripOptions Roundtrip { get; init; } = new();

    /// <summary>Further arguments of the roles, by their names. <c>--args</c> and its short forms</summary>
    public ImmutableDictionary<string, IReadOnlyList<string>> Arguments { get; init; } =
        ImmutableDictionary<string, IReadOnlyList<string>>.Empty;

    /// <summary>The roles that are not started, by their names, and where they run. <c>--external</c></summary>
    public ImmutableDictionary<string, HostAddress> External { get; init; } = ImmutableDictionary<string, HostAddress>.Empty;

    /// <summary>The roles that other programs play.</summary>
    public EditionOptions Editions { get; init; } = new();

    /// <summary>False where the run is asked to go without them.</summary>
    public bool HasUpdates => !NoUpdates && !NoProvider;

    /// <summary>The stamped messages a second that the sender is told.</summary>
    public LatencyRate EffectiveLatencyRate => HasUpdates && LatencyRate is { } asked ? asked : UsualLatencyRate(Rate, SourceTickRate);

    /// <summary>Ticks a second where no rate is lower.</summary>
    public int MaxTickRate => IsSmooth ? SmoothTickRate : UsualTickRate;

    /// <summary>Ticks a second of who sends updates.</summary>
    public int SourceTickRate => TickRateFor(Course?.MinRate ?? Rate, Generic);

    /// <summary>Ticks a second of who posts.</summary>
    public int ConsumerTickRate => TickRateFor(Posting, Generic);

    /// <summary>Stamped messages a second of a rate where nobody asks for another number: at most one a tick.</summary>
    public static LatencyRate UsualLatencyRate(int rate, int tickRate) =>
        PerfTools.Hosting.Options.LatencyRate.Of(Math.Min(Math.Min(tickRate, UsualTickRate), rate));

    // The tools send at least one message of each kind in a tick.
    private int TickRateFor(params int[] rates)
    {
        int[] sent = [.. rates.Where(rate => rate > 0)];
        return sent.Length == 0 ? UsualTickRate : Math.Min(sent.Min(), MaxTickRate);
    }

    public IReadOnlyList<string> ArgumentsOf(string role) => Arguments.GetValueOrDefault(role, []);

    /// <summary>The same with more arguments of one role, behind those it has.</summary>
    public ScenarioOptions WithArguments(string role, IReadOnlyList<string> more) =>
        this with { Arguments = Arguments.SetItem(role, [.. ArgumentsOf(role), .. more]) };

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
        _ => Editions.FindProblem() ?? Outputs.FindProblem(),
    };
}
