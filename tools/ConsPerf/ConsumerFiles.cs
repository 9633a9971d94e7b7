using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace ConsPerf;

/// <summary>The files a run writes: created before it starts, each piece flushed.</summary>
internal sealed class ConsumerFiles : IDisposable
{
    private readonly ReportFile _summary;
    private readonly List<ReportFile> _stats = [];
    private readonly List<ReportFile> _latencies = [];
    private readonly ReportFile? _json;

    /// <exception cref="PerfCommon.SetupException">One cannot be created.</exception>
    public ConsumerFiles(ConsPerfOptions options)
    {
        _summary = ReportFile.Create(options.Run.SummaryFile);
        for (int thread = 1; thread <= options.Run.Threads.Count; thread++)
        {
            _stats.Add(ReportFile.Create(Numbered(options.Run.StatsFile, thread)));
            _stats[^1].Append(ConsumerStatsCsv.WriteHeader);
            if (options.Run.LatencyFile is not { } latencyFile)
                continue;
            _latencies.Add(ReportFile.Create(Numbered(latencyFile, thread)));
            _latencies[^1].Append(LatencyCsv.WriteHeader);
        }

        _json = options.Run.JsonFile is { } json ? ReportFile.Create(json) : null;
    }

    /// <summary>Why a file could not be written to its end; null while all is well.</summary>
    public string? Failure => All.Select(file => file.Failure).FirstOrDefault(failure => failure is not null);

    private IEnumerable<ReportFile> All => [_summary, .. _stats, .. _latencies, .. _json is null ? [] : new[] { _json }];

    public void WriteInputs(IReadOnlyList<(string Label, string Value)> inputs) =>
        _summary.Append(writer => InputBlock.Write(writer, InputBlock.WideLabels, inputs));

    public void WriteInterval(ConsumerInterval overall, IReadOnlyList<ConsumerInterval> threads)
    {
        for (int i = 0; i < threads.Count; i++)
        {
            ConsumerInterval interval = threads[i];
            _stats[i].Append(writer => ConsumerStatsCsv.WriteRow(writer, interval));
        }

        _json?.AppendBytes(stream => ConsumerJson.WriteInterval(stream, overall, threads));
    }

    public void WriteLatencies(int thread, RecordRing<LatencyRecord> records, LatencyUnit unit) =>
        _latencies[thread].Append(writer => LatencyCsv.WriteRows(writer, LatencyCsv.Updates, records, unit));

    public void WriteSummary(ConsumerSummary summary)
    {
        _summary.Append(writer => ConsumerSummaryText.Write(writer, summary));
        _json?.AppendBytes(stream => ConsumerJson.WriteFinal(stream, summary));
    }

    public void Dispose()
    {
        _summary.Dispose();
        _json?.Dispose();
        foreach (ReportFile file in _stats.Concat(_latencies))
            file.Dispose();
    }

    private static string Numbered(string name, int thread) => string.Create(CultureInfo.InvariantCulture, $"{name}{thread}.csv");
}
