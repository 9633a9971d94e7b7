using PerfTools.Reports.RoundTrips;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Reports;

/// <summary>Writes a run, or several of one configuration, as a table for a pull request.</summary>
internal static class RunMarkdown
{
    /// <summary>Writes the table.</summary>
    /// <param name="writer">The output.</param>
    /// <param name="runs">The runs, at least one, each with the prefix of its verdict.</param>
    /// <param name="together">Their figures; null where they cannot be read.</param>
    public static void Write(TextWriter writer, IReadOnlyList<(string Prefix, RunDocument Document)> runs, RunSet? together)
    {
        foreach ((string prefix, RunDocument run) in runs)
            WriteVerdict(writer, run, prefix);
        writer.Write('\n');
        if (runs.Count == 1)
        {
            WriteFigures(writer, runs[0].Document);
        }
        else if (together is { Problem: null })
        {
            Markdown.WriteTable(writer, [$"{runs.Count} runs together", "", "noise", ""],
                RepeatText.CreateRows(together).Select(row => (IReadOnlyList<string>)[row.Title, row.Value, row.Noise, ""]));
        }
    }

    private static void WriteVerdict(TextWriter writer, RunDocument run, string prefix)
    {
        string account = run.Links is [var link, ..]
            ? $"{Figure.Count(link.Sent ?? 0)} {link.What} sent, {Figure.Count(link.Received ?? 0)} received" : "";
        if (RoundTripLosses.Describe(run.Figures, run.Links) is { } losses)
            account += $", {losses}";
        writer.Write($"{prefix}**{run.ShownVerdict}** {run.Scenario}: {Markdown.Escape(run.Reason ?? account)}  \n");
        foreach (AssertionResult assertion in run.Assertions)
            writer.Write($"{(assertion.Kept ? "" : "**missed**: ")}{Markdown.Escape(assertion.Line)}  \n");
    }

    private static void WriteFigures(TextWriter writer, RunDocument run)
    {
        if (run.Figures is not { } figures)
            return;
        List<IReadOnlyList<string>> rows =
            [["rate, messages/s", Figure.Whole(figures.RateReached), figures.RateAsked is { } asked ? $"asked {Figure.Whole(asked)}" : ""]];
        if (run.Capacity is { } capacity)
            rows.Insert(0, ["capacity, users", Figure.Whole(capacity.Users), capacity.IsAtLeast ? "at least" : ""]);
        rows.AddRange(RoundTripSizes.CreateRows(figures.RoundTrips));
        RunLatency? latencies = figures.RoundTrips is null ? figures.LatencyMicros : null;
        foreach ((string title, RunLatency? latency) in (ReadOnlySpan<(string, RunLatency?)>)[("latency", latencies),
            ("send lag", figures.SendLagMicros)])
        {
            if (latency is not null)
                rows.AddRange(CreateRows(title, latency));
        }

        rows.AddRange((run.Pairs ?? []).Where(pair => pair.What == run.Links[0].What).Select(pair => (IReadOnlyList<string>)
            [$"{pair.What} from {pair.From} to {pair.To}", Figure.Count(pair.Sent ?? 0), $"{Figure.Count(pair.Received ?? 0)} received"]));
        if (figures.Clock is { } clock)
            rows.Add(["bound of latency by the clock, us", clock.BoundMicros is { } bound ? Figure.Micros(bound) : "-", clock.State + clock.ViaText]);
        rows.AddRange((run.Clocks is { Count: > 1 } clocks ? clocks : []).Select(wall => (IReadOnlyList<string>)
            [$"clock of rank {wall.Rank}, ahead of rank 0 by us", $"{Figure.Micros(wall.OffsetMicros)} +- {Figure.Micros(wall.ErrorMicros)}", wall.StateText]));
        rows.AddRange((run.ClockChecks ?? []).Select(check => (IReadOnlyList<string>)
            [$"{ClockCheckText.Pair(check)} by {ClockCheckText.By(check)}, us", ClockCheckText.Measured(check),
                $"NTP or PTP says {ClockCheckText.Stated(check)}: {ClockCheckText.Outcome(check)}"]));
        rows.AddRange(run.Roles.Where(role => role.CpuCorePercent is not null).Select(role => (IReadOnlyList<string>)
            [$"CPU of the {role.Name}, % of one core", Figure.Percent(role.CpuCorePercent!.Value),
                role.MemoryMegabytes is { } memory ? $"{Figure.Whole(memory)} MB" : ""]));
        if (run.Placement is { } placement)
            rows.Add(["processors", placement, ""]);
        rows.AddRange((run.Network ?? []).Select(path => (IReadOnlyList<string>)[$"network, {path.Role} to {path.Peer}", path.Text, ""]));
        Markdown.WriteTable(writer, ["", "figure", ""], rows);
        WriteRoleFigures(writer, run);
    }

    // There are many: they are folded until a reader opens them.
    private static void WriteRoleFigures(TextWriter writer, RunDocument run)
    {
        foreach (TextTable table in RoleFigureTables.Create(run).Where(table => table.Rows.Count > 0))
        {
            writer.Write($"<details><summary>{table.Title}</summary>\n\n");
            IReadOnlyList<string> columns = table.Columns.Count > 0 ? table.Columns : ["", "figure"];
            Markdown.WriteTable(writer, [.. columns, ""],
                table.Rows.Select(row => (IReadOnlyList<string>)[.. row.Select(cell => cell.IsNumber ? cell.Text : Markdown.Escape(cell.Text)), ""]));
            writer.Write("</details>\n\n");
        }
    }

    private static IEnumerable<IReadOnlyList<string>> CreateRows(string title, RunLatency latency) =>
    [
        [$"{title} p50, us", Figure.Micros(latency.P50), $"{Figure.Count(latency.Count)} samples"],
        [$"{title} p99, us", Figure.Micros(latency.P99), ""],
        [$"{title} p99.9, us", Figure.Micros(latency.P999), ""], [$"{title} max, us", Figure.Micros(latency.Max), ""],
    ];
}
