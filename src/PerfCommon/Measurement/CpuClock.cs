namespace PerfCommon.Measurement;

/// <summary>Processor time of this process and of the calling thread.</summary>
internal abstract class CpuClock
{
    /// <summary>Clock of the kernel on Linux; elsewhere, and with PERFTOOLS_PORTABLE=1, clock of the framework.</summary>
    public static CpuClock Current { get; } = LinuxClock.IsUsed ? new KernelCpuClock() : new FrameworkCpuClock();

    /// <summary>Processor time of all threads of the process since its start.</summary>
    public abstract long ProcessNanos { get; }

    /// <summary>Processor time of the calling thread since its start; null where the system does not report it.</summary>
    public abstract long? ThreadNanos { get; }

    /// <summary>Reads both, with the time. Takes a microsecond; no allocation.</summary>
    public CpuReading Read() => new(Clock.NowNanos, ProcessNanos, ThreadNanos);

    /// <summary>Reads the clocks of <c>clock_gettime</c>: exact, and late only for threads that run on other processors.</summary>
    internal sealed class KernelCpuClock : CpuClock
    {
        public override long ProcessNanos => LinuxClock.Read(LinuxClock.ProcessClock);

        public override long? ThreadNanos => LinuxClock.Read(LinuxClock.ThreadClock);
    }

    /// <summary>Reads the process's time from the framework, which has no times of single threads.</summary>
    internal sealed class FrameworkCpuClock : CpuClock
    {
        public override long ProcessNanos => Environment.CpuUsage.TotalTime.Ticks * TimeSpan.NanosecondsPerTick;

        public override long? ThreadNanos => null;
    }
}

/// <summary>Readings of the processor clocks at one time.</summary>
/// <param name="AtNanos">When they were read, in nanoseconds of <see cref="Clock"/>.</param>
/// <param name="ProcessNanos">Processor time of the process since its start.</param>
/// <param name="ThreadNanos">Processor time of the thread that read them; null where the system does not report it.</param>
internal readonly record struct CpuReading(long AtNanos, long ProcessNanos, long? ThreadNanos);

/// <summary>Processor time used in a phase: from one time to another.</summary>
/// <param name="FromNanos">When the phase began, in nanoseconds of <see cref="Clock"/>.</param>
/// <param name="ToNanos">When it ended.</param>
/// <param name="UsedNanos">Processor time used from then to then.</param>
internal readonly record struct CpuUse(long FromNanos, long ToNanos, long UsedNanos)
{
    private const double Percent = 100;

    /// <summary>Seconds of the phase.</summary>
    public double Seconds => (ToNanos - FromNanos) / (double)Clock.NanosPerSecond;

    /// <summary>Seconds of processor time used in it.</summary>
    public double CpuSeconds => UsedNanos / (double)Clock.NanosPerSecond;

    /// <summary>Use in percent of one processor; 0 when no time has passed.</summary>
    public double CorePercent => ToNanos > FromNanos ? Percent * UsedNanos / (ToNanos - FromNanos) : 0;

    /// <summary>Use in percent of all processors that the process may use.</summary>
    public double MachinePercent => CorePercent / Environment.ProcessorCount;

    /// <summary>Returns the use of the process between two readings; null when one is missing or the second is not the later one.</summary>
    public static CpuUse? OfProcess(CpuReading? from, CpuReading? to) => Between(from, to, from?.ProcessNanos, to?.ProcessNanos);

    /// <summary>Returns the use of the reading thread between two readings; null also where the system does not report it.</summary>
    public static CpuUse? OfThread(CpuReading? from, CpuReading? to) => Between(from, to, from?.ThreadNanos, to?.ThreadNanos);

    private static CpuUse? Between(CpuReading? from, CpuReading? to, long? usedBefore, long? usedAfter) =>
        usedBefore is { } before && usedAfter is { } after && from!.Value.AtNanos < to!.Value.AtNanos
            ? new(from.Value.AtNanos, to.Value.AtNanos, after - before) : null;
}
