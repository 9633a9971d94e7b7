using System.Diagnostics;
using PerfTools.Machine;

namespace PerfCommon.Benchmarks.Against;

/// <summary>Processor use of the machine and the two roles so far.</summary>
/// <param name="Machine">All processors; null where the system does not report it.</param>
/// <param name="RolesCpuSeconds">Processor time of the roles.</param>
/// <param name="Timestamp">When it was read.</param>
internal sealed record LoadReading(ProcessorUse? Machine, double RolesCpuSeconds, long Timestamp)
{
    public static LoadReading Take(MeasuredRole server, MeasuredRole client) => new(
        ProcessorUse.ReadNow(),
        server.ReadCpuSeconds() + client.ReadCpuSeconds(),
        Stopwatch.GetTimestamp());

    /// <summary>Returns the part of the machine that neither role used since an earlier reading; null where it is unknown.</summary>
    public double? ForeignShareSince(LoadReading earlier)
    {
        double seconds = Stopwatch.GetElapsedTime(earlier.Timestamp, Timestamp).TotalSeconds;
        return earlier.Machine is { } before
            ? Machine?.ForeignShareSince(before, seconds, RolesCpuSeconds - earlier.RolesCpuSeconds)
            : null;
    }
}
