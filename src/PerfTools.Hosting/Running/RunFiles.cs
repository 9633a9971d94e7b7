using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>The files of one run, created before it starts: summary, JSON lines, statistics and latencies per thread; each piece flushed.</summary>
internal sealed class RunFiles : IDisposable
{
    private readonly List<ReportFile> _all = [];
    private readonly Report _report;
    private readonly LatencyFormat _latencyFormat;
    private readonly ReportFile _summary;
    private readonly ReportFile? _json;
    private readonly List<ReportFile> _statistics = [];
    private readonly List<ReportFile> _latencies = [];

    /// <summary>Creates the files.</summary>
    /// <param name="names">Where.</param>
    /// <param name="threads">Number of worker threads.</param>
    /// <param name="report">What goes into them.</param>
    /// <param name="latencyFormat">Form of the latency files.</param>
    /// <exception cref="PerfCommon.SetupException">One cannot be created.</exception>
    public RunFiles(RunFileNames names, int threads, Report report, LatencyFormat latencyFormat)
    {
        (_report, _latencyFormat) = (report, latencyFormat);
        _summary = Create(names.Summary);
        _json = names.Json is null ? null : Create(names.Json);
        for (int thread = 1; thread <= threads; thread++)
        {
            _statistics.Add(Create(names.Statistics(thread)));
            if (names.Latencies is { } latencies)
                _latencies.Add(Create(latencies(thread)));
        }

        _statistics.ForEach(file => file.Append(report.WriteCsvHeader));
        _latencies.ForEach(file => file.Append(latencyFormat.WriteHeader));
    }

    /// <summary>Why a file could not be written to its end; null while all is well.</summary>
    public string? Failure => _all.Select(file => file.Failure).FirstOrDefault(failure => failure is not null);

    public void WriteInputs(Action<TextWriter> write) => _summary.Append(write);

    public void WriteInterval(Figures overall, IReadOnlyList<Figures> threads)
    {
        for (int i = 0; i < threads.Count; i++)
        {
            Figures figures = threads[i];
            _statistics[i].Append(writer => _report.WriteCsvRow(writer, figures));
        }

        _json?.AppendBytes(stream => _report.WriteInterval(stream, overall, threads));
    }

    /// <summary>Writes the latency records that have come since the last call.</summary>
    public void WriteLatencies(IReadOnlyList<Worker> workers)
    {
        for (int i = 0; i < _latencies.Count; i++)
        {
            if (workers[i].Recording.LatencyRecords is { } records)
                _latencies[i].Append(writer => _latencyFormat.WriteRows(writer, records));
        }
    }

    public void WriteSummary(RunSummary summary)
    {
        _summary.Append(writer => _report.WriteSummary(writer, summary));
        _json?.AppendBytes(stream => _report.WriteFinal(stream, summary));
    }

    public void Dispose()
    {
        _summary.Dispose();
        _json?.Dispose();
        _statistics.ForEach(file => file.Dispose());
        _latencies.ForEach(file => file.Dispose());
    }

    private ReportFile Create(string path)
    {
        ReportFile file = ReportFile.Create(path);
        _all.Add(file);
        return file;
    }
}

/// <summary>The form of the latency files.</summary>
/// <param name="WriteHeader">Writes the header line.</param>
/// <param name="WriteRows">Writes and empties what a ring holds.</param>
internal sealed record LatencyFormat(Action<TextWriter> WriteHeader, Action<TextWriter, RecordRing<LatencyRecord>> WriteRows);
