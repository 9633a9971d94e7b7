using PerfTools.Hosting.Reporting;
using PerfTools.Machine;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>Describes the machine at the head of a table of figures.</summary>
internal static class MachineHead
{
    /// <summary>Writes the facts on which figures depend, besides the code, as the head of a table of figures.</summary>
    public static void WriteMachine(this TextWriter writer)
    {
        writer.Line($"{Environment.ProcessorCount} processors ({MachineTraits.ProcessorModel}), kernel {Environment.OSVersion.Version}");
        writer.Line($"congestion control {MachineTraits.CongestionControl}; nothing else should run");
    }
}
