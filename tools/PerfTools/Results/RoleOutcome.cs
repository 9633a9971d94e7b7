using System.Text.Json;
using PerfTools.Roles;

namespace PerfTools.Results;

/// <summary>What one role left behind.</summary>
/// <param name="Role">Its name.</param>
/// <param name="Command">How it was started, without passwords.</param>
/// <param name="ExitCode">Its exit code; null when it was not seen to end.</param>
/// <param name="Final">Its final figures, as it wrote them; null when there are none.</param>
internal sealed record RoleOutcome(string Role, string Command, int? ExitCode, JsonElement? Final)
{
    /// <summary>The outcome of a role that was started.</summary>
    public static RoleOutcome? Of(RoleProcess? role, JsonElement? final) => role is null
        ? null
        : new(
            role.Command.Role,
            (role.Command with { Arguments = SecretArguments.Hide(role.Command.Arguments) }).ToString(),
            role.HasExited ? role.ExitCode : null,
            final);
}
