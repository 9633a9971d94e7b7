using System.Runtime.InteropServices;
using PerfTools.Processes;
using PerfTools.Search;

namespace PerfTools.Results;

/// <summary>Where a run took place, as run.json has it: whatever figures depend on beside the options. What is not known is null.</summary>
internal sealed record MachineDescription
{
    /// <summary>Processors that the process may use.</summary>
    public required int Processors { get; init; }

    /// <summary>Who made the machine, and which it is, by its firmware.</summary>
    public string? MachineVendor { get; init; }
    public string? MachineModel { get; init; }
    public string? ProcessorVendor { get; init; }
    public string? ProcessorModel { get; init; }

    /// <summary>Nodes of memory with processors of their own.</summary>
    public int? NumaNodes { get; init; }

    /// <summary>Processor time that the control group may use, in processors.</summary>
    public double? CgroupProcessors { get; init; }

    /// <summary>Memory that the control group may use, in units of 1,048,576 bytes.</summary>
    public double? CgroupMemoryMegabytes { get; init; }
    public required string OperatingSystem { get; init; }
    public string? Kernel { get; init; }

    /// <summary>How the clock of the first processor is governed.</summary>
    public string? Governor { get; init; }
    public string? ClockSource { get; init; }

    /// <summary>Of new TCP connections.</summary>
    public string? CongestionControl { get; init; }
    public bool? Container { get; init; }
    public required string Architecture { get; init; }
    public required string Runtime { get; init; }

    /// <summary>Variables of the environment that change how the runtime works.</summary>
    public IReadOnlyDictionary<string, string>? RuntimeSwitches { get; init; }

    /// <summary>Of the tools that ran.</summary>
    public string? ToolsVersion { get; init; }

    /// <summary>What they were built of.</summary>
    public string? Commit { get; init; }

    /// <summary>What other programs used of all processors just before the run, in percent.</summary>
    public double? LoadBeforePercent { get; init; }

    /// <summary>What other programs used of all processors during the run, in percent; null when it is not known.</summary>
    public double? ForeignPercent { get; init; }

    public static MachineDescription Current { get; } = new MachineDescription
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
    }.WithTools(null);

    /// <summary>The same with the version of the tools in a folder; null for those that run.</summary>
    public MachineDescription WithTools(string? folder)
    {
        (string? version, string? commit) = ToolFolder.ReadVersion(folder);
        return this with { ToolsVersion = version, Commit = commit };
    }
}
