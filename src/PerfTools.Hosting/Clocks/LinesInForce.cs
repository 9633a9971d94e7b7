using PerfCommon.Measurement;

namespace PerfTools.Hosting.Clocks;

/// <summary>The lines by which stamps of a peer's clock were corrected, each until the next was found. One thread at a time.</summary>
/// <param name="history">The exchanges, to the first of which times are relative.</param>
internal sealed class LinesInForce(ClockHistory history)
{
    private readonly List<ClockLine> _lines = [];

    /// <summary>Adds the line that is in force from now on.</summary>
    public void Add(ClockLine line) => _lines.Add(line);

    /// <summary>
    /// Finds the maximum error of the lines that were in force at each moment of some times, moved as the latencies were; null where it is not known.
    /// </summary>
    /// <param name="track">The difference of the clocks, as all probes show it.</param>
    /// <param name="spans">The times.</param>
    public double? FindBound(ClockTrack track, IReadOnlyList<ClockSpan> spans)
    {
        double? worst = null;
        foreach (ClockSpan span in spans)
        {
            if (FindError(track, span) is not { } error)
                return null;
            worst = Math.Max(worst ?? 0, error.Moved(span.ShiftNanos).Max);
        }

        return worst;
    }

    /// <summary>Finds the error of the lines that were in force in a time, not moved; null where it is not known.</summary>
    public ClockError? FindError(ClockTrack track, ClockSpan span)
    {
        if (span.ToNanos <= span.FromNanos)
            return ClockError.None;
        long known = history.BaseNanos + track.LastPoint;
        if (span.ToNanos - known > Clock.NanosPerSecond)
            return null;
        ClockError? worst = null;
        foreach ((Func<double, double> line, double from, double to) in FindLines(span.FromNanos, Math.Min(span.ToNanos, known)))
        {
            if (track.FindError(line, from, to) is not { } error)
                return null;
            worst = error.Beside(worst ?? ClockError.None);
        }

        return worst;
    }

    /// <summary>Finds the least and the greatest difference by which stamps were corrected: of a line at the ends of its time. Null where none were.</summary>
    /// <param name="spans">The times.</param>
    public (long Least, long Most)? FindUsed(IReadOnlyList<ClockSpan> spans)
    {
        (double Least, double Most)? used = null;
        foreach (ClockSpan span in spans)
        {
            foreach ((Func<double, double> line, double from, double to) in FindLines(span.FromNanos, span.ToNanos))
            {
                (double least, double most) = used ?? (double.PositiveInfinity, double.NegativeInfinity);
                (double begin, double end) = (line(from) + span.ShiftNanos, line(to) + span.ShiftNanos);
                used = (Math.Min(least, Math.Min(begin, end)), Math.Max(most, Math.Max(begin, end)));
            }
        }

        return used is { } found
            ? (history.BaseOffsetNanos + (long)Math.Floor(found.Least), history.BaseOffsetNanos + (long)Math.Ceiling(found.Most)) : null;
    }

    // The lines of a time, and when each was in force; all relative to the first exchange.
    private IEnumerable<(Func<double, double> Line, double From, double To)> FindLines(long fromNanos, long toNanos)
    {
        for (int i = FindFirst(fromNanos); i < _lines.Count && (i == 0 || _lines[i].FoundNanos < toNanos); i++)
        {
            long from = Math.Max(fromNanos, i == 0 ? long.MinValue : _lines[i].FoundNanos);
            long to = Math.Min(toNanos, i + 1 < _lines.Count ? _lines[i + 1].FoundNanos : long.MaxValue);
            if (from < to)
                yield return (_lines[i].RelativeTo(history.BaseNanos, history.BaseOffsetNanos), from - history.BaseNanos, to - history.BaseNanos);
        }
    }

    // The last line found until then, or the first of all.
    private int FindFirst(long nanos)
    {
        (int low, int high) = (0, _lines.Count);
        while (high - low > 1)
        {
            int middle = (low + high) / 2;
            (low, high) = _lines[middle].FoundNanos <= nanos ? (middle, high) : (low, middle);
        }

        return low;
    }
}
