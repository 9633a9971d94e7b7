using PerfCommon.Measurement;

namespace PerfTools.Results.Comparison;

/// <summary>
/// One of the pieces of a measurement: a whole run of several, or a part of a single one. Its counts can be added up.
/// </summary>
internal sealed record MeasuredSegment
{
    /// <summary>Length of its steady state.</summary>
    public required double Seconds { get; init; }

    /// <summary>Messages received in it.</summary>
    public required double Messages { get; init; }

    /// <summary>Messages per second as a whole run recorded them; null for a part, whose rate is that of its messages and seconds.</summary>
    public double? RecordedRate { get; init; }

    /// <summary>CPU time of each role in it; a role whose time is not known is absent.</summary>
    public IReadOnlyDictionary<string, double> CpuSeconds { get; init; } = new Dictionary<string, double>();

    /// <summary>Latency samples; null without any.</summary>
    public LongHistogram? Latency { get; init; }

    /// <summary>The maximum of them, exact.</summary>
    public double MaxLatencyMicros { get; init; }

    /// <summary>Lateness of the sender's ticks; null without samples.</summary>
    public LongHistogram? SendLag { get; init; }

    /// <summary>The maximum of them, exact.</summary>
    public double MaxSendLagMicros { get; init; }

    /// <summary>Round trips by size in bytes; none where none are measured.</summary>
    public IReadOnlyDictionary<int, SizedSamples> RoundTrips { get; init; } = new Dictionary<int, SizedSamples>();

    /// <summary>Sum of the peak working sets of all roles; null where it is not known, as for a part of a run.</summary>
    public double? MemoryMegabytes { get; init; }

    /// <summary>The figures of all roles by name, as <c>consumer.counts.itemsLost</c>; none for a part of a run.</summary>
    public IReadOnlyDictionary<string, double> RoleNumbers { get; init; } = new Dictionary<string, double>();

    /// <summary>Time until all images had arrived; null where there are none, as in a part of a run.</summary>
    public double? ImageSeconds { get; init; }
}

/// <summary>Round trips of one size.</summary>
/// <param name="Samples">All samples of the size.</param>
/// <param name="MaxMicros">The maximum, exact.</param>
internal sealed record SizedSamples(LongHistogram Samples, double MaxMicros);

/// <summary>The sum of pieces: percentiles are computed from the sum of their histograms, never from percentiles.</summary>
internal sealed class SegmentSum
{
    private const double NanosPerSecond = 1e9;

    private readonly IReadOnlyList<MeasuredSegment> _pieces;
    private readonly Dictionary<int, SampleSum> _roundTrips = [];

    private SegmentSum(IReadOnlyList<MeasuredSegment> pieces) => _pieces = pieces;

    public double Seconds => _pieces.Sum(piece => piece.Seconds);

    public double Messages => _pieces.Sum(piece => piece.Messages);

    /// <summary>Messages per second; null without a duration. A single whole run shows the double that it recorded, bit by bit.</summary>
    public double? Rate => Seconds <= 0 ? null
        : _pieces is [{ RecordedRate: { } recorded }] ? recorded : Messages / Seconds;

    public SampleSum Latency => field ??= SampleSum.Of(_pieces, piece => piece.Latency, piece => piece.MaxLatencyMicros);

    public SampleSum SendLag => field ??= SampleSum.Of(_pieces, piece => piece.SendLag, piece => piece.MaxSendLagMicros);

    /// <summary>Sizes for which one of the pieces has round trips.</summary>
    public IReadOnlyList<int> Sizes => [.. _pieces.SelectMany(piece => piece.RoundTrips.Keys).Distinct().Order()];

    /// <summary>Mean of the pieces; null where it is unknown for one of them.</summary>
    public double? MemoryMegabytes => Mean(piece => piece.MemoryMegabytes);

    /// <summary>Mean of the pieces; null where one of them has none.</summary>
    public double? ImageSeconds => Mean(piece => piece.ImageSeconds);

    /// <summary>Roles whose CPU time is known in every piece.</summary>
    public IReadOnlyList<string> Roles =>
        _pieces.Count == 0 ? [] : [.. _pieces[0].CpuSeconds.Keys.Where(role => _pieces.All(piece => piece.CpuSeconds.ContainsKey(role)))];

    public static SegmentSum Of(IReadOnlyList<MeasuredSegment> pieces) => new(pieces);

    /// <summary>Returns the round trips of one size.</summary>
    public SampleSum RoundTripsOf(int bytes)
    {
        if (!_roundTrips.TryGetValue(bytes, out SampleSum? sum))
        {
            _roundTrips[bytes] = sum = SampleSum.Of(_pieces,
                piece => piece.RoundTrips.GetValueOrDefault(bytes)?.Samples,
                piece => piece.RoundTrips.GetValueOrDefault(bytes)?.MaxMicros ?? 0);
        }

        return sum;
    }

    /// <summary>Returns the CPU time of a role per message received; null when a piece does not know it.</summary>
    public double? CpuNanosPerMessage(string role) =>
        Messages > 0 && _pieces.All(piece => piece.CpuSeconds.ContainsKey(role))
            ? NanosPerSecond * _pieces.Sum(piece => piece.CpuSeconds[role]) / Messages : null;

    /// <summary>Returns the mean of a figure of a role; null where one of the pieces has none.</summary>
    public double? RoleNumber(string name) =>
        Mean(piece => piece.RoleNumbers.TryGetValue(name, out double value) ? value : null);

    private double? Mean(Func<MeasuredSegment, double?> read) =>
        _pieces.Count > 0 && _pieces.All(piece => read(piece) is not null) ? _pieces.Average(read) : null;
}

/// <summary>Samples of several pieces in one histogram.</summary>
internal sealed class SampleSum
{
    private const double NanosPerMicro = 1_000;

    private readonly LongHistogram? _histogram;
    private readonly double _maxMicros;

    private SampleSum(LongHistogram? histogram, double maxMicros) => (_histogram, _maxMicros) = (histogram, maxMicros);

    public long Count => _histogram?.TotalCount ?? 0;

    /// <summary>All samples; null without any.</summary>
    public LongHistogram? Histogram => _histogram;

    /// <summary>The resolution of the histogram, in microseconds.</summary>
    public double StepMicros => 1 / Unit;

    private double Unit => _histogram?.Unit == LatencyUnit.Nanoseconds ? NanosPerMicro : 1;

    public static SampleSum Of(IReadOnlyList<MeasuredSegment> pieces, Func<MeasuredSegment, LongHistogram?> read,
        Func<MeasuredSegment, double> readMax) =>
        new(HistogramMerging.Merge([.. pieces.Select(read).OfType<LongHistogram>()]), pieces.Count == 0 ? 0 : pieces.Max(readMax));

    /// <summary>Mean in microseconds; null without samples.</summary>
    public double? Mean => Count == 0 ? null : _histogram!.GetMean() / Unit;

    /// <summary>Returns a percentile in microseconds, for any number of samples; null without any, and above one hour.</summary>
    public double? ValueAt(double percentile) => _histogram?.UnclampedMicros(percentile, _maxMicros);
}
