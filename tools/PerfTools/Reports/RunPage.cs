using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Reports.Charts;
using PerfTools.Reports.RoundTrips;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Verdicts;

namespace PerfTools.Reports;

/// <summary>
/// Creates the report of a run of perftools: every figure comes from run.json, JSON lines and histograms, none from printed text.
/// </summary>
internal static class RunPage
{
    public static ReportContent Create(RecordedRun recorded)
    {
        RunDocument run = recorded.Document;
        Scenario? scenario = ScenarioList.All.FirstOrDefault(known => known.Name == run.Scenario);
        RunPoints points = RunPoints.Read(recorded);
        LatencyScatter latencies = LatencyScatter.Read(recorded.Folder);
        return RampPage.Add(new ReportContent
        {
            Title = scenario?.Title ?? run.Scenario,
            Subtitle = Format($"{run.Scenario}, {run.StartUtc:yyyy-MM-dd HH:mm:ss} UTC, {(run.EndUtc - run.StartUtc).TotalSeconds:F1} s"),
            Verdict = run.Verdict,
            Sentence = (run.Reason ?? Describe(run.Links, RoundTripLosses.Describe(run.Figures, run.Links)))
                + (run.ShownVerdict == run.Verdict ? "" : "; changed by hand"),
            Next = RunAdvice.Find(run, scenario is { Figures.HasNoRate: false }),
            Circumstances = DescribeCircumstances(run),
            Figures = [.. new[] { Rates(run), Roles(run), RoundTripSizes.Create(run.Figures?.RoundTrips), Latencies(run), Clocks(run), ClockTable.Create(run),
                ClockTable.CreateChecks(run), Links("Messages", "links", run.Links),
                Links("Messages of each provider with its consumers", "pairs", run.Pairs ?? []), NetworkTable.Create(run),
                latencies.CreateTable(), Assertions(run) }.Where(table => table.Rows.Count > 0)],
            Charts = [.. RoundTripCharts.Of(run.Figures?.RoundTrips), .. PercentileCharts(recorded),
                .. latencies.CreateCharts(), .. points.CreateCharts(run.Figures?.RateAsked)],
            Conditions = [.. RunConditions.Create(run, scenario), .. Machines(scenario, run), .. RoleFigureTables.Create(run)],
            Points = points.Table,
        }, run);
    }

    // The report of a suite of users has those of its ramps.
    private static IReadOnlyList<TextTable> Machines(Scenario? scenario, RunDocument run) =>
        scenario is not null && run.Ranks is { } ranks ? [UsersTables.Machines(ranks)] : [];

    private static string? DescribeCircumstances(RunDocument run)
    {
        string?[] parts =
        [
            run.Machine.LoadBeforePercent is { } before ? Format($"other programs: {before:F0} % of the machine before the start") : null,
            run.Machine.ForeignPercent is { } during
                ? Format($"{(run.Machine.LoadBeforePercent is null ? "other programs: " : "")}{during:F0} % during the run") : null,
            run.Placement is { } placement ? $"processors: {placement}" : null,
        ];
        string[] known = [.. parts.OfType<string>()];
        return known.Length == 0 ? null : string.Join("; ", known);
    }

    private static string Describe(IReadOnlyList<LinkResult> links, string? losses) => links is [{ Received: { } received } first, ..]
        ? Format($"{received:N0} {first.What} received, {losses ?? "nothing missing"}") : "";

    private static TextTable Rates(RunDocument run)
    {
        List<IReadOnlyList<Cell>> rows = [];
        if (run.Figures is { } figures)
        {
            if (figures.RateAsked is not null)
                rows.Add(["rate asked, messages/s", Cell.Of("figures.rateAsked", figures.RateAsked, Figure.Whole)]);
            rows.Add(["rate reached, messages/s", Cell.Of("figures.rateReached", figures.RateReached, Figure.Whole)]);
            rows.Add(["measured, s", Cell.Of("figures.steadySeconds", figures.SteadySeconds, Figure.Seconds)]);
            if (figures.Images is { } images)
            {
                rows.Add(["images", Cell.Of("figures.images.count", images.Count, Figure.Whole)]);
                rows.Add(["time for all images, s", Cell.Of("figures.images.seconds", images.Seconds, Figure.Seconds)]);
            }
        }

        return new("Rate", [], rows);
    }

    private static TextTable Latencies(RunDocument run)
    {
        List<IReadOnlyList<Cell>> rows = [];
        if (run.Figures is { LatencyMicros: { } latency, RoundTrips: null })
            rows.Add(["latency", .. Cells("figures.latencyMicros", latency)]);
        if (run.Figures?.SendLagMicros is { } lag)
            rows.Add(["send lag", .. Cells("figures.sendLagMicros", lag)]);
        return new("Latency and send lag, us", ["", "p50", "p90", "p99", "p99.9", "p99.99", "max", "average", "samples"], rows);
    }

    private static TextTable Clocks(RunDocument run) => new(
        "Clock of the sender",
        ["", "by", "state", "bound of latency, us", "least round trip, us", "drift, ppm", "exchanges", "lost", "segments", "stamps", "of the peer"],
        run.Figures?.Clock is not { } clock ? [] :
        [
            [
                clock.Pair, clock.Transport, clock.State, Cell.Of("figures.clock.boundMicros", clock.BoundMicros, Micros),
                Cell.Of("figures.clock.minRttMicros", clock.MinRttMicros, Micros), Cell.Of("figures.clock.driftPpm", clock.DriftPpm, Figure.Seconds),
                Cell.Of("figures.clock.exchanges", clock.Exchanges, Figure.Whole), Cell.Of("figures.clock.lost", clock.Lost, Figure.Whole),
                Cell.Of("figures.clock.segments", clock.Segments, Figure.Whole), clock.Stamps, clock.PeerStamps,
            ],
        ]);

    private static IEnumerable<Cell> Cells(string path, RunLatency latency) =>
    [
        Cell.Of($"{path}.p50", latency.P50, Micros), Cell.Of($"{path}.p90", latency.P90, Micros),
        Cell.Of($"{path}.p99", latency.P99, Micros),
        Cell.Of($"{path}.p999", latency.P999, Micros), Cell.Of($"{path}.p9999", latency.P9999, Micros),
        Cell.Of($"{path}.max", latency.Max, Micros),
        Cell.Of($"{path}.average", latency.Average, Micros), Cell.Of($"{path}.count", latency.Count, Figure.Whole),
    ];

    private static TextTable Links(string title, string path, IReadOnlyList<LinkResult> links) => new(
        title, ["", "from", "to", "sent", "received", "lost", "not sent", ""],
        [
            .. links.Select((link, i) => (IReadOnlyList<Cell>)
            [
                link.What, link.From, link.To,
                Cell.Of($"{path}.{i}.sent", link.Sent, Figure.Whole), Cell.Of($"{path}.{i}.received", link.Received, Figure.Whole),
                Cell.Of($"{path}.{i}.lost", link.Lost, Figure.Whole), Cell.Of($"{path}.{i}.notSent", link.NotSent, Figure.Whole),
                link.Balanced switch { true => "balanced", false => "do not add up", null => "not comparable" },
            ]),
        ]);

    private static TextTable Roles(RunDocument run) => new(
        "Roles", ["", "program", "CPU, % of one core", .. HasOutside(run) ? ["the same from outside"] : (string[])[], "memory, MB", "exit code"],
        [
            .. run.Roles.Select((role, i) => (IReadOnlyList<Cell>)
            [
                role.Name, role.Edition is null ? role.Tool ?? "external" : $"{role.Tool} ({role.Edition})",
                Cell.Of($"roles.{i}.cpuCorePercent", role.CpuCorePercent, Figure.Percent),
                .. HasOutside(run) ? [Cell.Of($"roles.{i}.outside.coreCpuPercent", role.Outside?.CoreCpuPercent, Figure.Percent)] : (Cell[])[],
                Cell.Of($"roles.{i}.memoryMegabytes", role.MemoryMegabytes, Figure.Whole),
                Cell.Of($"roles.{i}.exitCode", role.ExitCode, code => code == (double)ExitCode.Terminated ? "ended" : Figure.Whole(code)),
            ]),
        ]);

    private static bool HasOutside(RunDocument run) => run.Roles.Any(role => role.Outside?.CoreCpuPercent is not null);

    /// <summary>Creates the table of the thresholds and whether the run kept them.</summary>
    /// <param name="run">The run.</param>
    /// <param name="of">Its name among several; null for a single one.</param>
    internal static TextTable Assertions(RunDocument run, string? of = null) => new(
        of is null ? "Assertions" : $"Assertions of {of}", [],
        [.. run.Assertions.Select(assertion => (IReadOnlyList<Cell>)[assertion.Kept ? "kept" : "missed", assertion.Line])]);

    // The percentiles of every series except the sender's ticks and the time of coding.
    private static IEnumerable<Chart> PercentileCharts(RecordedRun recorded)
    {
        (RecordedRole Role, string Series)[] logs =
            [.. recorded.Roles.SelectMany(role => role.Series.Except(PercentileCurve.NoLatencies).Select(series => (role, series)))];
        PercentileCurve[] curves =
        [
            .. from log in logs
               let isAlone = logs.Count(other => other.Series == log.Series) == 1
               let curve = PercentileCurve.TryCreate(isAlone ? log.Series : $"{log.Series} {log.Role.Result.Name}",
                   log.Role.ReadWhole(log.Series))
               where curve is not null
               select curve,
        ];
        return curves.Length == 0 ? [] : [PercentileCurve.CreateChart(curves)];
    }

    private static string Micros(double value) => Figure.Micros(value);

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
