namespace PerfCommon.Measurement;

/// <summary>Measures how long the host was suspended: the monotonic clock does not advance then.</summary>
internal static class SuspendedTime
{
    /// <summary>Nanoseconds suspended, plus a constant; 0 where the system does not report it. It may be off by the duration of two reads.</summary>
    public static long Nanos => LinuxClock.IsUsed ? LinuxClock.Read(LinuxClock.BootClock) - LinuxClock.Read(LinuxClock.MonotonicClock) : 0;
}
