using PerfCommon.Measurement;
using PerfTools.Results;

namespace PerfTools.Face;

/// <summary>The block that ends a run: the verdict, then every figure it rests on.</summary>
internal static class ClosingText
{
    private const int FigureColumn = 17;
    private const string Indent = "    ";

    /// <summary>Writes the block, a line at a time.</summary>
    public static IEnumerable<string> Create(RunWords words, Verdict verdict, RunFigures? figures, string directory)
    {
        string start = verdict.Result.PadRight(Indent.Length);
        if (figures is null)
        {
            yield return $"{verdict.Result}  {verdict.Reason}";
            yield return Row("files", directory);
            yield break;
        }

        Balance main = figures.Balances[0];
        if (verdict.Reason is { } reason)
            yield return $"{verdict.Result}  {reason}";
        yield return (verdict.Reason is null ? start : Indent) + Traffic(main, figures);
        foreach (Balance other in figures.Balances.Skip(1))
            yield return Row(other.Kind, Account(other));
        if (figures.NotSent > 0)
            yield return Row("not sent", $"{Figure.Count(figures.NotSent)} {main.Kind} were due and never sent");
        yield return Row("latency us", Latency(figures.Latency));
        if (figures.SendLag.Count > 0)
            yield return Row("send lag us", SendLag(figures.SendLag));
        if (figures.Images is { } images)
            yield return Row("images", ImageText(images));
        if (Pair(words, figures, r => r.CpuCorePercent, v => Figure.Percent(v) + " %") is { } cpu)
            yield return Row("CPU", cpu + " of one core");
        if (Pair(words, figures, r => r.MemoryMegabytes, v => Figure.Whole(v) + " MB") is { } memory)
            yield return Row("memory", memory);
        yield return Row("files", directory);
    }

    /// <summary>Images as the progress and the closing block name them.</summary>
    public static string ImageText(ImageFigures images) => $"{Figure.Count(images.Count)} in {Figure.Seconds(images.Seconds)} s";

    private static string Row(string label, string text) => (Indent + label).PadRight(FigureColumn) + text;

    private static string Traffic(Balance main, RunFigures figures) =>
        $"{main.Kind} {Account(main)} ({Figure.Rate(figures.RateAsked)}/s asked, {Figure.Rate(figures.RateReached)}/s reached)";

    private static string Account(Balance balance)
    {
        string text = $"{Figure.Count(balance.Sent)} sent, {Figure.Count(balance.Received)} received";
        return balance.Lost == 0 ? text : $"{text}, {Figure.Count(balance.Lost)} counted as lost";
    }

    private static string Latency(LatencyFigures latency) => latency.Count == 0
        ? "no samples"
        : $"p50 {Percentile(latency, latency.P50)}   p90 {Percentile(latency, latency.P90)}   p99 {Percentile(latency, latency.P99)}   "
            + $"p99.9 {Percentile(latency, latency.P999)}   max {Figure.Micros(latency.Max)}   ({Figure.Count(latency.Count)} samples)";

    private static string SendLag(LatencyFigures lag) =>
        $"p50 {Percentile(lag, lag.P50)}   p99 {Percentile(lag, lag.P99)}   max {Figure.Micros(lag.Max)}";

    // A percentile is the upper end of its histogram cell, the maximum is exact: the first must not look larger than the second.
    private static string Percentile(LatencyFigures latency, double value) => Figure.Micros(Math.Min(value, latency.Max));

    private static string? Pair(RunWords words, RunFigures figures, Func<RoleFigures, double?> read, Func<double, string> show) =>
        (read(figures.Server), read(figures.Client)) is ({ } server, { } client)
            ? $"{words.Server} {show(server)}, {words.Client} {show(client)}" : null;
}
