namespace PerfTools.Results.Documents;

/// <summary>The machine of a run, as run.json has it: what figures depend on besides the options. Unknown facts are null.</summary>
public sealed record MachineDescription
{
    /// <summary>Maximum share of a machine that other processes may use during a run with meaningful figures.</summary>
    public const double MaxForeignShare = 0.2;

    /// <summary>Processors that the process may use.</summary>
    public required int Processors { get; init; }

    /// <summary>The vendor of the machine, by its firmware.</summary>
    public string? MachineVendor { get; init; }

    /// <summary>The model of the machine, by its firmware.</summary>
    public string? MachineModel { get; init; }

    /// <summary>The vendor of the processor.</summary>
    public string? ProcessorVendor { get; init; }

    /// <summary>The processor's model.</summary>
    public string? ProcessorModel { get; init; }

    /// <summary>Number of memory nodes with processors.</summary>
    public int? NumaNodes { get; init; }

    /// <summary>CPU time that the control group may use, in processors.</summary>
    public double? CgroupProcessors { get; init; }

    /// <summary>Memory that the control group may use, in units of 1,048,576 bytes.</summary>
    public double? CgroupMemoryMegabytes { get; init; }

    /// <summary>The operating system, as the runtime names it.</summary>
    public required string OperatingSystem { get; init; }

    /// <summary>The kernel's version.</summary>
    public string? Kernel { get; init; }

    /// <summary>The frequency governor of the first processor.</summary>
    public string? Governor { get; init; }

    /// <summary>The clock source of the kernel.</summary>
    public string? ClockSource { get; init; }

    /// <summary>The congestion control of new TCP connections.</summary>
    public string? CongestionControl { get; init; }

    /// <summary>True in a container.</summary>
    public bool? Container { get; init; }

    /// <summary>Architecture of the processor, as the runtime names it.</summary>
    public required string Architecture { get; init; }

    /// <summary>The runtime and its version.</summary>
    public required string Runtime { get; init; }

    /// <summary>Environment variables that change the behaviour of the runtime.</summary>
    public IReadOnlyDictionary<string, string>? RuntimeSwitches { get; init; }

    /// <summary>Version of the tools that ran.</summary>
    public string? ToolsVersion { get; init; }

    /// <summary>Commit of the tools.</summary>
    public string? Commit { get; init; }

    /// <summary>CPU use of other processes just before the run, in percent of all processors.</summary>
    public double? LoadBeforePercent { get; init; }

    /// <summary>CPU use of other processes during the run, in percent of all processors; null when it is not known.</summary>
    public double? ForeignPercent { get; init; }
}
