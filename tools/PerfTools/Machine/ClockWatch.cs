using System.Globalization;

namespace PerfTools.Machine;

/// <summary>Compares the clocks of the processors during each of several measurements with those during the first.</summary>
/// <remarks>
/// From the third measurement in a row, a clock that stays lower is accepted: where a governor lowers it with the load, that is normal for the
/// machine.
/// </remarks>
/// <param name="read">Reads the clocks.</param>
/// <param name="clock">The timer for the readings within a measurement.</param>
internal sealed class ClockWatch(Func<ClockReading> read, TimeProvider clock) : IDisposable
{
    private const double AllowedDrop = 0.1;
    private const int MaxSlow = 2; // in a row
    private static readonly TimeSpan Between = TimeSpan.FromMilliseconds(500);

    private readonly Lock _lock = new();
    private readonly List<double> _clocks = [];
    private ITimer? _timer;
    private int _measurement;
    private ClockReading _begin;
    private double? _first;
    private int _slow;

    /// <summary>Begins a measurement.</summary>
    public void Begin()
    {
        _begin = read();
        int measurement;
        lock (_lock)
        {
            measurement = ++_measurement;
            _clocks.Clear();
            Add(_begin);
        }

        if (_begin.Megahertz is not null)
            _timer = clock.CreateTimer(_ => Look(measurement), null, Between, Between);
    }

    /// <summary>Ends the measurement.</summary>
    /// <returns>Why the measurement proves nothing, as a sentence; null when it counts.</returns>
    public string? End()
    {
        _timer?.Dispose();
        ClockReading end = read();
        double? mean;
        lock (_lock)
        {
            Add(end);
            _measurement++;
            mean = _clocks.Count > 0 ? _clocks.Average() : null;
        }

        if (end.Throttled > _begin.Throttled)
            return string.Create(CultureInfo.InvariantCulture, $"processors throttled for heat {end.Throttled - _begin.Throttled:N0} times");
        if (_first is not { } first || mean is not { } now || now >= first * (1 - AllowedDrop) || _slow >= MaxSlow)
        {
            _first = _slow >= MaxSlow ? mean : _first ?? mean;
            _slow = 0;
            return null;
        }

        _slow++;
        return string.Create(CultureInfo.InvariantCulture, $"clock {now:N0} MHz instead of {first:N0} MHz");
    }

    public void Dispose() => _timer?.Dispose();

    // A late timer belongs to a measurement that is over.
    private void Look(int measurement)
    {
        ClockReading now = read();
        lock (_lock)
        {
            if (measurement == _measurement)
                Add(now);
        }
    }

    private void Add(ClockReading reading)
    {
        if (reading.Megahertz is { } megahertz)
            _clocks.Add(megahertz);
    }
}
