using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace UsersPerf;

/// <summary>A log with the histogram of each period. Main thread only.</summary>
/// <param name="path">Its name.</param>
/// <exception cref="SetupException">It cannot be created.</exception>
internal sealed class PeriodSamples(string path) : IDisposable
{
    private readonly ReportFile _file = ReportFile.Open(path);
    private bool _hasBegun;
    private bool _hasHeader;

    /// <summary>True for a log that is removed at the end of a run without periods.</summary>
    public bool IsDroppedWhenEmpty { get; init; }

    /// <summary>Why it could not be written; null while all is well.</summary>
    public string? Failure => _file.Failure;

    /// <summary>Takes the place of what an earlier run left.</summary>
    /// <exception cref="SetupException">It cannot be emptied.</exception>
    public void Begin()
    {
        _file.Begin();
        _hasBegun = true;
    }

    /// <summary>Appends a period.</summary>
    /// <param name="fromMillis">Its begin, in milliseconds of the Unix epoch.</param>
    /// <param name="toMillis">Its end.</param>
    /// <param name="latencies">Its samples.</param>
    public void Append(long fromMillis, long toMillis, LongHistogram latencies) => _file.Append(writer =>
    {
        if (!_hasHeader)
            HistogramLogWriter.WriteHeader(writer, fromMillis, LatencyUnit.Microseconds);
        _hasHeader = true;
        HistogramLogWriter.WriteInterval(writer, fromMillis, toMillis, latencies);
    });

    public void Dispose()
    {
        if (IsDroppedWhenEmpty && _hasBegun && !_hasHeader)
            _file.Delete();
        else
            _file.Dispose();
    }
}
