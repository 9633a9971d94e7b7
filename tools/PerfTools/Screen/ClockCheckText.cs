using PerfTools.Results.Documents;

namespace PerfTools.Screen;

/// <summary>What NTP or PTP states of the wall clocks of two ranks, and what was measured, for people.</summary>
internal static class ClockCheckText
{
    /// <summary>Names the ranks.</summary>
    public static string Pair(ClockCheck check) => FormattableString.Invariant($"rank {check.Rank} ahead of rank {check.Against}");

    /// <summary>What NTP or PTP states, in microseconds.</summary>
    public static string Stated(ClockCheck check) => check.StatedMicros is { } stated ? $"0 +- {Figure.Micros(stated)}" : "-";

    /// <summary>What was measured, in microseconds.</summary>
    public static string Measured(ClockCheck check) => $"{Figure.Micros(check.MinMicros)} to {Figure.Micros(check.MaxMicros)}";

    /// <summary>The measurement.</summary>
    public static string By(ClockCheck check) => check.By == ClockCheck.Probes ? "the probes" : "the rendezvous";

    /// <summary>Whether they agree.</summary>
    public static string Outcome(ClockCheck check) => check.Agrees switch
    {
        true => "they agree",
        false => $"they contradict each other: {(check.By == ClockCheck.Probes ? "the probes count" : "the rendezvous counts")}",
        null => "NTP or PTP states nothing",
    };

    /// <summary>
    /// The parts of the lines of the closing block: what the probes found with what NTP or PTP states, and every contradiction. Nothing where it states
    /// nothing.
    /// </summary>
    public static IEnumerable<IReadOnlyList<string>> CreateClosing(RunDocument run) =>
        (run.ClockChecks ?? []).Where(check => check.Agrees is false || (check.Agrees is true && check.By == ClockCheck.Probes)).Select(check =>
            (IReadOnlyList<string>)[$"{Pair(check)}: NTP or PTP says {Stated(check)} us", $"{By(check)} {(check.By == ClockCheck.Probes ? "say" : "says")} "
                + $"{Measured(check)} us", Outcome(check)]);
}
