using System.Diagnostics;
using PerfTools.Machine;

namespace PerfCommon.Benchmarks.Against;

/// <summary>How busy the machine and the two roles have been so far.</summary>
/// <param name="Machine">All processors; null where the system does not tell.</param>
/// <param name="RolesCpuSeconds">Processor time of the roles.</param>
/// <param name="Timestamp">When it was read.</param>
internal sealed record LoadReading(ProcessorUse? Machine, double RolesCpuSeconds, long Timestamp)
{
    public static LoadReading Take(MeasuredRole server, MeasuredRole client) => new(
        ProcessorUse.ReadNow(),
        server.ReadCpuSeconds() + client.ReadCpuSeconds(),
        Stopwatch.GetTimestamp());

    /// <summary>The part of the machine that neither role used since an earlier reading; null where it cannot be known.</summary>
    public double? ForeignShareSince(LoadReading earlier)
    {
        double seconds = Stopwatch.GetElapsedTime(earlier.Timestamp, Timestamp).TotalSeconds;
        return earlier.Machine is { } before
            ? Machine?.ForeignShareSince(before, seconds, RolesCpuSeconds - earlier.RolesCpuSeconds)
            : null;
    }
}
