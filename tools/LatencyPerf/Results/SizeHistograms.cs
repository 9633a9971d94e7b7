using System.Globalization;
using LatencyPerf.Options;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>The histogram log of each size. Main thread only.</summary>
internal sealed class SizeHistograms(LatencyPerfOptions options) : IDisposable
{
    private readonly IReadOnlyList<int> _sizes = SizeSweep.Of(options.MinBytes, options.MaxBytes);
    private readonly List<ReportFile> _files = [];
    private readonly long _utcOffsetMillis = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() - (Clock.NowNanos / Clock.NanosPerMilli);

    /// <summary>The files, opened by the first call; none without <c>-hlogFile</c>.</summary>
    /// <exception cref="PerfCommon.SetupException">A file cannot be created.</exception>
    public IReadOnlyList<ReportFile> Files
    {
        get
        {
            if (options.Run.HistogramFile is { } name)
            {
                foreach (int bytes in _sizes.Skip(_files.Count))
                    _files.Add(ReportFile.Open(string.Create(CultureInfo.InvariantCulture, $"{name}-rtt-{bytes}.hlog")));
            }

            return _files;
        }
    }

    public void Write(SizeResult size)
    {
        int at = _sizes.ToList().IndexOf(size.Bytes);
        if (at < _files.Count)
            _files[at].Append(writer => Write(writer, size));
    }

    public void Dispose()
    {
        foreach (ReportFile file in _files)
            file.Dispose();
    }

    private void Write(TextWriter writer, SizeResult size)
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
