using System.Text.Json;
using PerfTools.Processes;

namespace PerfTools.Results;

/// <summary>What one role left behind, as run.json has it.</summary>
internal sealed record RoleResult
{
    /// <summary>Its name in the scenario.</summary>
    public required string Name { get; init; }

    /// <summary>Its program; null for one that was not started here.</summary>
    public required string? Tool { get; init; }

    /// <summary>How it was started, without passwords; or where it was found.</summary>
    public required string Command { get; init; }

    /// <summary>Its exit code; null when it was not seen to end.</summary>
    public required int? ExitCode { get; init; }

    /// <summary>Average processor time in percent of one core; null when it was not sampled.</summary>
    public required double? CpuCorePercent { get; init; }

    /// <summary>Highest working set, in units of 1,048,576 bytes; null when it was not sampled.</summary>
    public required double? MemoryMegabytes { get; init; }

    /// <summary>Its final figures, as it wrote them; null when there are none.</summary>
    public required JsonElement? Final { get; init; }

    /// <summary>The outcome of a role that was started.</summary>
    public static RoleResult Of(string name, string tool, RoleProcess process, JsonElement? final)
    {
        JsonView figures = new(final);
        return new()
        {
            Name = name,
            Tool = tool,
            Command = (process.Command with { Arguments = SecretArguments.Hide(process.Command.Arguments) }).ToString(),
            ExitCode = process.HasExited ? process.ExitCode : null,
            CpuCorePercent = figures.Number("resources.coreCpuPercent.avg"),
            MemoryMegabytes = figures.Number("resources.memoryMegabytes.max"),
            Final = final,
        };
    }

    /// <summary>A role that was taken as it runs: nothing is known of it but its address.</summary>
    public static RoleResult OfExternal(string name, HostAddress address) => new()
    {
        Name = name,
        Tool = null,
        Command = $"external {address}",
        ExitCode = null,
        CpuCorePercent = null,
        MemoryMegabytes = null,
        Final = null,
    };
}
