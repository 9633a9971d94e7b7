using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Processes;

/// <summary>Creates the result of a role for run.json.</summary>
internal static class RoleOutcome
{
    /// <summary>The result of a role that was started.</summary>
    public static RoleResult Of(string name, string tool, RoleFiles files, RoleProcess process, JsonElement? final)
    {
        JsonView figures = new(final);
        return new()
        {
            Name = name,
            Tool = tool,
            Command = (process.Command with { Arguments = RoleArguments.HideSecrets(process.Command.Arguments) }).ToString(),
            ExitCode = process.HasExited ? process.ExitCode : null,
            CpuCorePercent = figures.Number("resources.steady.coreCpuPercent") ?? figures.Number("resources.coreCpuPercent.avg"),
            MemoryMegabytes = figures.Number("resources.memoryMegabytes.max"),
            Files = files,
            Figures = RoleFigure.ReadAll(final),
            Final = RoleFigure.WithoutCatalogue(final),
        };
    }

    /// <summary>The result of a running role that was used as it is: only its address is known.</summary>
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
