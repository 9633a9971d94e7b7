using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>
/// The histograms of a run: for each series a log of its intervals (<c>.hlog</c>) and at the end the distribution of the whole run (<c>.hgrm</c>).
/// </summary>
/// <remarks>
/// <c>base-series.hlog</c> has all workers together; with several workers, <c>base-series1.hlog</c> and so on have each of them. The lines of
/// intervals have no tag. One more line with the tag <see cref="SteadyTag"/> is written at the end where a run has a start-up, or where its samples
/// were moved after the intervals were written: the steady state as a whole.
/// </remarks>
internal sealed class HistogramFiles
{
    /// <summary>The tag of the line with the whole steady state.</summary>
    public const string SteadyTag = "steady";

    private const string LogExtension = ".hlog";
    private const string DistributionExtension = ".hgrm";
    private const double NanosPerMicro = 1_000;

    private readonly List<SeriesLog> _logs = [];
    private readonly ToolRole _role;
    private readonly string _baseName;

    /// <param name="baseName">The first part of every name.</param>
    /// <param name="role">The role with the workers.</param>
    /// <param name="create">Creates a file.</param>
    /// <exception cref="SetupException">A file cannot be created.</exception>
    public HistogramFiles(string baseName, ToolRole role, Func<string, ReportFile> create)
    {
        (_baseName, _role) = (baseName, role);
        int numbered = role.IsReportedAsOne || role.Workers.Count == 1 ? 0 : role.Workers.Count;
        foreach (Series series in Enum.GetValues<Series>().Where(series =>
            role.Workers.Any(worker => worker.Recording.Measured.Contains(series))))
        {
            LatencyUnit unit = role.Workers.Select(worker =>
                worker.Recording).First(recording => recording.Measured.Contains(series))[series].Unit;
            for (int thread = 0; thread <= numbered; thread++)
                _logs.Add(new SeriesLog(series, thread == 0 ? null : thread - 1, unit, create(LogName(series, thread))));
        }

        // compiled here, so that no collection waits for it
        HistogramLogWriter.WriteInterval(TextWriter.Null, 0, 0, LongHistogram.CreateForTimes(LatencyUnit.Microseconds));
    }

    /// <summary>Why a distribution could not be written; null when all were.</summary>
    public string? Failure { get; private set; }

    public void WriteInterval(Collector collected)
    {
        foreach (SeriesLog log in _logs)
            log.WriteInterval(collected.LastInterval, collected.IntervalOf(log.Series, log.Worker));
    }

    /// <summary>Ends the logs and writes the distributions; the log of a series without samples is deleted.</summary>
    public void Complete(Collector collected)
    {
        foreach (IGrouping<int?, SeriesLog> logs in _logs.GroupBy(log => log.Worker))
        {
            WorkerTotals whole = collected.WholeOf(logs.Key);
            foreach (SeriesLog log in logs)
            {
                LongHistogram? moved = _role.HasMovedSamples ? whole.HistogramOf(log.Series) : null;
                log.Complete(collected.SteadyTime, whole.HistogramOf(log.Series, RunPhase.Steady) ?? moved);
                if (log.Worker is null && whole.HistogramOf(log.Series) is { TotalCount: > 0 } all)
                    WriteDistribution(log.Series, all);
            }
        }
    }

    private void WriteDistribution(Series series, LongHistogram whole)
    {
        string path = $"{_baseName}-{LatencyValue.NameOf(series)}{DistributionExtension}";
        double unitsPerMicro = whole.Unit == LatencyUnit.Nanoseconds ? NanosPerMicro : 1;
        Failure ??= WholeFile.TryWrite(path, writer => whole.WriteDistribution(writer, unitsPerMicro));
    }

    private string LogName(Series series, int thread) =>
        string.Create(CultureInfo.InvariantCulture, $"{_baseName}-{LatencyValue.NameOf(series)}{(thread == 0 ? "" : thread)}{LogExtension}");

    // One log of a worker; null is all workers together.
    private sealed class SeriesLog(Series series, int? worker, LatencyUnit unit, ReportFile file)
    {
        private readonly LongHistogram _none = LongHistogram.CreateForTimes(unit);
        private bool _hasHeader;
        private bool _hasSamples;

        public Series Series => series;
        public int? Worker => worker;

        public void WriteInterval((DateTime From, DateTime To) time, LongHistogram? samples)
        {
            _hasSamples |= samples?.TotalCount > 0;
            file.Append(writer =>
            {
                if (!_hasHeader)
                    HistogramLogWriter.WriteHeader(writer, Millis(time.From), unit);
                _hasHeader = true;
                HistogramLogWriter.WriteInterval(writer, Millis(time.From), Millis(time.To), samples ?? _none);
            });
        }

        public void Complete((DateTime From, DateTime To) time, LongHistogram? steady)
        {
            if (!_hasSamples)
                file.Delete();
            else if (steady?.TotalCount > 0)
                file.Append(writer => HistogramLogWriter.WriteInterval(writer, Millis(time.From), Millis(time.To), steady, SteadyTag));
        }

        private static long Millis(DateTime utc) => new DateTimeOffset(utc).ToUnixTimeMilliseconds();
    }
}
