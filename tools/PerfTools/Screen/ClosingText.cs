using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Results.Documents;

namespace PerfTools.Screen;

/// <summary>The block that ends a run: the verdict, then every figure it rests on.</summary>
/// <remarks>Why it is not OK is said once, on the error stream.</remarks>
internal static class ClosingText
{
    private const int FigureColumn = 17;
    private const int MaxColumns = 80;
    private const string Indent = "    ";
    private const string Comma = ", ";
    private const string Gap = "   ";

    /// <summary>Writes the block, a line at a time, each of at most 80 characters but for the folder.</summary>
    /// <param name="run">The run.</param>
    /// <param name="folder">Its folder, with a slash at its end.</param>
    /// <param name="report">The name of its report there; null where there is none.</param>
    public static IEnumerable<string> Create(RunDocument run, string folder, string? report = null) =>
        [.. Describe(run), .. Row("files", folder), .. report is null ? [] : Row("report", folder + report)];

    private static IEnumerable<string> Describe(RunDocument run)
    {
        if (run.Figures is not { } figures)
            return [run.ShownVerdict];
        return
        [
            .. Lines($"{run.ShownVerdict}  {run.Links[0].NameAmong(run.Links)} ", Comma, Account(run.Links[0])),
            .. Row("rate", (string[])[.. Asked(figures), $"{Figure.Whole(figures.RateReached)}/s reached"]),
            .. (figures.RateSteps ?? []).SelectMany(DescribeStep),
            .. (run.Steps ?? []).SelectMany(DescribeStep),
            .. run.Capacity is { } capacity ? Row("capacity", capacity.DescribeUsers()) : [],
            .. DescribeLinks(run.Links),
            .. (run.Pairs ?? []).Where(pair => pair.What == run.Links[0].What).SelectMany(pair =>
                Lines(Start("pair") + $"{pair.From} to {pair.To}: ", Comma, Account(pair))),
            .. RoundTripLosses.Describe(figures, run.Links) is { } losses ? Row("losses", losses) : [],
            .. DescribeFigures(run, figures),
            .. DescribeCosts(run.Roles),
            .. DescribePlacement(run),
            .. DescribeNetwork(run),
            .. DescribeClocks(run, figures),
            .. ClockCheckText.CreateClosing(run).SelectMany(parts => Row("clocks", parts)),
            .. (run.Changes ?? []).Where(change =>
                change.IsOfLoad).SelectMany(change =>
                Row("changed", $"{change.Role} {change.Name}: {change.Value}{(change.Was is null ? "" : $", was {change.Was}")}")),
            .. run.Assertions.SelectMany(assertion => Row("assertion", assertion.Line)),
        ];
    }

    /// <summary>Images as the progress and the closing block name them.</summary>
    public static string ImageText(ImageFigures images) => $"{Figure.Count(images.Count)} in {Figure.Seconds(images.Seconds)} s";

    /// <summary>Names the processors of the roles, as the closing block does; no line where they are not known.</summary>
    public static IEnumerable<string> DescribePlacement(RunDocument run) =>
        run.Placement is { } placement ? Row("processors", placement.Split(Comma)) : [];

    // Of the role that sends what is measured: the other direction carries acknowledgements.
    private static IEnumerable<string> DescribeNetwork(RunDocument run) =>
        (run.Network ?? []).Where(path => path.Role == run.Links[0].From || RoleNames.IsOneOf(path.Role, run.Links[0].From))
        .SelectMany(path => Row("network", [$"{path.Role} to {path.Peer}", .. path.Text.Split(Comma)]));

    // Where latency was measured between two clocks: how the system of each rank corrects its own.
    private static IEnumerable<string> DescribeClocks(RunDocument run, RunFigures figures)
    {
        if (figures.Clock is null or { State: "same" } || run.Clocks is not { Count: > 1 } clocks)
            return [];
        string[] parts = [.. clocks.GroupBy(clock => clock.StateText).Select(alike =>
            $"{(alike.Count() == 1 ? "rank" : "ranks")} {string.Join(' ', alike.Select(clock => Figure.Whole(clock.Rank)))} {alike.Key}")];
        return Row("clocks", parts);
    }

    private static IEnumerable<string> Row(string label, params IReadOnlyList<string> parts) => Lines(Start(label), Comma, parts);

    private static string Start(string label) => (Indent + label + " ").PadRight(FigureColumn);

    // The rest of a line that is too long continues below its beginning.
    private static IEnumerable<string> Lines(string start, string separator, IReadOnlyList<string> parts)
    {
        string line = start + parts[0];
        foreach (string part in parts.Skip(1))
        {
            if (line.Length + separator.Length + part.Length <= MaxColumns)
            {
                line += separator + part;
                continue;
            }

            yield return line + separator.TrimEnd();
            line = new string(' ', FigureColumn) + part;
        }

        yield return line;
    }

    private static IEnumerable<string> Asked(RunFigures figures) => figures.RateAsked is { } rate ? [$"{Figure.Whole(rate)}/s asked"] : [];

    private static IEnumerable<string> DescribeStep(RateStep step, int index)
    {
        string label = string.Create(CultureInfo.InvariantCulture, $"step {index + 1}");
        if (step.Seconds <= 0)
            return Row(label, "no whole collection in it");
        return Row(label, $"{Figure.Whole(step.RateAsked)}/s asked", $"{Figure.Whole(step.RateReached)}/s reached",
            $"p50 {Figure.Micros(step.LatencyMicros?.P50)} us", $"p99 {Figure.Micros(step.LatencyMicros?.P99)} us");
    }

    private static IEnumerable<string> DescribeStep(StepRow step) => Row(
        string.Create(CultureInfo.InvariantCulture, $"step {step.Step}"),
        [$"{Figure.Whole(step.UsersAsked)} users", $"mean {StepRow.Millis(step.MeanMicros)} ms", $"p99 {StepRow.Millis(step.P99)} ms",
            string.Create(CultureInfo.InvariantCulture, $"received {step.ReceivedPercent:F2} %"),
            .. step.Note.Length > 0 ? [step.Note] : (string[])[]]);

    private static IEnumerable<string> DescribeLinks(IReadOnlyList<LinkResult> links)
    {
        foreach (LinkResult link in links.Skip(1).Where(link => link.Sent is not null || link.Received is not null))
        {
            string route = link.NameAmong(links) != link.What ? $"{link.From} to {link.To}: " : "";
            foreach (string line in Lines(Start(link.What) + route, Comma, Account(link)))
                yield return line;
        }

        foreach (LinkResult link in links.Where(link => link.NotSent > 0))
            yield return Start("not sent") + $"{Figure.Count(link.NotSent!.Value)} {link.NameAmong(links)} were due and never sent";
    }

    private static IEnumerable<string> DescribeFigures(RunDocument run, RunFigures figures)
    {
        IEnumerable<string> latency = Lines(
            Start("latency us"), Gap, [.. figures.LatencyMicros is { } samples ? Latency(samples) : ["no samples"], .. DescribeClock(figures.Clock)]);
        IEnumerable<string> lag = figures.SendLagMicros is { } late
            ? Row("send lag us", $"p50 {Figure.Micros(late.P50)}   p99 {Figure.Micros(late.P99)}   max {Figure.Micros(late.Max)}") : [];
        if (figures.LatencyMicros is { } few && FindShortage(run, few) is { } shortage)
            latency = latency.Append(new string(' ', FigureColumn) + shortage);
        return [.. latency, .. lag, .. figures.Images is { } images ? Row("images", ImageText(images)) : []];
    }

    // The uncertainty of the latencies caused by the difference of both sides' clocks.
    private static string[] DescribeClock(RunClock? clock) => clock switch
    {
        null => [],
        { State: "same" } => ["+- 0 (same clock)"],
        { State: "bounded" or "coarse", BoundMicros: { } bound } =>
            [$"{(clock.State == "coarse" ? "~ " : "")}+- {Figure.Micros(Math.Ceiling(10 * bound) / 10)} (clock{clock.ViaText})"],
        { State: "unbounded" } => [$"clock{clock.ViaText} unbounded"],
        _ => [clock.State],
    };

    // A percentile shown as - has too few samples beyond it: says how to get more.
    private static string? FindShortage(RunDocument run, RunLatency latency)
    {
        (double Percentile, double? Value)[] shown = [(50, latency.P50), (90, latency.P90), (99, latency.P99), (99.9, latency.P999)];
        (double missing, _) = Array.Find(shown, one => one.Value is null && latency.Count < LatencyFigures.SamplesNeeded(one.Percentile));
        return missing == 0 ? null : string.Create(CultureInfo.InvariantCulture,
            $"p{missing} needs {LatencyFigures.SamplesNeeded(missing):N0} samples: raise {(run.Steps is null ? "--seconds or --latency-rate" : "--period")}");
    }

    private static IEnumerable<string> DescribeCosts(IReadOnlyList<RoleResult> roles)
    {
        string[] cpu = List(roles, role => role.CpuCorePercent, value => Figure.Percent(value) + " %");
        string[] editions = [.. from role in roles where role.Edition is not null select $"{role.Name} {role.Edition}"];
        string[] memory = List(roles, role => role.MemoryMegabytes, value => Figure.Whole(value) + " MB");
        return
        [
            .. editions.Length > 0 ? Row("editions", editions) : [],
            .. cpu.Length > 0 ? Row("CPU", (string[])[.. cpu[..^1], cpu[^1] + " of one core"]) : [],
            .. memory.Length > 0 ? Row("memory", memory) : [],
        ];
    }

    private static string[] Account(LinkResult link)
    {
        List<string> parts = [];
        if (link.Sent is { } sent)
            parts.Add($"{Figure.Count(sent)} sent");
        if (link.Received is { } received)
            parts.Add($"{Figure.Count(received)} received");
        if (link.Lost > 0)
            parts.Add($"{Figure.Count(link.Lost.Value)} {(link.From == link.To ? "for nobody, or left out" : "counted as lost")}");
        if (link.UnderWay > 0 && link.Sent != link.Received + link.Lost)
            parts.Add($"at most {Figure.Count(link.UnderWay.Value)} under way");
        if (link.AreCountsOpen())
            parts.Add("not comparable");
        return [.. parts];
    }

    private static string[] Latency(RunLatency latency) =>
    [
        $"p50 {Figure.Micros(latency.P50)}", $"p90 {Figure.Micros(latency.P90)}", $"p99 {Figure.Micros(latency.P99)}",
        $"p99.9 {Figure.Micros(latency.P999)}", $"max {Figure.Micros(latency.Max)}", $"({Figure.Count(latency.Count)} samples)",
    ];

    private static string[] List(IReadOnlyList<RoleResult> roles, Func<RoleResult, double?> read, Func<double, string> show) =>
        [.. from role in roles let value = read(role) where value is not null select $"{role.Name} {show(value.Value)}"];
}
