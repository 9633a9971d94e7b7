using PerfCommon;
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

    /// <exception cref="SetupException">One cannot be created, or two have one name.</exception>
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
        foreach ((ReportFile file, Figures thread) in _statistics.Zip(threads))
            file.Append(writer => _report.WriteCsvRow(writer, thread));
        _json?.AppendBytes(stream => _report.WriteInterval(stream, overall, threads));
    }

    /// <summary>Writes the latency records that have come since the last call.</summary>
    public void WriteLatencies(IReadOnlyList<Worker> workers)
    {
        foreach ((ReportFile file, Worker worker) in _latencies.Zip(workers))
        {
            if (worker.Recording.LatencyRecords is { } records)
                file.Append(writer => _latencyFormat.WriteRows(writer, records));
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
        _all.ForEach(file => file.Dispose()); // also those, which may be done twice
    }

    private ReportFile Create(string path)
    {
        ReportFile file = ReportFile.Create(path);
        bool isTwice = file.IsRegular && _all.Exists(other => other.FullPath == file.FullPath);
        _all.Add(file);
        if (!isTwice)
            return file;
        Dispose();
        throw new SetupException(SetupProblem.CommandLine, $"{PrintableText.From(path)}: two outputs have this name");
    }
}
