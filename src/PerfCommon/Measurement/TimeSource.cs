namespace PerfCommon.Measurement;

/// <summary>
/// The time for code that connects, waits and sends: the system's clock, or a stopped clock that a test advances.
/// </summary>
/// <remarks>Sealed and without virtual members: messages are stamped by it.</remarks>
public sealed class TimeSource
{
    private readonly bool _standsStill;
    private long _nanos;

    private TimeSource(bool standsStill, long nanos) => (_standsStill, _nanos) = (standsStill, nanos);

    /// <summary>The time of <see cref="Clock"/>.</summary>
    public static TimeSource System { get; } = new(standsStill: false, nanos: 0);

    /// <summary>Nanoseconds since some point in the past. Any thread.</summary>
    public long NowNanos => _standsStill ? Volatile.Read(ref _nanos) : Clock.NowNanos;

    /// <summary>Microseconds since the same point.</summary>
    internal long NowMicros => NowNanos / Clock.NanosPerMicro;

    /// <summary>Creates a stopped clock that only <see cref="Advance"/> moves.</summary>
    internal static TimeSource StartAt(long nanos) => new(standsStill: true, nanos);

    /// <summary>Advances a stopped clock; one thread.</summary>
    internal void Advance(long nanos) => Volatile.Write(ref _nanos, _nanos + nanos);
}
