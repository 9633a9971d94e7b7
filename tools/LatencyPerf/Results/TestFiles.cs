using System.Globalization;
using System.Text.Json;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>The files of a test: JSON lines, a histogram log per size, a copy of the output. Main thread only.</summary>
internal sealed class TestFiles : IDisposable
{
    private readonly LatencyPerfOptions _options;
    private readonly ReportFile? _json;
    private readonly ReportFile? _summary;
    private readonly List<ReportFile> _logs = [];
    private readonly long _utcOffsetMillis = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() - (Clock.NowNanos / Clock.NanosPerMilli);

    /// <exception cref="PerfCommon.SetupException">A file cannot be created.</exception>
    public TestFiles(LatencyPerfOptions options)
    {
        _options = options;
        _json = options.JsonFile is { } json ? ReportFile.Create(json, options.Rotation) : null;
        _summary = options.SummaryFile is { } summary ? ReportFile.Create(summary) : null;
        if (options.HistogramFile is { } name)
            _logs.AddRange(SizeSweep.Of(options.MinBytes, options.MaxBytes).Select(bytes => ReportFile.Create(LogName(name, bytes))));
    }

    /// <summary>Why something could not be written; null while all was written.</summary>
    public string? Failure => ReportFile.DescribeFailure([.. new[] { _json, _summary }.OfType<ReportFile>(), .. _logs]);

    public void Copy(string text) => _summary?.Append(writer => writer.Write(text), isLast: true);

    /// <summary>Writes the result of a size.</summary>
    public void Write(SizeResult size, OneWayTime? oneWay)
    {
        _json?.AppendBytes(stream =>
            JsonFigures.WriteLine(stream, LatencyPerfOptionTable.Tool, final: false, json => SizeResultJson.Write(json, size, oneWay)));
        int at = SizeSweep.Of(_options.MinBytes, _options.MaxBytes).ToList().IndexOf(size.Bytes);
        if (at < _logs.Count)
            _logs[at].Append(writer => WriteLog(writer, size));
    }

    /// <summary>Writes lines about settings that were changed during the test.</summary>
    public void WriteLines(IReadOnlyList<Action<Stream>> lines)
    {
        foreach (Action<Stream> line in lines)
            _json?.AppendBytes(line);
    }

    /// <summary>Writes the final line of a publisher.</summary>
    public void WriteFinal(PublisherResult result, RunOutcome outcome, IReadOnlyList<OneWayTime> oneWay,
        IReadOnlyList<ThresholdResult> assertions) =>
        WriteFinal(json => FinalJson.Write(json, _options, result, outcome, oneWay, assertions));

    /// <summary>Writes the final line of a subscriber; for an incomplete test, the counts until then.</summary>
    public void WriteFinal(SubscriberCounts counts, bool isWhole, CpuUse? cpu, RunOutcome outcome) =>
        WriteFinal(json => FinalJson.Write(json, _options, counts, isWhole, cpu, outcome));

    public void Dispose()
    {
        _json?.Dispose();
        _summary?.Dispose();
        foreach (ReportFile log in _logs)
            log.Dispose();
    }

    private static string LogName(string name, int bytes) => string.Create(CultureInfo.InvariantCulture, $"{name}-rtt-{bytes}.hlog");

    private void WriteFinal(Action<Utf8JsonWriter> write) =>
        _json?.AppendBytes(stream => JsonFigures.WriteLine(stream, LatencyPerfOptionTable.Tool, final: true, write), isLast: true);

    private void WriteLog(TextWriter writer, SizeResult size)
    {
        for (int i = 0; i < size.Intervals.Count; i++)
        {
            TripInterval interval = size.Intervals[i];
            if (i == 0)
                HistogramLogWriter.WriteHeader(writer, Millis(interval.FromNanos), LatencyUnit.Nanoseconds);
            HistogramLogWriter.WriteInterval(writer, Millis(interval.FromNanos), Millis(interval.ToNanos), interval.Trips);
        }
    }

    private long Millis(long nanos) => _utcOffsetMillis + (nanos / Clock.NanosPerMilli);
}
