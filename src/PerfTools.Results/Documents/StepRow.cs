using System.Globalization;
using System.Text.Json.Serialization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>
/// The figures of one step of a ramp: a row of <c>steps.csv</c>, and an object of <c>steps</c> in run.json under the same names (docs/run-json.md).
/// </summary>
public sealed record StepRow
{
    private const double MicrosPerMilli = 1_000;
    private const double Percent = 100;
    private const double AllowedShare = 0.01;
    private const double BusyPercent = 90;
    private const double AllowedSpreads = 3;
    private const double AllowedSpreadMicros = 5_000;

    /// <summary>The scenario's name.</summary>
    public required string Scenario { get; init; }

    /// <summary>Name of the measured variant.</summary>
    public required string Variant { get; init; }

    /// <summary>Number of the step, from 1.</summary>
    public required int Step { get; init; }

    /// <summary>When its period began.</summary>
    public required DateTime Utc { get; init; }

    /// <summary>Users that were requested.</summary>
    public required int UsersAsked { get; init; }

    /// <summary>Users that were logged in.</summary>
    public required int UsersIn { get; init; }

    /// <summary>Length of the period.</summary>
    public required double Seconds { get; init; }

    /// <summary>Updates that the users were due to receive.</summary>
    public required double Expected { get; init; }

    /// <summary>Updates that they received.</summary>
    public required long Received { get; init; }

    /// <summary>Number of samples.</summary>
    public required long Samples { get; init; }

    /// <summary>The sum of the samples.</summary>
    public required long SumMicros { get; init; }

    /// <summary>The minimum of the samples.</summary>
    public required long MinMicros { get; init; }

    /// <summary>The maximum of the samples.</summary>
    public required long MaxMicros { get; init; }

    /// <summary>Median in microseconds; a percentile is null with too few samples.</summary>
    public double? P50 { get; init; }

    /// <summary>90 % are at most this.</summary>
    public double? P90 { get; init; }

    /// <summary>99 % are at most this.</summary>
    public double? P99 { get; init; }

    /// <summary>99.9 % are at most this.</summary>
    public double? P999 { get; init; }

    /// <summary>
    /// For users whose clock is not the sources': p99 of the samples' distance above the minimum, in microseconds; null where there are none, or too
    /// few.
    /// </summary>
    public double? SpreadP99 { get; init; }

    /// <summary>The maximum of these distances.</summary>
    public long? SpreadMax { get; init; }

    /// <summary>Users lost or refused.</summary>
    public long Lost { get; init; }

    /// <summary>Failed log-in attempts since the step before that were followed by another.</summary>
    public long LoginRetries { get; init; }

    /// <summary>Faults in the order of updates.</summary>
    public StepOrder Order { get; init; } = new();

    /// <summary>The posts of the users.</summary>
    public StepPosts Posts { get; init; } = new();

    /// <summary>
    /// CPU use of processes outside the run on the busiest of its machines in the period, in percent of all processors; null where it is unknown.
    /// </summary>
    public double? ForeignPercent { get; init; }

    /// <summary>CPU use of the busiest users thread, in percent of one core.</summary>
    public double? UsersCpuMax { get; init; }

    /// <summary>The hub's resource use and counts in the period.</summary>
    public HubStep Hub { get; init; } = new();

    /// <summary>Lag of the starts of the sources' ticks, in microseconds; null where it is unknown.</summary>
    public double? SendLagP99 { get; init; }

    /// <summary>Updates that the sources were due to send and did not send.</summary>
    public long NotSent { get; init; }

    /// <summary>The mean in microseconds; null without samples.</summary>
    public double? MeanMicros => Samples == 0 ? null : (double)SumMicros / Samples;

    /// <summary>Updates received in percent of those due.</summary>
    public double ReceivedPercent => Expected > 0 ? Percent * Received / Expected : 0;

    /// <summary>The fault of the step, as a sentence; null when there is none.</summary>
    [JsonIgnore]
    public string? Fault => this switch
    {
        _ when UsersIn < UsersAsked => Invariant($"{UsersIn:N0} of {UsersAsked:N0} users in"),
        { Lost: > 0 } => Invariant($"{Lost:N0} users lost"),
        { Hub.Cut: > 0 } => Invariant($"{Hub.Cut:N0} users cut"),
        _ when Math.Abs(Received - Expected) > AllowedShare * Expected => Invariant($"received {ReceivedPercent:F1} %"),
        { Order.OutOfOrder: > 0 } => Invariant($"{Order.OutOfOrder:N0} updates out of order"),
        { Order.Repeated: > 0 } => Invariant($"{Order.Repeated:N0} updates repeated"),
        _ when Hub.Conflated + Hub.Dropped > 0 => Invariant($"{Hub.Conflated + Hub.Dropped:N0} updates left out"),
        { Order.Missing: > 0, Hub.Throttled: 0 } => Invariant($"{Order.Missing:N0} updates missing"),
        { NotSent: > 0 } => Invariant($"{NotSent:N0} updates not sent by the sources"),
        _ => null,
    };

    /// <summary>True when the step has no fault.</summary>
    [JsonPropertyName("ok")]

    public bool IsOk => Fault is null;

    /// <summary>Why the step says nothing about the hub, as a sentence; null when it does.</summary>
    [JsonIgnore]
    public string? Disturbance => MachineBusy ?? SimulatorBusy;

    /// <summary>States that other processes used too much of the machine, as a sentence; null when they did not.</summary>
    [JsonIgnore]
    public string? MachineBusy => ForeignPercent > Percent * MachineDescription.MaxForeignShare
        ? Invariant($"machine busy: other processes used {ForeignPercent:F0} % of the CPU") : null;

    /// <summary>An inconsistency of the users of other hosts, as a sentence; null when there is none, or no users measure next to them.</summary>
    [JsonIgnore]
    public string? OddSpread => Samples == 0 ? null : IsOdd(SpreadP99, P99 - MinMicros) ? DescribeSpread("p99", SpreadP99, P99 - MinMicros)
        : IsOdd(SpreadMax, MaxMicros - MinMicros) ? DescribeSpread("greatest", SpreadMax, MaxMicros - MinMicros) : null;

    /// <summary>All other notes on the step; empty for none.</summary>
    public string Note =>
        string.Join("; ", new[] { Fault, MachineBusy, SimulatorBusy, Retries, OddSpread }.OfType<string>());

    /// <summary>Formats its human-readable line.</summary>
    internal string Describe() => (
        Invariant($"  {UsersAsked,7:N0} users   mean {Millis(MeanMicros),8} ms   max {Millis(Samples == 0 ? null : MaxMicros),9}   ")
        + Invariant($"received {ReceivedPercent,6:F2} %   {Note}")).TrimEnd();

    /// <summary>Formats the line of a rank, which sees only its own users.</summary>
    internal string DescribePart() => Invariant(
        $"  {UsersIn,7:N0} of {UsersAsked:N0} users here   mean {Millis(MeanMicros),8} ms   received {Received:N0}");

    /// <summary>The columns of the file, each with its value in a row.</summary>
    internal static IReadOnlyList<(string Name, Func<StepRow, string> Show)> Columns { get; } =
    [
        ("Scenario", r => r.Scenario),
        ("Variant", r => r.Variant),
        ("Step", r => Whole(r.Step)),
        ("UTC", r => ResultTime.ToText(r.Utc)),
        ("Users asked", r => Whole(r.UsersAsked)),
        ("Users in", r => Whole(r.UsersIn)),
        ("Period (s)", r => Number(r.Seconds, "0.###")),
        ("Expected", r => Number(r.Expected, "0.#")),
        ("Received", r => Whole(r.Received)),
        ("Received (%)", r => Number(r.ReceivedPercent, "F3")),
        ("Mean (ms)", r => Millis(r.MeanMicros)),
        ("Min (ms)", r => Millis(r.Samples == 0 ? null : r.MinMicros)),
        ("Max (ms)", r => Millis(r.Samples == 0 ? null : r.MaxMicros)),
        ("p50 (ms)", r => Millis(r.P50)),
        ("p90 (ms)", r => Millis(r.P90)),
        ("p99 (ms)", r => Millis(r.P99)),
        ("p99.9 (ms)", r => Millis(r.P999)),
        ("Samples", r => Whole(r.Samples)),
        ("CPU (%)", r => Number(r.Hub.CpuPercent, "F1")),
        ("Memory (MB)", r => Number(r.Hub.MemoryMegabytes, "F1")),
        ("Updates in (1/s)", r => Number(r.Hub.UpdatesIn / r.Seconds, "F1")),
        ("Delivered (1/s)", r => Number(r.Hub.Delivered / r.Seconds, "F1")),
        ("Sends (1/s)", r => Number(r.Hub.Sends / r.Seconds, "F1")),
        ("Updates per send", r => Number(r.Hub.UpdatesPerSend, "F2")),
        ("Bytes out (MB/s)", r => Number(r.Hub.BytesOut / r.Seconds / 1_048_576, "F3")),
        ("Burst interval (ms)", r => Millis(r.Hub.BurstMicros)),
        ("Queue max (bytes)", r => Whole(r.Hub.QueuedBytesMax)),
        ("Conflated", r => Whole(r.Hub.Conflated)),
        ("Dropped", r => Whole(r.Hub.Dropped)),
        ("Cut", r => Whole(r.Hub.Cut)),
        ("Send lag p99 (us)", r => Number(r.SendLagP99, "F0")),
        ("Users CPU max (%)", r => Number(r.UsersCpuMax, "F1")),
        ("Spread p99 (ms)", r => Millis(r.SpreadP99)),
        ("Other CPU (%)", r => Number(r.ForeignPercent, "F1")),
        ("Lost", r => Whole(r.Lost)),
        ("Log-in retries", r => Whole(r.LoginRetries)),
        ("Missing", r => Whole(r.Order.Missing)),
        ("Out of order", r => Whole(r.Order.OutOfOrder)),
        ("Repeated", r => Whole(r.Order.Repeated)),
        ("Posts (1/s)", r => Number(r.Posts.Count / r.Seconds, "F1")),
        ("Post mean (ms)", r => Millis(r.Posts.MeanMicros)),
        ("Post max (ms)", r => Millis(r.Posts.Count == 0 ? null : r.Posts.MaxMicros)),
        ("Ok", r => r.IsOk ? "yes" : "no"),
        ("Note", r => r.Note),
    ];

    /// <summary>Writes the whole file.</summary>
    internal static void WriteCsv(TextWriter writer, IEnumerable<StepRow> rows)
    {
        CsvLine.Write(writer, Columns.Select(column => column.Name));
        foreach (StepRow row in rows)
            CsvLine.Write(writer, Columns.Select(column => column.Show(row)));
    }

    /// <summary>Formats a time in milliseconds with three decimals; - for none.</summary>
    internal static string Millis(double? micros) => Number(micros / MicrosPerMilli, "F3");

    private string? SimulatorBusy => UsersCpuMax > BusyPercent ? "simulator at its limit" : null;

    private string? Retries => LoginRetries > 0 ? Invariant($"{LoginRetries:N0} log-ins tried again") : null;

    private static bool IsOdd(double? spread, double? measured) =>
        spread > measured * AllowedSpreads && spread > measured + AllowedSpreadMicros;

    private static string DescribeSpread(string what, double? spread, double? measured) =>
        $"users of other hosts: {what} spread {Millis(spread)} ms; {Millis(measured)} where it is measured";

    private static string Whole(long value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Number(double? value, string format) =>
        value is { } known ? known.ToString(format, CultureInfo.InvariantCulture) : "-";

    private static string Invariant(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The hub's resource use and counts in one period.</summary>
public sealed record HubStep
{
    /// <summary>CPU use in percent of one core.</summary>
    public double? CpuPercent { get; init; }

    /// <summary>Working set at the end of the period, in units of 1,048,576 bytes.</summary>
    public double? MemoryMegabytes { get; init; }

    /// <summary>Updates received from the sources.</summary>
    public double UpdatesIn { get; init; }

    /// <summary>Updates sent to users.</summary>
    public double Delivered { get; init; }

    /// <summary>Calls that sent data.</summary>
    public double Sends { get; init; }

    /// <summary>Bytes sent to users.</summary>
    public double BytesOut { get; init; }

    /// <summary>The interval between two bursts, in microseconds.</summary>
    public double BurstMicros { get; init; }

    /// <summary>Maximum bytes queued for one user.</summary>
    public long QueuedBytesMax { get; init; }

    /// <summary>Updates merged for a user with a backlog.</summary>
    public long Conflated { get; init; }

    /// <summary>Updates left out for a user with a backlog.</summary>
    public long Dropped { get; init; }

    /// <summary>Updates merged into later ones before they were fanned out (-throttle).</summary>
    public long Throttled { get; init; }

    /// <summary>Users that were disconnected.</summary>
    public long Cut { get; init; }

    /// <summary>Updates per call; null where nothing was sent.</summary>
    public double? UpdatesPerSend => Sends > 0 ? Delivered / Sends : null;
}

/// <summary>Faults in the order of a step's updates, by the count that each carries.</summary>
/// <param name="Missing">Skipped by a later update of their item; below 0 where some arrived that an earlier step missed.</param>
/// <param name="OutOfOrder">Arrived after a later one.</param>
/// <param name="Repeated">Arrived more than once.</param>
public sealed record StepOrder(long Missing = 0, long OutOfOrder = 0, long Repeated = 0);

/// <summary>Posts of a step that their users received back.</summary>
/// <param name="Count">Number of posts.</param>
/// <param name="SumMicros">Sum of their latencies, in microseconds.</param>
/// <param name="MaxMicros">The maximum of their latencies, in microseconds.</param>
public sealed record StepPosts(long Count = 0, long SumMicros = 0, long MaxMicros = 0)
{
    /// <summary>The mean in microseconds; null without posts.</summary>
    public double? MeanMicros => Count == 0 ? null : (double)SumMicros / Count;
}
