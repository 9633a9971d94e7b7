using System.Text.Json;
using System.Text.Json.Serialization;

namespace PerfTools.Results.Documents;

/// <summary>The results of one role, as run.json has them.</summary>
public sealed record RoleResult
{
    /// <summary>Its name in the scenario.</summary>
    public required string Name { get; init; }

    /// <summary>Its program; null for one that was not started here.</summary>
    public required string? Tool { get; init; }

    /// <summary>Its command line, without passwords; or the place where it was found.</summary>
    public required string Command { get; init; }

    /// <summary>Its exit code; null when its end was not seen.</summary>
    public required int? ExitCode { get; init; }

    /// <summary>
    /// CPU use in percent of one core: in the steady state, or in the whole run where there was none; null when it is unknown.
    /// </summary>
    public required double? CpuCorePercent { get; init; }

    /// <summary>Peak working set, in units of 1,048,576 bytes; null when it was not sampled.</summary>
    public required double? MemoryMegabytes { get; init; }

    /// <summary>The edition of a program that is not one of these tools, as ours, c, java; absent for ours.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Edition { get; init; }

    /// <summary>Its resource use, measured from outside; absent where the system does not report it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public OutsideUse? Outside { get; init; }

    /// <summary>The names of its files in the run's folder; null for a role that was not started here.</summary>
    public RoleFiles? Files { get; init; }

    /// <summary>Its figures, each with its description; none for a role without a catalogue, as those of 0.16 and before.</summary>
    public IReadOnlyList<RoleFigure> Figures { get => field ?? []; init; }

    /// <summary>Its final figures, as it wrote them, without the catalogue; null when there are none.</summary>
    public required JsonElement? Final { get; init; }
}

/// <summary>
/// The resource use of a role's processes, measured in the same way for a program of any edition: by the system's accounts, not by the program's own.
/// </summary>
/// <param name="CpuSeconds">CPU time of all of them, from their start to the last sample.</param>
/// <param name="CoreCpuPercent">Percent of one core in the measured time; null where that is not known.</param>
/// <param name="PeakMegabytes">Peak sum of resident memory in any sample, in units of 1,048,576 bytes.</param>
public sealed record OutsideUse(double CpuSeconds, double? CoreCpuPercent, double PeakMegabytes);

/// <summary>The names of a role's files within the run's folder, as run.json has them.</summary>
/// <param name="Log">The output that it printed.</param>
/// <param name="JsonLines">Its figures, one JSON object per line.</param>
/// <param name="Histograms">The first part of the names of its histograms, before <c>-series.hlog</c>.</param>
public sealed record RoleFiles(string Log, string JsonLines, string Histograms);

/// <summary>The account of one link, as run.json has it: every message sent must have been received or counted as lost.</summary>
/// <remarks>A count is null when its role left no figures.</remarks>
public sealed record LinkResult
{
    /// <summary>The role that sends.</summary>
    public required string From { get; init; }

    /// <summary>The role that receives.</summary>
    public required string To { get; init; }

    /// <summary>The kind of messages counted, in the plural.</summary>
    public required string What { get; init; }

    /// <summary>Messages whose last byte the sender's socket accepted.</summary>
    public required long? Sent { get; init; }

    /// <summary>Messages that the receiver counted.</summary>
    public required long? Received { get; init; }

    /// <summary>Messages that the receiver counted as lost.</summary>
    public required long? Lost { get; init; }

    /// <summary>Messages among <see cref="Lost"/> without a watcher; absent where there were none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Unwatched { get; init; }

    /// <summary>Messages that were due and never sent, not part of <see cref="Sent"/>.</summary>
    public required long? NotSent { get; init; }

    /// <summary>
    /// Maximum difference of both counts due to messages under way when a program of another edition counted; absent where both count to the end.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? UnderWay { get; init; }

    /// <summary>True when both counts agree; null when that cannot be known.</summary>
    public bool? Balanced => !Comparable ? null : UnderWay is { } most ? Math.Abs((Sent - Received - Lost) ?? long.MaxValue) <= most : Sent == Received + Lost;

    /// <summary>True when the counts differ, or one of them is not known, and the run does not explain it.</summary>
    public bool AreCountsOpen() => !Comparable && Sent != Received + Lost;

    /// <summary>False when one side was not ours, left no figures, or was disconnected.</summary>
    public required bool Comparable { get; init; }

    /// <summary>Returns the kind of messages, with the two roles where other links count the same kind.</summary>
    public string NameAmong(IEnumerable<LinkResult> links) =>
        links.Count(link => link.What == What) > 1 ? $"{What} from {From} to {To}" : What;
}
