using System.Text.Json.Serialization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>The wall clock of one of the machines that made a run together, as run.json has it: by it the rows of its intervals have their times.</summary>
public sealed record RankClock
{
    private const double MicrosPerSecond = 1_000_000;
    private const double MicrosPerMilli = 1_000;
    private const double MaxYears = 230; // a machine without a battery begins in 1970

    /// <summary>Number of the rank, from 0.</summary>
    public required int Rank { get; init; }

    /// <summary>Microseconds by which it is ahead of the clock of rank 0, when the ranks met; 0 for rank 0, null where it was not measured.</summary>
    public required double? OffsetMicros { get; init; }

    /// <summary>The maximum error of <see cref="OffsetMicros"/>: half of the time from the question to its answer; null where it was not measured.</summary>
    public required double? ErrorMicros { get; init; }

    /// <summary>True when a program of NTP or PTP corrects it, by the state of the kernel; null where the system does not report it.</summary>
    public bool? Synchronized { get; init; }

    /// <summary>The maximum error that this program states; null where it is not known.</summary>
    public double? MaxErrorMicros { get; init; }

    /// <summary>The error that this program expects; null where it is not known.</summary>
    public double? EstimatedErrorMicros { get; init; }

    /// <summary>The clocks of the machine's hardware that PTP can use, each with its name; null where the system does not report them.</summary>
    public IReadOnlyList<string>? HardwareClocks { get; init; }

    /// <summary>
    /// Its time when the clock of time stamps, which is never set, was at 0: microseconds since 1970; null where it was not read.
    /// </summary>
    public double? ZeroUnixMicros { get; init; }

    /// <summary>The maximum error of that reading; null where there is none.</summary>
    public double? ZeroErrorMicros { get; init; }

    /// <summary>The state of its correction in words.</summary>
    [JsonIgnore]
    internal string StateText => Synchronized switch
    {
        true when MaxErrorMicros is { } error => FormattableString.Invariant($"synchronized within {error / MicrosPerMilli:0.###} ms"),
        true => "synchronized",
        false => "not synchronized",
        null => "not known",
    };

    /// <summary>
    /// The time that is subtracted from what this clock says, so that it is that of rank 0: the offset where it is greater than its error, else 0.
    /// </summary>
    [JsonIgnore]
    internal TimeSpan Shift => OffsetMicros is { } offset && ErrorMicros is { } error && Math.Abs(offset) > error
        ? TimeSpan.FromSeconds(offset / MicrosPerSecond) : TimeSpan.Zero;

    /// <summary>The same in whole milliseconds, of which the times of steps are.</summary>
    [JsonIgnore]
    internal TimeSpan StepShift => ToMillis(Shift);

    /// <summary>True for an offset that a run may have.</summary>
    [JsonIgnore]
    internal bool IsPossible => Math.Abs(OffsetMicros ?? 0) <= MaxYears * ResultTime.MaxSeconds * MicrosPerSecond && ErrorMicros is null or >= 0;

    /// <summary>Finds the time to subtract from what the clock of a role says; 0 for a run of one machine.</summary>
    /// <param name="ranks">The ranks of the run.</param>
    /// <param name="clocks">Their clocks.</param>
    /// <param name="role">The role.</param>
    internal static TimeSpan ShiftOf(IEnumerable<RankDescription>? ranks, IEnumerable<RankClock>? clocks, string role) =>
        ranks?.FirstOrDefault(rank => rank.Roles.Contains(role)) is { } own && clocks?.FirstOrDefault(clock => clock.Rank == own.Rank) is { } found
            ? found.Shift : TimeSpan.Zero;

    /// <summary>Rounds a shift to whole milliseconds.</summary>
    internal static TimeSpan ToMillis(TimeSpan shift) => TimeSpan.FromMilliseconds(Math.Round(shift.TotalMilliseconds));
}
