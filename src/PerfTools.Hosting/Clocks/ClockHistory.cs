namespace PerfTools.Hosting.Clocks;

/// <summary>The exchanges of a run, reduced per quarter of a second to the bounds that a line can touch. One thread at a time.</summary>
internal sealed class ClockHistory
{
    private readonly List<ClockWindow> _windows = [];
    private readonly List<ClockPoint> _lower = [];
    private readonly List<ClockPoint> _upper = [];
    private long _openNumber;
    private int _epoch;

    /// <summary>This host's clock at the first exchange.</summary>
    public long BaseNanos { get; private set; }

    /// <summary>The peer's clock minus this host's at the first exchange.</summary>
    public long BaseOffsetNanos { get; private set; }

    /// <summary>Number of exchanges added.</summary>
    public long Count { get; private set; }

    /// <summary>The minimum round trip; 0 before the first exchange.</summary>
    public long MinRoundTripNanos { get; private set; }

    /// <summary>Adds an exchange, not earlier than the one before.</summary>
    public void Add(ClockExchange exchange)
    {
        if (!exchange.IsOrdered)
            return;
        if (Count++ == 0)
            (BaseNanos, BaseOffsetNanos, MinRoundTripNanos) = (exchange.Sent, exchange.UpperNanos, exchange.RoundTripNanos);
        MinRoundTripNanos = Math.Min(MinRoundTripNanos, exchange.RoundTripNanos);
        long number = ClockWindow.NumberAt(exchange.Received - BaseNanos);
        if (number != _openNumber)
            Close();
        _openNumber = number;
        _lower.Add(new(exchange.Received - BaseNanos, exchange.LowerNanos - BaseOffsetNanos));
        _upper.Add(new(exchange.Sent - BaseNanos, exchange.UpperNanos - BaseOffsetNanos));
    }

    /// <summary>Marks an interruption of one of the clocks: a host was suspended, or replaced by another.</summary>
    public void Break()
    {
        Close();
        _epoch++;
    }

    /// <summary>Returns the windows so far, all or those since the last interruption; of these the last ones, up to a maximum number of windows.</summary>
    public ClockWindow[] CollectWindows(bool onlyLastEpoch = false, int most = int.MaxValue)
    {
        Close();
        int from = Math.Max(0, _windows.Count - Math.Min(most, _windows.Count));
        return [.. _windows.Skip(from).Where(window => !onlyLastEpoch || window.Epoch == _epoch)];
    }

    /// <summary>Returns the windows from a time on, however long ago it was.</summary>
    /// <param name="at">The time, relative to the first exchange.</param>
    public ClockWindow[] CollectSince(double at)
    {
        Close();
        long first = ClockWindow.NumberAt(at);
        return [.. _windows.Where(window => window.Number >= first)];
    }

    // A window that continues keeps its points, and its next ones are merged with them.
    private void Close()
    {
        if (_lower.Count == 0)
            return;
        (IEnumerable<ClockPoint> lower, IEnumerable<ClockPoint> upper) = (_lower, _upper);
        if (_windows is [.., var last] && last.Number == _openNumber && last.Epoch == _epoch)
        {
            (lower, upper) = (last.Lower.Concat(_lower), last.Upper.Concat(_upper));
            _windows.RemoveAt(_windows.Count - 1);
        }

        _windows.Add(new(_epoch, _openNumber, ClockPoint.Hull(lower, 1), ClockPoint.Hull(upper, -1)));
        _lower.Clear();
        _upper.Clear();
    }
}
