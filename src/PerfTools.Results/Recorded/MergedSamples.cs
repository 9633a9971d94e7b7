using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Results.Documents;

namespace PerfTools.Results.Recorded;

/// <summary>The latency samples of all processes that measure in a run, added cell by cell; none where only one measures.</summary>
internal sealed class MergedSamples
{
    /// <summary>The names of all such files.</summary>
    public const string Files = "merged-*.hlog";

    private readonly string _series;
    private readonly RecordedRole[] _measuring;
    private readonly RecordedRole[] _sending;
    private readonly string _lag;

    /// <param name="folder">The run's folder.</param>
    /// <param name="paths">The roles that measure.</param>
    /// <param name="roles">The results of the run's roles.</param>
    public MergedSamples(string folder, MeasuredPaths paths, IEnumerable<RoleResult> roles)
        : this(paths, [.. roles.Where(role => role.Files is not null).Select(role => new RecordedRole(folder, role))])
    {
    }

    private MergedSamples(MeasuredPaths paths, IReadOnlyList<RecordedRole> roles)
    {
        _series = SeriesNames.Of(paths.IntervalLatency) ?? "";
        _lag = SeriesNames.Of(paths.SendLag) ?? "";
        _measuring = [.. roles.Where(role => paths.MeasuredBy.Contains(role.Result.Name))];
        _sending = [.. roles.Where(role => paths.IsSentBy(role.Result.Name))];
    }

    /// <summary>The name of the file with them.</summary>
    public string FileName => $"merged-{_series}.hlog";

    /// <summary>Adds the samples of the steady states; null where there are none, or only one role measures.</summary>
    public LongHistogram? Read() => Merge(_measuring, _series);

    /// <summary>Adds the lags of the ticks of all processes that send; null where there are none, or only one sends.</summary>
    public LongHistogram? ReadLags() => Merge(_sending, _lag);

    /// <summary>Writes them into the run's folder, as one interval.</summary>
    /// <param name="run">The run.</param>
    /// <returns>Why they could not be written; null when they were, or there are none.</returns>
    public static string? TryWrite(RecordedRun run)
    {
        if (MeasuredPaths.Of(run.Document) is not { } paths)
            return null;
        MergedSamples samples = new(paths, run.Roles);
        return samples.Read() is { } merged
            ? WholeFile.TryWrite(Path.Combine(run.Folder, samples.FileName), writer => samples.Write(writer, merged, run.Document)) : null;
    }

    private static LongHistogram? Merge(RecordedRole[] roles, string series) => roles.Length < 2 || series.Length == 0
        ? null : HistogramMerging.Merge([.. roles.Select(role => role.ReadWhole(series)).OfType<LongHistogram>()]);

    private void Write(TextWriter writer, LongHistogram merged, RunDocument run)
    {
        (DateTime From, DateTime To)[] times = [.. _measuring.Select(role => role.ReadSteadyTime()).OfType<(DateTime From, DateTime To)>()];
        long start = Millis(times.Select(time => time.From).DefaultIfEmpty(run.StartUtc).Min());
        HistogramLogWriter.WriteHeader(writer, start, merged.Unit);
        HistogramLogWriter.WriteInterval(writer, start, Math.Max(start, Millis(times.Select(time => time.To).DefaultIfEmpty(run.EndUtc).Max())), merged);
    }

    private static long Millis(DateTime utc) => new DateTimeOffset(utc, TimeSpan.Zero).ToUnixTimeMilliseconds();
}
