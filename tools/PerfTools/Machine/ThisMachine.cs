using System.Runtime.InteropServices;
using PerfTools.Processes;
using PerfTools.Results.Documents;

namespace PerfTools.Machine;

/// <summary>The machine that this program runs on, as run.json describes it.</summary>
internal static class ThisMachine
{
    public static MachineDescription Description { get; } = WithTools(new()
    {
        Processors = Environment.ProcessorCount,
        MachineVendor = SystemHardware.OfThis.Vendor,
        MachineModel = SystemHardware.OfThis.Model,
        ProcessorVendor = MachineTraits.ProcessorVendor,
        ProcessorModel = MachineTraits.ProcessorModel,
        NumaNodes = SystemHardware.OfThis.NumaNodes,
        CgroupProcessors = SystemFacts.CgroupProcessors,
        CgroupMemoryMegabytes = SystemFacts.CgroupMemoryMegabytes,
        OperatingSystem = RuntimeInformation.OSDescription,
        Kernel = SystemFacts.Kernel,
        Governor = SystemFacts.Governor,
        ClockSource = SystemFacts.ClockSource,
        CongestionControl = MachineTraits.CongestionControl,
        Container = SystemFacts.IsContainer,
        Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
        Runtime = RuntimeInformation.FrameworkDescription,
        RuntimeSwitches = SystemFacts.RuntimeSwitches,
    }, null);

    /// <summary>The same machine with the version of the tools in a folder; null for the tools that run now.</summary>
    public static MachineDescription WithTools(this MachineDescription machine, string? folder)
    {
        (string? version, string? commit) = ToolFolder.ReadVersion(folder);
        return machine with { ToolsVersion = version, Commit = commit };
    }
}
