using System.Runtime.InteropServices;

namespace PerfCommon.Measurement;

/// <summary>Measures how long the host was suspended: the monotonic clock does not advance then.</summary>
internal static partial class SuspendedTime
{
    private const int MonotonicClock = 1;
    private const int BootClock = 7;

    /// <summary>Nanoseconds suspended, plus a constant; 0 where the system does not report it. It may be off by the duration of two reads.</summary>
    public static long Nanos => OperatingSystem.IsLinux() && Environment.Is64BitProcess && !PortableWay.IsRequested
        ? Get(BootClock) - Get(MonotonicClock) : 0;

    private static long Get(int clock) => ClockGetTime(clock, out TimeSpec time) == 0 ? (time.Seconds * Clock.NanosPerSecond) + time.Nanos : 0;

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public long Seconds;
        public long Nanos;
    }
}
