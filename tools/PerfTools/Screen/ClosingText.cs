using PerfTools.Results;

namespace PerfTools.Screen;

/// <summary>The block that ends a run: the verdict, then every figure it rests on. Why it is not OK is said once, on the error stream.</summary>
internal static class ClosingText
{
    private const int FigureColumn = 17;
    private const string Indent = "    ";

    /// <summary>Writes the block, a line at a time.</summary>
    public static IEnumerable<string> Create(RunDocument run, string folder)
    {
        if (run.Figures is null)
            yield return run.Verdict;
        if (run.Figures is { } figures)
        {
            yield return $"{run.Verdict}  {Traffic(run.Links, figures)}";
            foreach (string row in DescribeLinks(run.Links).Concat(DescribeFigures(figures)).Concat(DescribeCosts(run.Roles)))
                yield return row;
        }

        yield return Row("files", folder);
    }

    /// <summary>Images as the progress and the closing block name them.</summary>
    public static string ImageText(ImageFigures images) => $"{Figure.Count(images.Count)} in {Figure.Seconds(images.Seconds)} s";

    private static string Row(string label, string text) => (Indent + label).PadRight(FigureColumn) + text;

    private static string Traffic(IReadOnlyList<LinkResult> links, RunFigures figures)
    {
        string asked = figures.RateAsked is { } rate ? $"{Figure.Whole(rate)}/s asked, " : "";
        return $"{links[0].NameAmong(links)} {Account(links[0])} ({asked}{Figure.Whole(figures.RateReached)}/s reached)";
    }

    private static IEnumerable<string> DescribeLinks(IReadOnlyList<LinkResult> links)
    {
        foreach (LinkResult link in links.Skip(1).Where(link => link.Sent is not null || link.Received is not null))
        {
            bool isNameShared = link.NameAmong(links) != link.What;
            yield return Row(link.What, isNameShared ? $"{link.From} to {link.To}: {Account(link)}" : Account(link));
        }

        foreach (LinkResult link in links.Where(link => link.NotSent > 0))
            yield return Row("not sent", $"{Figure.Count(link.NotSent!.Value)} {link.NameAmong(links)} were due and never sent");
    }

    private static IEnumerable<string> DescribeFigures(RunFigures figures)
    {
        yield return Row("latency us", figures.LatencyMicros is { } latency ? Latency(latency) : "no samples");
        if (figures.SendLagMicros is { } lag)
            yield return Row("send lag us", $"p50 {Figure.Micros(lag.P50)}   p99 {Figure.Micros(lag.P99)}   max {Figure.Micros(lag.Max)}");
        if (figures.Images is { } images)
            yield return Row("images", ImageText(images));
    }

    private static IEnumerable<string> DescribeCosts(IReadOnlyList<RoleResult> roles)
    {
        if (List(roles, role => role.CpuCorePercent, value => Figure.Percent(value) + " %") is { Length: > 0 } cpu)
            yield return Row("CPU", cpu + " of one core");
        if (List(roles, role => role.MemoryMegabytes, value => Figure.Whole(value) + " MB") is { Length: > 0 } memory)
            yield return Row("memory", memory);
    }

    private static string Account(LinkResult link)
    {
        List<string> parts = [];
        if (link.Sent is { } sent)
            parts.Add($"{Figure.Count(sent)} sent");
        if (link.Received is { } received)
            parts.Add($"{Figure.Count(received)} received");
        if (link.Lost > 0)
            parts.Add($"{Figure.Count(link.Lost.Value)} counted as lost");
        if (!link.Comparable)
            parts.Add("not comparable");
        return string.Join(", ", parts);
    }

    private static string Latency(RunLatency latency) =>
        $"p50 {Figure.Micros(latency.P50)}   p90 {Figure.Micros(latency.P90)}   p99 {Figure.Micros(latency.P99)}   "
        + $"p99.9 {Figure.Micros(latency.P999)}   max {Figure.Micros(latency.Max)}   ({Figure.Count(latency.Count)} samples)";

    private static string List(IReadOnlyList<RoleResult> roles, Func<RoleResult, double?> read, Func<double, string> show) => string.Join(
        ", ", from role in roles let value = read(role) where value is not null select $"{role.Name} {show(value.Value)}");
}
