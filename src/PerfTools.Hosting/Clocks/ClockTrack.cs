using PerfCommon.Measurement;

namespace PerfTools.Hosting.Clocks;

/// <summary>The difference of two clocks over a run, second by second, as its exchanges show it.</summary>
/// <remarks>
/// The run is split into segments with a line each where one line for all contradicts the bounds: clocks that are slewed or that warm up. The
/// guarantee does not rest on the line alone. At any time each bound nearby holds, extrapolated to it with the slope of the line and the possible
/// error of that slope. So where a bend in the drift has moved a line to one side, the bounds show by how much.
/// </remarks>
internal sealed class ClockTrack
{
    private const int MaxSegment = 60 * ClockWindow.PerSecond;
    private const int MinSegment = 2 * ClockWindow.PerSecond;
    private const int Parts = 4;
    private const int Nearby = 2 * ClockWindow.PerSecond; // on each side
    private const int StepsOfSecond = 20;
    private const int MaxGap = 10 * ClockWindow.PerSecond;

    // Maximum difference of an unadjusted clock's rate from that of a line over it: a crystal that warms up.
    internal const double Unsteadiness = 5e-6;

    private readonly ClockWindow[] _windows;
    private readonly List<ClockSegment> _segments = [];
    private readonly ClockSegment?[] _ofSecond;

    /// <param name="windows">The windows, in order.</param>
    public ClockTrack(ClockWindow[] windows)
    {
        _windows = windows;
        for (int from = 0; from < windows.Length;)
        {
            int to = from;
            while (to < windows.Length && windows[to].Epoch == windows[from].Epoch)
                to++;
            Split(from, to);
            from = to;
        }

        for (int i = 0; i < _segments.Count; i++)
            _segments[i] = _segments[i] with { Allowance = FindAllowance(i), Width = FindWidth(_segments[i]) };
        _ofSecond = new ClockSegment?[windows.Length];
        foreach (ClockSegment segment in _segments)
            Choose(segment);
    }

    /// <summary>The segments, in order; with more than one, neighbours overlap by half.</summary>
    public IReadOnlyList<ClockSegment> Segments => _segments;

    /// <summary>The time of the last exchange, relative to the first.</summary>
    public long LastPoint => _windows.Length > 0 ? (long)_windows[^1].Lower[^1].At : 0;

    /// <summary>The last segment with a line; null where there is none.</summary>
    public ClockSegment? Last => _segments.FindLast(segment => segment.Fit is not null);

    /// <summary>Finds the segment that describes a time best: the one whose middle is nearest. Null for a time without exchanges.</summary>
    public ClockSegment? SegmentAt(double at)
    {
        long number = ClockWindow.NumberAt(at);
        int index = FindFirst(number, 0, _windows.Length);
        if (index < _windows.Length && _windows[index].Number == number)
            return _ofSecond[index];
        return _segments.Where(segment => segment.Covers(at)).MinBy(segment => Math.Abs(segment.Middle - at));
    }

    /// <summary>Returns the range of the clocks' difference at a time, relative to the first exchange; null where nothing is known.</summary>
    public (double Low, double High)? RangeAt(double at) =>
        SegmentAt(at) is { Fit: not null } segment ? RangeAt(segment, FindNearby(segment, at), at) : null;

    /// <summary>Finds the maximum error of a line over a time; null where a part of that time is unknown.</summary>
    /// <param name="offsetAt">The line, relative to the first exchange.</param>
    /// <param name="from">Begin of the time, relative to the first exchange.</param>
    /// <param name="to">End of the time.</param>
    public ClockError? FindError(Func<double, double> offsetAt, double from, double to)
    {
        ClockError worst = ClockError.None;
        const double Step = (double)Clock.NanosPerSecond / StepsOfSecond;
        for (double at = from; at < to + Step; at += Step)
        {
            double time = Math.Min(at, to);
            if (SegmentAt(time) is not { Fit: not null } segment || RangeAt(segment, FindNearby(segment, time), time) is not { } range)
                return null;
            double line = offsetAt(time);
            double between = segment.AllowanceAt(time) * Step / 2; // between two steps the error can be greater by this
            worst = worst.Beside(new(range.High - line + between, line - range.Low + between));
        }

        return worst;
    }

    private static (double Low, double High)? RangeAt(ClockSegment segment, ReadOnlySpan<ClockWindow> nearby, double at)
    {
        (double low, double high) = (double.NegativeInfinity, double.PositiveInfinity);
        (double slope, double allowance) = (segment.Fit!.Slope, segment.AllowanceAt(at));
        foreach (ClockWindow window in nearby)
        {
            foreach (ClockPoint point in window.Lower)
                low = Math.Max(low, point.Offset + (slope * (at - point.At)) - (allowance * Math.Abs(at - point.At)));
            foreach (ClockPoint point in window.Upper)
                high = Math.Min(high, point.Offset + (slope * (at - point.At)) + (allowance * Math.Abs(at - point.At)));
        }

        return low <= high && double.IsFinite(low) && double.IsFinite(high) ? (low, high) : null;
    }

    // The windows around a time, of its segment; farther ones when there are none, because nothing was answered.
    private ReadOnlySpan<ClockWindow> FindNearby(ClockSegment segment, double at)
    {
        long number = ClockWindow.NumberAt(at);
        for (long reach = Nearby; reach <= MaxGap; reach++)
        {
            (int from, int to) = (FindFirst(number - reach, segment.From, segment.To), FindFirst(number + reach + 1, segment.From, segment.To));
            if (to > from)
                return _windows.AsSpan(from, to - from);
        }

        return [];
    }

    private int FindFirst(long number, int low, int high)
    {
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (_windows[middle].Number < number)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }

    private void Choose(ClockSegment segment)
    {
        for (int i = segment.From; i < segment.To; i++)
        {
            double at = (_windows[i].Number + 0.5) * ClockWindow.Nanos;
            if (_ofSecond[i] is not { } other || Math.Abs(segment.Middle - at) < Math.Abs(other.Middle - at))
                _ofSecond[i] = segment;
        }
    }

    private void Split(int from, int to)
    {
        if (Fit(from, to) is { } whole)
        {
            Add(from, to, whole);
            return;
        }

        for (int start = from; start < to; start += MaxSegment / 2)
        {
            int end = Math.Min(start + MaxSegment, to);
            Halve(start, end);
            if (end == to)
                return;
        }
    }

    private void Halve(int from, int to)
    {
        ClockFit? fit = Fit(from, to);
        if (fit is not null || to - from <= MinSegment)
        {
            Add(from, to, fit);
            return;
        }

        int middle = (from + to) / 2;
        Halve(from, middle);
        Halve(middle, to);
    }

    private ClockFit? Fit(int from, int to) => ClockFit.TryFit(_windows.AsSpan(from, to - from));

    private void Add(int from, int to, ClockFit? fit) => _segments.Add(new(from, to,
        _windows[from].Number * ClockWindow.Nanos, (_windows[to - 1].Number + 1) * ClockWindow.Nanos, fit));

    // A bend inside a segment shows in the slopes of its parts and of its neighbours, unless it is so small that a line fits over it.
    private double FindAllowance(int index)
    {
        if (_segments[index] is not { Fit: { } fit } segment)
            return ClockFit.MaxSlope;
        double allowance = Unsteadiness;
        int quarter = (segment.To - segment.From) / Parts;
        for (int part = 0; part < Parts && quarter >= MinSegment; part++)
        {
            int from = segment.From + (part * quarter);
            allowance = Math.Max(allowance, Unsteadiness + Disagreement(fit, Fit(from, part == Parts - 1 ? segment.To : from + quarter)));
        }

        foreach (ClockSegment other in _segments.Skip(Math.Max(0, index - 2)).Take(Parts + 1))
        {
            if (_windows[other.From].Epoch == _windows[segment.From].Epoch)
                allowance = Math.Max(allowance, Unsteadiness + Disagreement(fit, other.Fit));
        }

        return allowance;
    }

    // The distance between the bounds of both sides at a time.
    private double FindWidth(ClockSegment segment)
    {
        double sum = 0;
        double slope = segment.Fit?.Slope ?? 0;
        foreach (ClockWindow window in _windows.AsSpan(segment.From, segment.To - segment.From))
            sum += window.Upper.Min(point => point.Offset - (slope * point.At)) - window.Lower.Max(point => point.Offset - (slope * point.At));
        return sum / (segment.To - segment.From);
    }

    private static double Disagreement(ClockFit fit, ClockFit? other) =>
        other is null ? 0 : Math.Max(other.MaxSlopeFound - fit.Slope, fit.Slope - other.MinSlope);
}

/// <summary>How far the difference of two clocks can lie from a line: in either direction, so that the line can be moved to the middle.</summary>
/// <param name="Above">How far above the line.</param>
/// <param name="Below">How far below it.</param>
internal readonly record struct ClockError(double Above, double Below)
{
    /// <summary>That of no time at all.</summary>
    public static ClockError None { get; } = new(double.NegativeInfinity, double.NegativeInfinity);

    /// <summary>The maximum error of the line; 0 for no time.</summary>
    public double Max => Math.Max(0, Math.Max(Above, Below));

    /// <summary>By how much the line is to be moved so that its maximum error is least.</summary>
    public double Centre => (Above - Below) / 2;

    /// <summary>That of the line when it was moved up.</summary>
    public ClockError Moved(double up) => new(Above - up, Below + up);

    /// <summary>That of both times.</summary>
    public ClockError Beside(ClockError other) => new(Math.Max(Above, other.Above), Math.Max(Below, other.Below));
}

/// <summary>Seconds of a run for which one line holds.</summary>
/// <param name="From">The first of the seconds with exchanges.</param>
/// <param name="To">The second after the last one.</param>
/// <param name="Begin">Begin of the segment, relative to the first exchange.</param>
/// <param name="End">End of the segment.</param>
/// <param name="Fit">Its lines; null where none holds for at least two seconds.</param>
internal sealed record ClockSegment(int From, int To, double Begin, double End, ClockFit? Fit)
{
    private const double MinEdgeNanos = 0.5 * Clock.NanosPerSecond;

    /// <summary>The maximum difference of the clocks' rate from the line's, by the slopes of its parts and neighbours.</summary>
    public double Allowance { get; init; }

    /// <summary>The average distance between the bounds of both sides at a time.</summary>
    public double Width { get; init; }

    public double Middle => (Begin + End) / 2;

    public bool Covers(double at) => at >= Begin && at <= End;

    /// <summary>
    /// The allowance at a time: a bend near an end can be steeper and still have a line fit over it, by two widths in the rest of it.
    /// </summary>
    public double AllowanceAt(double at) => Math.Min(ClockFit.MaxSlope, Math.Max(Allowance,
        ClockTrack.Unsteadiness + (2 * Width / Math.Max(MinEdgeNanos, Math.Min(at - Begin, End - at)))));
}
