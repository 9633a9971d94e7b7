using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Reports;

/// <summary>The table of the wall clocks of a run over several machines.</summary>
internal static class ClockTable
{
    private static readonly (string Name, string Title, Func<RankClock, double?> Read)[] Columns =
    [
        ("offsetMicros", "ahead of rank 0, us", clock => clock.OffsetMicros),
        ("errorMicros", "error of that, us", clock => clock.ErrorMicros),
        ("maxErrorMicros", "maximum error by NTP or PTP, us", clock => clock.MaxErrorMicros),
        ("estimatedErrorMicros", "expected error, us", clock => clock.EstimatedErrorMicros),
    ];

    /// <summary>Creates it; without rows for a run of one machine.</summary>
    public static TextTable Create(RunDocument run) =>
        new("Clocks of the ranks", ["", "NTP or PTP", "hardware clocks", .. Columns.Select(column => column.Title)],
        run.Clocks is not { Count: > 1 } clocks ? [] :
        [
            .. clocks.Select((clock, i) => (IReadOnlyList<Cell>)
            [
                $"rank {Figure.Whole(clock.Rank)}", clock.StateText, clock.HardwareClocks is { Count: > 0 } found ? string.Join(", ", found) : "-",
                .. Columns.Select(column => Cell.Of($"clocks.{i}.{column.Name}", column.Read(clock), value => Figure.Micros(value))),
            ]),
        ]);

    /// <summary>Creates the table of what NTP or PTP states of them, and what was measured; without rows where nothing was compared.</summary>
    public static TextTable CreateChecks(RunDocument run) =>
        new("Wall clocks by NTP or PTP and as measured", ["", "measured by", "by NTP or PTP, us", "least measured, us", "greatest measured, us", ""],
        [
            .. (run.ClockChecks ?? []).Select((check, i) => (IReadOnlyList<Cell>)
            [
                ClockCheckText.Pair(check), ClockCheckText.By(check), ClockCheckText.Stated(check),
                Cell.Of($"clockChecks.{i}.minMicros", check.MinMicros, value => Figure.Micros(value)),
                Cell.Of($"clockChecks.{i}.maxMicros", check.MaxMicros, value => Figure.Micros(value)), ClockCheckText.Outcome(check),
            ]),
        ]);
}
