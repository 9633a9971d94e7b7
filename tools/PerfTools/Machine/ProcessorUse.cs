using System.Globalization;

namespace PerfTools.Machine;

/// <summary>The ticks that all processors of the machine have spent since it started, in the kernel's unit (<c>/proc/stat</c>, Linux only).</summary>
/// <param name="BusyTicks">Ticks at work, including those that other guests of the host used.</param>
/// <param name="AllTicks">Ticks of all processors, idle or not.</param>
/// <param name="Processors">The number of processors.</param>
internal readonly record struct ProcessorUse(long BusyTicks, long AllTicks, int Processors)
{
    // cpu user nice system idle iowait irq softirq steal | guest and guestnice are parts of user and nice
    private const int FirstIdle = 3;
    private const int SecondIdle = 4;
    private const int Stolen = 7;
    private const int Columns = 8;
    private const string StatFile = "/proc/stat";

    /// <summary>The part of the busy ticks that the host gave to other guests.</summary>
    public long StolenTicks { get; init; }

    /// <summary>Reads the ticks now; null where the system has no such file.</summary>
    public static ProcessorUse? ReadNow() =>
        OperatingSystem.IsLinux() && File.Exists(StatFile) ? Parse(File.ReadAllText(StatFile)) : null;

    /// <summary>Parses the file's text.</summary>
    /// <returns>Null when it is of another form.</returns>
    public static ProcessorUse? Parse(string text)
    {
        string[] lines = [.. text.Split('\n').Where(l => l.StartsWith("cpu", StringComparison.Ordinal))];
        if (lines is not [var sum, _, ..])
            return null;
        long[] ticks = [.. sum.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Take(Columns)
            .Select(t => long.TryParse(t, CultureInfo.InvariantCulture, out long v) ? v : 0)];
        if (ticks.Length < Columns)
            return null;
        long all = ticks.Sum();
        return new ProcessorUse(all - ticks[FirstIdle] - ticks[SecondIdle], all, lines.Length - 1) { StolenTicks = ticks[Stolen] };
    }

    /// <summary>The share of the whole machine that the host gave to other guests since an earlier reading, from 0 to 1.</summary>
    public double StolenShareSince(ProcessorUse earlier) =>
        AllTicks > earlier.AllTicks ? Math.Clamp((StolenTicks - earlier.StolenTicks) / (double)(AllTicks - earlier.AllTicks), 0, 1) : 0;

    /// <summary>The share of the whole machine that others used since an earlier reading, from 0 to 1.</summary>
    /// <param name="earlier">The earlier reading.</param>
    /// <param name="seconds">The time between both.</param>
    /// <param name="ownCpuSeconds">Processor time that is not foreign.</param>
    public double ForeignShareSince(ProcessorUse earlier, double seconds, double ownCpuSeconds)
    {
        double all = AllTicks - earlier.AllTicks;
        double busy = all > 0 ? (BusyTicks - earlier.BusyTicks) / all : 0;
        double own = seconds > 0 ? ownCpuSeconds / (seconds * Processors) : 0;
        return Math.Clamp(busy - own, 0, 1);
    }
}
