using System.Runtime.InteropServices;

namespace PerfTools.Results;

/// <summary>Where a run took place, as run.json has it.</summary>
internal sealed record MachineDescription
{
    /// <summary>Processors that the process may use.</summary>
    public required int Processors { get; init; }

    /// <summary>Name and version of the system.</summary>
    public required string OperatingSystem { get; init; }

    /// <summary>Architecture of the process.</summary>
    public required string Architecture { get; init; }

    /// <summary>Name and version of the runtime.</summary>
    public required string Runtime { get; init; }

    /// <summary>This machine.</summary>
    public static MachineDescription Current { get; } = new()
    {
        Processors = Environment.ProcessorCount,
        OperatingSystem = RuntimeInformation.OSDescription,
        Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
        Runtime = RuntimeInformation.FrameworkDescription,
    };
}
