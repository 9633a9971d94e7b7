using System.Globalization;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Hosting.Reporting;
using PerfTools.Verbs;

namespace PerfCommon.Benchmarks.Against;

/// <summary>Prints a line for each completed pair, then a table of the case.</summary>
internal static class AgainstReport
{
    private const int SecondsToStart = 2;
    private const double SecondsPerMinute = 60;

    public static void WriteHead(TextWriter writer, AgainstOptions options, BuildFolder reference, BuildFolder candidate)
    {
        int runs = options.Cases.Count * options.Pairs * 2;
        double minutes = Math.Ceiling(runs * (options.From + options.Seconds + SecondsToStart) / SecondsPerMinute);
        writer.Line($"A: {reference.FullPath}");
        writer.Line($"B: {candidate.FullPath}");
        writer.Line($"{options.Pairs} pairs of runs (A B, B A, ...) of {options.From} + {options.Seconds} s each: some {minutes:F0} min");
        writer.WriteMachine();
    }

    public static void WriteCase(TextWriter writer, AgainstCase what, int rate)
    {
        writer.EmptyLine();
        writer.Line($"{what.Name}, {rate:N0}/s: ns of processor time a message, A / B");
    }

    public static void WritePair(TextWriter writer, AgainstCase what, BuildPair pair)
    {
        string order = string.Concat(PairOrder.Of(pair.Number).Select(b => b.Letter()));
        IEnumerable<string> figures = ComparedFigure.AllOf(what)
            .Select(f => $"{f.Name} {Number(f.Of(pair.Reference))} / {Number(f.Of(pair.Candidate))}");
        string foreign = $"foreign {Percent(pair.Reference.ForeignShare)} / {Percent(pair.Candidate.ForeignShare)} %";
        string fault = pair.Fault is { } reason ? $"  LEFT OUT, {reason}" : "";
        string ratio = Ratio(pair.Ratio(ComparedFigure.Both.Of));
        writer.Line($"  {pair.Number + 1,2} {order}  {string.Join("  ", figures)}  B/A {ratio}  {foreign}{fault}");
    }

    public static void WriteTable(TextWriter writer, AgainstCase what, IReadOnlyList<BuildPair> pairs)
    {
        BuildPair[] kept = [.. pairs.Where(p => p.Fault is null)];
        writer.Line($"{what.Name}: {kept.Length} of {pairs.Count} pairs, {pairs.Count - kept.Length} left out; medians");
        writer.Line($"  {"",-12}  {"A",9}  {"B",9}  {"B/A",6}  95 % interval");
        foreach (ComparedFigure figure in ComparedFigure.AllOf(what))
        {
            MedianInterval? ratio = MedianInterval.Of(kept.Select(p => p.Ratio(figure.Of)).OfType<double>());
            string a = Median(kept, figure, ComparedBuild.Reference);
            string b = Median(kept, figure, ComparedBuild.Candidate);
            writer.Line($"  {figure.Name,-12}  {a,9}  {b,9}  {Ratio(ratio?.Median),6}  {Interval(ratio)}");
        }

        writer.Line($"  {"not sent",-12}  {NotSent(kept, ComparedBuild.Reference),9:N0}  {NotSent(kept, ComparedBuild.Candidate),9:N0}");
        writer.Line($"  Intervals by order statistics of the pairs' ratios, whatever their distribution: {Coverage(kept.Length)}");
    }

    private static string Median(BuildPair[] pairs, ComparedFigure figure, ComparedBuild build) =>
        Number(MedianInterval.MedianOf(pairs.Select(p => figure.Of(p[build])).OfType<double>()));

    private static long NotSent(BuildPair[] pairs, ComparedBuild build) => pairs.Sum(p => p[build].Server?.NotSent ?? 0);

    private static string Interval(MedianInterval? ratio) =>
        ratio is { Low: { } low, High: { } high } ? $"{Ratio(low)} to {Ratio(high)}" : "-";

    private static string Coverage(int pairs) => MedianInterval.Of(Enumerable.Repeat(1.0, pairs)) is { Coverage: > 0 } interval
        ? $"{Percent(interval.Coverage, "F1")} % with {pairs} pairs."
        : "6 pairs are needed.";

    private static string Number(double? value) => Text(value, "F1");

    private static string Ratio(double? value) => Text(value, "F3");

    private static string Percent(double? share, string format = "F0") => Text(share * 100, format);

    private static string Text(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "-";
}
