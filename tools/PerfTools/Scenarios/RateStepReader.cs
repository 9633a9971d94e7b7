using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>What came of each step of a rate that changes: the collections of who measures, put beside what was due meanwhile.</summary>
/// <param name="course">The rate.</param>
/// <param name="paths">Where figures stand.</param>
/// <param name="connections">Connections that have this rate each.</param>
internal sealed class RateStepReader(RateCourse course, MeasuredPaths paths, int connections)
{
    // How far a collection keeps away from the edges of its step: the sender's first tick is known about as exactly.
    private const double EdgeSeconds = 0.4;

    /// <summary>Messages received of each that is sent.</summary>
    public double Copies { get; init; } = 1;

    /// <summary>Reads the steps.</summary>
    /// <param name="sender">Who has sent.</param>
    /// <param name="sent">Its counters of that.</param>
    /// <param name="measuring">Who has measured.</param>
    /// <returns>The steps in order; none when nothing was sent.</returns>
    public IReadOnlyList<RateStep> Read(RecordedRole sender, IReadOnlyList<string> sent, RecordedRole measuring)
    {
        if (FindBegin(sender, sent) is not { } begin)
            return [];
        List<Piece>[] pieces = [.. course.Steps.Select(_ => new List<Piece>())];
        foreach (Piece piece in ReadPieces(measuring, begin))
        {
            int step = course.Steps.Count(one => one.From <= piece.From - EdgeSeconds) - 1;
            if (step >= 0 && piece.To <= course.Steps[step].To - EdgeSeconds)
                pieces[step].Add(piece.WithSamplesCopied());
        }

        return [.. pieces.Select(one => Add(one, begin))];
    }

    // The first collection in which something was sent tells when that began.
    private DateTime? FindBegin(RecordedRole sender, IReadOnlyList<string> counters)
    {
        foreach (RoleInterval interval in sender.Intervals)
        {
            if (counters.Sum(interval.View.Count) is > 0 and var messages)
                return interval.Utc.AddSeconds(-course.SecondsUntil(messages / connections));
        }

        return null;
    }

    private IEnumerable<Piece> ReadPieces(RecordedRole measuring, DateTime begin)
    {
        using IEnumerator<LongHistogram> samples =
            measuring.ReadIntervals(SeriesNames.Of(paths.IntervalLatency) ?? "").GetEnumerator();
        foreach (RoleInterval interval in measuring.Intervals)
        {
            double to = (interval.Utc - begin).TotalSeconds;
            yield return new(to - interval.Seconds, to, interval.View, samples.MoveNext() ? samples.Current : null);
        }
    }

    private RateStep Add(List<Piece> pieces, DateTime begin)
    {
        double seconds = pieces.Sum(piece => piece.Seconds);
        return new()
        {
            Utc = pieces.Count == 0 ? null : begin.AddSeconds(pieces[0].From),
            Seconds = seconds,
            RateAsked = seconds <= 0 ? 0 : Copies * connections * course.MeanRate(pieces[0].From, pieces[^1].To),
            RateReached = seconds <= 0 ? 0 : pieces.Sum(piece => (piece.View.Number(paths.IntervalRate) ?? 0) * piece.Seconds) / seconds,
            LatencyMicros = RunLatency.Add(
                [.. pieces.Select(piece => piece.View.Latency(paths.IntervalLatency)).OfType<RunLatency>()],
                HistogramMerging.Merge([.. pieces.Select(piece => piece.Samples).OfType<LongHistogram>()])),
        };
    }

    private sealed record Piece(double From, double To, JsonView View, LongHistogram? Samples)
    {
        public double Seconds => To - From;

        public Piece WithSamplesCopied() => this with { Samples = Samples?.Copy() };
    }
}
