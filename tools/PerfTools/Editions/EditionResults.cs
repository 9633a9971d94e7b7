using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Guide;

namespace PerfTools.Editions;

/// <summary>The results of another edition's program: its closing figures, its statistics, its latencies.</summary>
internal sealed class EditionResults
{
    private const string SteadyState = "Steady State";
    private const string Updates = "updates", Messages = "messages";
    private const string StatsEnding = "Stats", SummaryEnding = "Summary.out";

    // Programs on virtual machines compile their code at first: the latencies of that time are no part of the result.
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(1.5);

    private readonly EditionSummary _summary;
    private readonly IReadOnlyList<GuideFile> _stats;

    private EditionResults(EditionSummary summary, IReadOnlyList<GuideFile> stats, LatencyAccumulator latencies, OutsideUse? outside) =>
        (_summary, _stats, Latencies, Outside) = (summary, stats, latencies, outside);

    /// <summary>True when the closing figures exist.</summary>
    public bool AreWhole => _summary.Exists;

    /// <summary>The latencies of its files, without those of the first seconds; empty without such a file.</summary>
    public LatencyAccumulator Latencies { get; }

    /// <summary>The latency figures; null without samples.</summary>
    public LatencyFigures? Latency => Latencies.Figures() is { Count: > 0 } figures ? figures : null;

    /// <summary>The resources its processes used; null where they were not observed.</summary>
    public OutsideUse? Outside { get; }

    /// <summary>Reads the results.</summary>
    /// <param name="runFolder">The folder of the run, with its statistics and its summary.</param>
    /// <param name="stem">The first part of their names.</param>
    /// <param name="log">The console output of the program.</param>
    /// <param name="latencyFiles">The files of its latencies.</param>
    /// <param name="outside">The resources its processes used.</param>
    /// <exception cref="PerfCommon.SetupException">A file cannot be read (exit code 3).</exception>
    public static EditionResults Read(string runFolder, string stem, string log, IEnumerable<string> latencyFiles, OutsideUse? outside)
    {
        EditionSummary summary = EditionSummary.Read(Path.Combine(runFolder, stem + SummaryEnding));
        if (!summary.Exists)
            summary = EditionSummary.Read(log); // some programs print the summary and leave only the inputs in the file
        GuideFile[] stats = [.. Directory.EnumerateFiles(runFolder, stem + StatsEnding + "*.csv").Order(StringComparer.Ordinal)
            .Select(GuideFile.TryRead).OfType<GuideFile>()];
        return new(summary, stats, ReadLatencies(latencyFiles), outside);
    }

    /// <summary>Finds a closing figure by its label, in any section.</summary>
    /// <param name="labels">The label as each edition writes it.</param>
    public double? Closing(params IEnumerable<string> labels) => _summary.Find(labels);

    /// <summary>Finds a closing figure of the steady state.</summary>
    public double? Steady(params IEnumerable<string> labels) => _summary.FindIn(SteadyState, labels);

    /// <summary>Adds up a column of the statistics over all rows and connections; null where no file has it.</summary>
    public double? Sum(string column)
    {
        GuideFile[] files = [.. _stats.Where(file => file.Has(column))];
        return files.Length == 0 ? null : files.Sum(file => file.Values(column).Sum(value => value ?? 0));
    }

    /// <summary>Adds up a column over all connections, per interval; empty where no file has it.</summary>
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
