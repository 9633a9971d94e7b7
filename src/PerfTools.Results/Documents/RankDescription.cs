using System.Text.Json.Serialization;

namespace PerfTools.Results.Documents;

/// <summary>
/// One of the processes that made a run together, and its machine: the file by which it registers, and a member of run.json.
/// </summary>
public sealed record RankDescription
{
    /// <summary>Number of the rank, from 0.</summary>
    public required int Rank { get; init; }

    /// <summary>Number of ranks of the run.</summary>
    public required int Ranks { get; init; }

    /// <summary>The machine's name.</summary>
    public required string Host { get; init; }

    /// <summary>The address at which the others reach it.</summary>
    public required string Address { get; init; }

    /// <summary>Its roles.</summary>
    public required IReadOnlyList<string> Roles { get; init; }

    /// <summary>When it registered, by its own clock.</summary>
    public required DateTime Utc { get; init; }

    /// <summary>Version of its tools.</summary>
    public string? ToolsVersion { get; init; }

    /// <summary>Commit of its tools.</summary>
    public string? Commit { get; init; }

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

    /// <summary>Processors that it may use.</summary>
    public int Processors { get; init; }

    /// <summary>Memory that it may use, in units of 1,048,576 bytes.</summary>
    public double MemoryMegabytes { get; init; }

    /// <summary>The operating system, as the runtime names it.</summary>
    public string? OperatingSystem { get; init; }

    /// <summary>The kernel's version.</summary>
    public string? Kernel { get; init; }

    /// <summary>The network card of <see cref="Address"/>: name, driver, and the speed of its link where it has one.</summary>
    public string? NetworkCard { get; init; }

    /// <summary>Open files, the hard limit; null where it is not known.</summary>
    public long? MaxFiles { get; init; }

    /// <summary>Local ports; null where it is not known.</summary>
    public int? LocalPorts { get; init; }

    /// <summary>
    /// CPU use of processes outside the run on its machine in each step, in percent of all processors; absent before the end.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<double?>? StepForeignPercent { get; init; }
}
