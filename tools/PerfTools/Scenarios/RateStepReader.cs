using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>
/// Reads the result of each step of a changing rate: the collections of the measuring role, compared with the messages due meanwhile.
/// </summary>
/// <param name="course">The rate.</param>
/// <param name="paths">The paths of the figures.</param>
/// <param name="connections">The number of connections with this rate.</param>
internal sealed class RateStepReader(RateSchedule course, MeasuredPaths paths, int connections)
{
    // The minimum distance of a collection from the edges of its step: the time of the sender's first tick has about this uncertainty.
    private const double EdgeSeconds = 0.4;

    /// <summary>Messages received per message sent.</summary>
    public double Copies { get; init; } = 1;

    /// <summary>Reads the steps.</summary>
    /// <param name="sender">The role that sent.</param>
    /// <param name="sent">Its counters of sent messages.</param>
    /// <param name="measuring">The role that measured.</param>
    /// <returns>The steps in order; none when nothing was sent.</returns>
    public IReadOnlyList<RateStep> Read(RecordedRole sender, IReadOnlyList<string> sent, RecordedRole measuring)
    {
        if (FindBegin(sender, sent) is not { } begin)
            return [];
        List<Segment>[] pieces = [.. course.Steps.Select(_ => new List<Segment>())];
        foreach (Segment piece in ReadSegments(measuring, begin))
        {
            int step = course.Steps.Count(one => one.From <= piece.From - EdgeSeconds) - 1;
            if (step >= 0 && piece.To <= course.Steps[step].To - EdgeSeconds)
                pieces[step].Add(piece.WithSamplesCopied());
        }

        return [.. pieces.Select(one => Add(one, begin))];
    }

    // The first collection with sent messages shows when sending began.
    private DateTime? FindBegin(RecordedRole sender, IReadOnlyList<string> counters)
    {
        foreach (RoleInterval interval in sender.Intervals)
        {
            if (counters.Sum(interval.View.Count) is > 0 and var messages)
                return interval.Utc.AddSeconds(-course.SecondsUntil(messages / connections));
        }

        return null;
    }

    private IEnumerable<Segment> ReadSegments(RecordedRole measuring, DateTime begin)
    {
        using IEnumerator<LongHistogram> samples =
            measuring.ReadIntervals(SeriesNames.Of(paths.IntervalLatency) ?? "").GetEnumerator();
        foreach (RoleInterval interval in measuring.Intervals)
        {
            double to = (interval.Utc - begin).TotalSeconds;
            yield return new(to - interval.Seconds, to, interval.View, samples.MoveNext() ? samples.Current : null);
        }
    }

    private RateStep Add(List<Segment> pieces, DateTime begin)
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

    private sealed record Segment(double From, double To, JsonView View, LongHistogram? Samples)
    {
        public double Seconds => To - From;

        public Segment WithSamplesCopied() => this with { Samples = Samples?.Copy() };
    }
}
