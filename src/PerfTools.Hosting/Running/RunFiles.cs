using System.Globalization;
using PerfCommon;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>
/// The files of one run, opened before it starts and emptied as it begins: summary, JSON lines, statistics and latencies per thread. Each piece is
/// flushed.
/// </summary>
internal sealed class RunFiles : IDisposable
{
    private readonly List<ReportFile> _all = [];
    private readonly ToolRole _role;
    private readonly LatencyFormat _latencyFormat;
    private readonly ReportFile? _summary;
    private bool _isCopy;
    private readonly ReportFile? _json;
    private readonly List<ReportFile> _statistics = [];
    private readonly List<ReportFile> _latencies = [];
    private readonly HistogramFiles? _histograms;
    private readonly FileRotation? _rotation;

    /// <param name="names">Their names.</param>
    /// <param name="role">The role with the figures.</param>
    /// <param name="latencyFormat">Format of the latency files.</param>
    /// <param name="rotation">When a file that grows line by line is full; null for never.</param>
    /// <exception cref="SetupException">A file cannot be created, or two have one name.</exception>
    public RunFiles(RunFileNames names, ToolRole role, LatencyFormat latencyFormat, FileRotation? rotation)
    {
        (_role, _latencyFormat, _rotation) = (role, latencyFormat, rotation);
        _summary = names.Summary is null ? null : Create(names.Summary);
        _json = names.Json is null ? null : CreateLog(names.Json);
        for (int thread = 1; thread <= (role.IsReportedAsOne ? 1 : role.Workers.Count); thread++)
        {
            if (names.Statistics is { } statistics)
                _statistics.Add(CreateLog(statistics(thread)));
            if (names.Latencies is { } latencies)
                _latencies.Add(CreateLog(latencies(thread)));
        }

        _histograms = names.Histograms is { } baseName ? new HistogramFiles(baseName, role, Create) : null;
        foreach (ReportFile file in role.Files)
            Add(file);
    }

    /// <summary>Describes which files could not be written to their ends, and why; null when all were.</summary>
    public string? Failure => (ReportFile.DescribeFailure(_all), _histograms?.Failure) switch
    {
        ({ } files, { } distributions) => $"{files}; {distributions}",
        var (files, distributions) => files ?? distributions,
    };

    /// <summary>The numbers of rotated files: a line of the summary.</summary>
    public IEnumerable<string> Notes => _rotation is null ? []
        : [string.Create(CultureInfo.InvariantCulture,
            $"Files of results: {_all.Sum(file => file.BytesWritten)} bytes written, {_all.Sum(file => file.Turns)} full files.")];

    /// <summary>Empties the files of an earlier run: nothing can refuse the start any more.</summary>
    /// <param name="writeInputs">Writes the block of inputs.</param>
    /// <param name="copied">The console of which the summary is a copy; null for a summary that is written at the end.</param>
    /// <exception cref="SetupException">A file cannot be emptied.</exception>
    public void Begin(Action<TextWriter> writeInputs, RunConsole? copied = null)
    {
        _all.ForEach(file => file.Begin());
        _statistics.ForEach(file => file.BeginWith(_role.Report.WriteCsvHeader));
        _latencies.ForEach(file => file.BeginWith(_latencyFormat.WriteHeader));
        _isCopy = copied is not null;
        if (_summary is null)
            return;
        if (copied is null)
            _summary.Append(writeInputs);
        else
            copied.CopyTo(text => _summary.Append(writer => writer.Write(text), isLast: true));
    }

    public void WriteInterval(Figures overall, IReadOnlyList<Figures> threads)
    {
        foreach ((ReportFile file, Figures thread) in _statistics.Zip(threads))
            file.Append(writer => _role.Report.WriteCsvRow(writer, thread));
        _json?.AppendBytes(stream => _role.Report.WriteInterval(stream, overall, threads));
    }

    /// <summary>Writes the JSON line of a size.</summary>
    public void WriteSize(Figures size) => _json?.AppendBytes(stream => _role.Report.Sizes?.WriteLine(stream, size));

    /// <summary>Writes JSON lines of the role.</summary>
    public void WriteJsonLines(IReadOnlyList<Action<Stream>> lines)
    {
        foreach (Action<Stream> line in lines)
            _json?.AppendBytes(line);
    }

    /// <summary>Writes the samples of the last interval.</summary>
    public void WriteHistograms(Collector collected) => _histograms?.WriteInterval(collected);

    /// <summary>Completes the logs and writes the distributions of the whole run.</summary>
    public void CompleteHistograms(Collector collected) => _histograms?.Complete(collected);

    /// <summary>Writes the latency records since the last call.</summary>
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
        if (!_isCopy)
            _summary?.Append(writer => _role.WriteSummary(writer, summary), isLast: true);
        _json?.AppendBytes(stream => _role.Report.WriteFinal(stream, summary), isLast: true);
    }

    public void Dispose()
    {
        _summary?.Dispose();
        _json?.Dispose();
        _all.ForEach(file => file.Dispose()); // the logs too, which may be disposed twice
    }

    private ReportFile Create(string path) => Add(ReportFile.Open(path));

    // Creates a file that grows line by line.
    private ReportFile CreateLog(string path) => Add(ReportFile.Open(path, _rotation));

    private ReportFile Add(ReportFile file)
    {
        bool isTwice = file.IsRegular && _all.Exists(other => other.FullPath == file.FullPath);
        _all.Add(file);
        if (!isTwice)
            return file;
        Dispose();
        throw new SetupException(SetupProblem.CommandLine, $"{PrintableText.From(file.Name)}: two outputs have this name");
    }
}
