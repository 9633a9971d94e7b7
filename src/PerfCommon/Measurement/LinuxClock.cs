using System.Runtime.InteropServices;

namespace PerfCommon.Measurement;

/// <summary>Reads the clocks of Linux by their numbers.</summary>
internal static partial class LinuxClock
{
    public const int WallClock = 0;
    public const int MonotonicClock = 1;
    public const int ProcessClock = 2;
    public const int ThreadClock = 3;
    public const int BootClock = 7;

    /// <summary>True where the clocks can be read.</summary>
    public static bool IsUsed { get; } = OperatingSystem.IsLinux() && Environment.Is64BitProcess && !PortableWay.IsRequested;

    /// <summary>Nanoseconds of a clock; 0 where the system does not have it.</summary>
    public static long Read(int clock) => ClockGetTime(clock, out TimeSpec time) == 0 ? (time.Seconds * Clock.NanosPerSecond) + time.Nanos : 0;

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public long Seconds;
        public long Nanos;
    }
}
