using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <summary>Records when a worker had messages to send: spans of ticks, with no stream to send on between them.</summary>
/// <remarks>
/// A send rate is the messages sent in these spans, divided by their length, so that a provider whose consumers connect one after the other
/// is not reported as slower than it was. The worker's thread writes; the main thread reads.
/// </remarks>
internal sealed class SendingTimes
{
    private const int MaxSpans = 256; // connections may open and close without end

    private SendingSpan[] _spans = [];
    private long _beganNanos;
    private long _endNanos;

    /// <summary>The spans that have ended, in order. Any thread.</summary>
    public IReadOnlyList<SendingSpan> Spans => Volatile.Read(ref _spans);

    /// <summary>Counts a tick that had messages to send. Owning thread only.</summary>
    /// <param name="dueNanos">When it was due.</param>
    /// <param name="endNanos">When the next one is due, or when this one was taken, if later.</param>
    public void AddTick(long dueNanos, long endNanos)
    {
        if (_beganNanos == 0)
            _beganNanos = dueNanos;
        _endNanos = endNanos;
    }

    /// <summary>Ends the current span, if any. Owning thread only.</summary>
    public void EndSpan()
    {
        if (_beganNanos == 0)
            return;
        SendingSpan[] spans = _spans.Length < MaxSpans ? _spans : JoinNearest(_spans);
        Volatile.Write(ref _spans, [.. spans, new SendingSpan(_beganNanos, _endNanos)]);
        _beganNanos = 0;
    }

    /// <summary>Returns the seconds that these spans, of one worker or several, cover; where several overlap they count once.</summary>
    public static double SecondsOf(IEnumerable<SendingSpan> spans)
    {
        long covered = 0, until = long.MinValue;
        foreach (SendingSpan span in spans.OrderBy(span => span.FromNanos))
        {
            covered += Math.Max(0, span.ToNanos - Math.Max(span.FromNanos, until));
            until = Math.Max(until, span.ToNanos);
        }

        return covered / (double)Clock.NanosPerSecond;
    }

    // Joins the two spans with the shortest time between them.
    private static SendingSpan[] JoinNearest(SendingSpan[] spans)
    {
        int nearest = Enumerable.Range(1, spans.Length - 1).MinBy(i => spans[i].FromNanos - spans[i - 1].ToNanos);
        return [.. spans[..(nearest - 1)], new(spans[nearest - 1].FromNanos, spans[nearest].ToNanos), .. spans[(nearest + 1)..]];
    }
}

/// <summary>A span of ticks with messages to send: from when the first was due to the end of the last.</summary>
internal readonly record struct SendingSpan(long FromNanos, long ToNanos);
