using System.Diagnostics;

namespace PerfTools.Search;

/// <summary>How much of the machine other programs use beside a run and this program.</summary>
internal sealed class MachineLoad
{
    /// <summary>What a machine may be busy with beside a run whose figures are to mean something, as a part of it.</summary>
    public const double MaxForeignShare = 0.2;

    private readonly ProcessorUse? _before = ProcessorUse.ReadNow();
    private readonly SwapUse? _swapBefore = SwapUse.ReadNow();
    private readonly double _ownBefore = OwnCpuSeconds;
    private readonly long _since = Stopwatch.GetTimestamp();

    private static double OwnCpuSeconds => Environment.CpuUsage.TotalTime.TotalSeconds;

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
