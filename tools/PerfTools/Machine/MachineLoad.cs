using System.Diagnostics;
using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Machine;

/// <summary>How much of the machine other programs use beside a run and this program.</summary>
internal sealed class MachineLoad
{
    private const double Percent = 100;
    private static readonly TimeSpan LookAround = TimeSpan.FromMilliseconds(250);

    private readonly ProcessorUse? _before = ProcessorUse.ReadNow();
    private readonly SwapUse? _swapBefore = SwapUse.ReadNow();
    private readonly double _ownBefore = OwnCpuSeconds;
    private readonly long _since = Stopwatch.GetTimestamp();

    private static double OwnCpuSeconds => Environment.CpuUsage.TotalTime.TotalSeconds;

    /// <summary>Measures for a quarter of a second what others use, in percent of all processors; null where the system does not tell.</summary>
    /// <param name="stop">Ends it early.</param>
    /// <remarks>Before anything of a run is started: all that is busy then is something else.</remarks>
    public static double? MeasureNow(CancellationToken stop)
    {
        MachineLoad load = new();
        stop.WaitHandle.WaitOne(LookAround);
        return Percent * load.ForeignShare();
    }

    /// <summary>What a person should know before a run on a machine that is busy; null when it is not.</summary>
    /// <param name="percent">What others use.</param>
    public static string? FindWarning(double? percent) => percent > Percent * MachineDescription.MaxForeignShare
        ? string.Create(CultureInfo.InvariantCulture,
            $"Warning: machine busy: other processes use {percent:F0} % of the CPU; latency and rates will show it.") : null;

    /// <summary>The part of the whole machine, from 0 to 1, since this was made; null where the system does not tell.</summary>
    /// <param name="rolesCpuSeconds">Processor time of the programs of the run in this time.</param>
    public double? ForeignShare(double rolesCpuSeconds = 0)
    {
        double seconds = Stopwatch.GetElapsedTime(_since).TotalSeconds;
        return _before is { } before
            ? ProcessorUse.ReadNow()?.ForeignShareSince(before, seconds, rolesCpuSeconds + OwnCpuSeconds - _ownBefore) : null;
    }

    /// <summary>
    /// The part of the whole machine, from 0 to 1, that its host gave to other guests since this was made; null where the system does not
    /// tell.
    /// </summary>
    public double? StolenShare() => _before is { } before ? ProcessorUse.ReadNow()?.StolenShareSince(before) : null;

    /// <summary>
    /// Memory moved to the disk and back since this was made, in units of 1,048,576 bytes; null where the system does not tell.
    /// </summary>
    public double? SwappedMegabytes() => _swapBefore is { } before ? SwapUse.ReadNow()?.MegabytesSince(before) : null;
}
