using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Guide;

namespace PerfTools.Editions;

/// <summary>What a program of another edition left: its closing figures, its statistics, its latencies.</summary>
internal sealed class EditionResults
{
    private const string SteadyState = "Steady State";
    private const string Updates = "updates", Messages = "messages";
    private const string StatsEnding = "Stats", SummaryEnding = "Summary.out";

    // Programs on virtual machines compile themselves at the beginning: their latencies of that time are another thing.
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(1.5);

    private readonly EditionSummary _summary;
    private readonly IReadOnlyList<GuideFile> _stats;

    private EditionResults(EditionSummary summary, IReadOnlyList<GuideFile> stats, LatencyAccumulator latencies, OutsideUse? outside) =>
        (_summary, _stats, Latencies, Outside) = (summary, stats, latencies, outside);

    /// <summary>True when there are closing figures.</summary>
    public bool AreWhole => _summary.Exists;

    /// <summary>The latencies of its files, without those of the first seconds; empty without such a file.</summary>
    public LatencyAccumulator Latencies { get; }

    /// <summary>Their figures; null without any.</summary>
    public LatencyFigures? Latency => Latencies.Figures() is { Count: > 0 } figures ? figures : null;

    /// <summary>What its processes used; null where that was not seen.</summary>
    public OutsideUse? Outside { get; }

    /// <summary>Reads them.</summary>
    /// <param name="runFolder">The folder of the run, with its statistics and its summary.</param>
    /// <param name="stem">The first part of their names.</param>
    /// <param name="log">Its console.</param>
    /// <param name="latencyFiles">The files of its latencies.</param>
    /// <param name="outside">What its processes used.</param>
    /// <exception cref="PerfCommon.SetupException">A file cannot be read (exit code 3).</exception>
    public static EditionResults Read(string runFolder, string stem, string log, IEnumerable<string> latencyFiles, OutsideUse? outside)
    {
        EditionSummary summary = EditionSummary.Read(Path.Combine(runFolder, stem + SummaryEnding));
        if (!summary.Exists)
            summary = EditionSummary.Read(log); // some print it and leave the file with the inputs alone
        GuideFile[] stats = [.. Directory.EnumerateFiles(runFolder, stem + StatsEnding + "*.csv").Order(StringComparer.Ordinal)
            .Select(GuideFile.TryRead).OfType<GuideFile>()];
        return new(summary, stats, ReadLatencies(latencyFiles), outside);
    }

    /// <summary>A closing figure by its label, whichever section has it.</summary>
    /// <param name="labels">The label as each edition writes it.</param>
    public double? Closing(params IEnumerable<string> labels) => _summary.Find(labels);

    /// <summary>A closing figure of the steady state.</summary>
    public double? Steady(params IEnumerable<string> labels) => _summary.FindIn(SteadyState, labels);

    /// <summary>A column of the statistics, added up over all rows and connections; null where no file has it.</summary>
    public double? Sum(string column)
    {
        GuideFile[] files = [.. _stats.Where(file => file.Has(column))];
        return files.Length == 0 ? null : files.Sum(file => file.Values(column).Sum(value => value ?? 0));
    }

    /// <summary>A column of each interval, added up over all connections; empty where no file has it.</summary>
    public IReadOnlyList<double> Intervals(string column)
    {
        IReadOnlyList<double?>[] files = [.. _stats.Where(file => file.Has(column)).Select(file => file.Values(column))];
        return files.Length == 0 ? [] : [.. Enumerable.Range(0, files.Min(values => values.Count)).Select(i => files.Sum(values => values[i] ?? 0))];
    }

    private static LatencyAccumulator ReadLatencies(IEnumerable<string> paths)
    {
        LatencyAccumulator sum = new(LatencyUnit.Nanoseconds);
        foreach (LatencyFile file in paths.Select(path => LatencyFile.TryRead(path, maxPoints: 1, WarmUp)).OfType<LatencyFile>())
        {
            foreach (LatencyRows rows in file.Rows.Where(rows => rows.Kind is Updates or Messages))
                rows.AddTo(sum);
        }

        return sum;
    }
}
