namespace PerfTools.Results.Documents;

/// <summary>Where a run took place, as run.json has it: what figures depend on besides the options. What is not known is null.</summary>
public sealed record MachineDescription
{
    /// <summary>What other programs may use of a machine during a run whose figures are to mean something, as a part of it.</summary>
    public const double MaxForeignShare = 0.2;

    /// <summary>Processors that the process may use.</summary>
    public required int Processors { get; init; }

    /// <summary>Who made the machine, and which it is, by its firmware.</summary>
    public string? MachineVendor { get; init; }

    /// <summary>Which machine it is, by its firmware.</summary>
    public string? MachineModel { get; init; }

    /// <summary>Who made the processor.</summary>
    public string? ProcessorVendor { get; init; }

    /// <summary>The processor's model.</summary>
    public string? ProcessorModel { get; init; }

    /// <summary>Nodes of memory that have processors.</summary>
    public int? NumaNodes { get; init; }

    /// <summary>Processor time that the control group may use, in processors.</summary>
    public double? CgroupProcessors { get; init; }

    /// <summary>Memory that the control group may use, in units of 1,048,576 bytes.</summary>
    public double? CgroupMemoryMegabytes { get; init; }

    /// <summary>The operating system, as the runtime names it.</summary>
    public required string OperatingSystem { get; init; }

    /// <summary>The kernel's version.</summary>
    public string? Kernel { get; init; }

    /// <summary>How the clock of the first processor is governed.</summary>
    public string? Governor { get; init; }

    /// <summary>What the kernel reads the time from.</summary>
    public string? ClockSource { get; init; }

    /// <summary>Of new TCP connections.</summary>
    public string? CongestionControl { get; init; }

    /// <summary>True in a container.</summary>
    public bool? Container { get; init; }

    /// <summary>Of the processor, as the runtime names it.</summary>
    public required string Architecture { get; init; }

    /// <summary>The runtime and its version.</summary>
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
}
