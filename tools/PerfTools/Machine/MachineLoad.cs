using System.Diagnostics;
using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Machine;

/// <summary>Measures the share of the machine that programs other than those of a run use.</summary>
internal sealed class MachineLoad
{
    private const double Percent = 100;
    private static readonly TimeSpan LookAround = TimeSpan.FromMilliseconds(250);

    private readonly ProcessorUse? _before = ProcessorUse.ReadNow();
    private readonly SwapUse? _swapBefore = SwapUse.ReadNow();
    private readonly double _ownBefore = OwnCpuSeconds;
    private readonly long _since = Stopwatch.GetTimestamp();

    private static double OwnCpuSeconds => Environment.CpuUsage.TotalTime.TotalSeconds;

    /// <summary>
    /// Measures the CPU use of others for a quarter of a second, in percent of all processors; null where the system does not report it.
    /// </summary>
    /// <param name="stop">Cancels the measurement.</param>
    /// <remarks>It is called before any program of a run is started: all load at that time is foreign.</remarks>
    public static double? MeasureNow(CancellationToken stop)
    {
        MachineLoad load = new();
        stop.WaitHandle.WaitOne(LookAround);
        return Percent * load.ForeignShare();
    }

    /// <summary>Creates the warning about a run on a busy machine; null when the machine is idle enough.</summary>
    /// <param name="percent">The CPU use of others.</param>
    public static string? FindWarning(double? percent) => percent > Percent * MachineDescription.MaxForeignShare
        ? string.Create(CultureInfo.InvariantCulture,
            $"Warning: machine busy: other processes use {percent:F0} % of the CPU; latency and rates will show it.") : null;

    /// <summary>The foreign share of the whole machine, from 0 to 1, since this was created; null where the system does not report it.</summary>
    /// <param name="rolesCpuSeconds">Processor time of the programs of the run in this time.</param>
    public double? ForeignShare(double rolesCpuSeconds = 0)
    {
        double seconds = Stopwatch.GetElapsedTime(_since).TotalSeconds;
        return _before is { } before
            ? ProcessorUse.ReadNow()?.ForeignShareSince(before, seconds, rolesCpuSeconds + OwnCpuSeconds - _ownBefore) : null;
    }

    /// <summary>
    /// The share of the whole machine, from 0 to 1, that its host gave to other guests since this was created; null where the system does not
    /// report it.
    /// </summary>
    public double? StolenShare() => _before is { } before ? ProcessorUse.ReadNow()?.StolenShareSince(before) : null;

    /// <summary>
    /// Memory moved to the disk and back since this was created, in units of 1,048,576 bytes; null where the system does not report it.
    /// </summary>
    public double? SwappedMegabytes() => _swapBefore is { } before ? SwapUse.ReadNow()?.MegabytesSince(before) : null;
}
