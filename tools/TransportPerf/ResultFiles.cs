using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>The files of one run, created before it starts: summary, JSON lines, statistics and latencies per thread.</summary>
internal sealed class ResultFiles : IDisposable
{
    private readonly List<ReportFile> _all = [];
    private readonly ReportFile _summary;
    private readonly ReportFile? _json;
    private readonly List<ReportFile> _statistics = [];
    private readonly List<ReportFile> _latencies = [];

    /// <exception cref="SetupException">A file cannot be created.</exception>
    public ResultFiles(TransportPerfOptions options)
    {
        RunOptions run = options.Run;
        _summary = Create(ResultNames.Summary(options, Environment.ProcessId));
        _json = run.JsonFile is null ? null : Create(run.JsonFile);
        for (int thread = 1; thread <= run.Threads.Count; thread++)
        {
            _statistics.Add(Create(ResultNames.Statistics(options, Environment.ProcessId, thread)));
            if (run.LatencyFile is not null)
                _latencies.Add(Create(ResultNames.Latencies(run.LatencyFile, thread)));
        }
        _statistics.ForEach(file => file.Append(TransportStatsCsv.WriteHeader));
        _latencies.ForEach(file => file.Append(LatencyCsv.WriteTransportHeader));
    }

    /// <summary>Why a file could not be written to its end; null while all is well.</summary>
    public string? Failure => _all.Select(file => file.Failure).FirstOrDefault(failure => failure is not null);

    public void WriteInputs(Action<TextWriter> write) => _summary.Append(write);

    public void WriteInterval(TransportInterval overall, IReadOnlyList<TransportInterval> threads)
    {
        for (int i = 0; i < threads.Count; i++)
        {
            TransportInterval interval = threads[i];
            _statistics[i].Append(writer => TransportStatsCsv.WriteRow(writer, interval));
        }
        _json?.AppendBytes(stream => TransportJson.WriteInterval(stream, overall, threads));
    }

    /// <summary>Writes the latency records that have come since the last call.</summary>
    public void WriteLatencies(IReadOnlyList<TransportWorker> workers)
    {
        for (int i = 0; i < _latencies.Count; i++)
        {
            RecordRing<LatencyRecord> records = workers[i].LatencyRecords!;
            _latencies[i].Append(writer => LatencyCsv.WriteTransportRows(writer, records));
        }
    }

    public void WriteSummary(TransportSummary summary)
    {
        _summary.Append(writer => TransportSummaryText.Write(writer, summary));
        _json?.AppendBytes(stream => TransportJson.WriteFinal(stream, summary));
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
