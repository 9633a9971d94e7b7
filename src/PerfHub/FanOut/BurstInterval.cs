namespace PerfHub.FanOut;

/// <summary>
/// The present interval for which updates wait to be sent together: the updates that arrive in a window lengthen or shorten the next.
/// </summary>
/// <remarks>
/// Example, 100 to 500 ms by 50: four updates or more in a window of 100 ms make the next one 150, none in that one makes it 100 again, one to three
/// keep it. While the interval is 0, a window is as long as the increment. Time is an argument; windows without updates cost nothing.
/// </remarks>
internal struct BurstInterval
{
    /// <summary>Parts of a window at whose ends connections are flushed, each connection at one of them: so not all at once.</summary>
    public const int Phases = 16;

    private const int FewUpdates = 3;

    private long _beginNanos;
    private long _lengthNanos; // of the window; 0 before the first
    private long _updates; // that arrived in it

    /// <summary>The interval now, in nanoseconds; 0 while updates are sent at once.</summary>
    public long Nanos { get; private set; }

    /// <summary>Records updates that have arrived.</summary>
    /// <param name="settings">In force from the next window on.</param>
    /// <param name="nowNanos">Not before that of an earlier call.</param>
    /// <param name="updates">Number of updates.</param>
    public void Record(BurstSettings settings, long nowNanos, long updates)
    {
        AdvanceWindows(settings, nowNanos);
        _updates += updates;
    }

    /// <summary>Advances past the windows that have ended.</summary>
    public void AdvanceWindows(BurstSettings settings, long nowNanos)
    {
        if (_lengthNanos == 0)
            Begin(nowNanos, settings.MinNanos, settings);
        while (_lengthNanos > 0 && nowNanos - _beginNanos >= _lengthNanos)
        {
            long next = Next(settings, Nanos, _updates);
            if (_updates == 0 && next == Nanos)
            {
                _beginNanos += (nowNanos - _beginNanos) / _lengthNanos * _lengthNanos; // all further ones are alike
                return;
            }

            Begin(_beginNanos + _lengthNanos, next, settings);
        }
    }

    /// <summary>The next end of a phase, at which its waiting updates are sent.</summary>
    /// <param name="nowNanos">Within the window.</param>
    /// <param name="phase">0 to <see cref="Phases"/> - 1.</param>
    public readonly long EdgeAfter(long nowNanos, int phase)
    {
        long edge = _beginNanos + (_lengthNanos * phase / Phases);
        return edge > nowNanos ? edge : edge + _lengthNanos;
    }

    /// <summary>Computes the interval after a window.</summary>
    /// <param name="settings">Its limits.</param>
    /// <param name="nanos">The interval before.</param>
    /// <param name="updates">Updates that arrived in the window.</param>
    public static long Next(BurstSettings settings, long nanos, long updates)
    {
        if (!settings.IsOn)
            return 0;
        long next = updates switch
        {
            > FewUpdates => nanos + settings.IncrementNanos,
            0 => nanos - settings.IncrementNanos,
            _ => nanos,
        };
        return Math.Clamp(next, settings.MinNanos, settings.MaxNanos);
    }

    private void Begin(long nowNanos, long nanos, BurstSettings settings)
    {
        (_beginNanos, _updates, Nanos) = (nowNanos, 0, settings.IsOn ? nanos : 0);
        _lengthNanos = !settings.IsOn ? 0 : nanos > 0 ? nanos : settings.IncrementNanos;
    }
}
