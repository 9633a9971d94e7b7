using PerfCommon;
using PerfTools.Hosting.Running;
using PerfTools.Results;

namespace PerfTools.Processes;

/// <summary>What the end of a role means to the run.</summary>
internal static class RoleEnd
{
    private const int MaxQuotedChars = 256;

    /// <summary>True for exit code 0, and for that of a signal when the run sent it.</summary>
    public static bool IsGood(RoleProcess role) =>
        role.ExitCode == 0 || (role.WasAskedToEnd && !role.WasKilled && role.ExitCode is (int)ExitCode.Terminated or (int)ExitCode.Interrupted);

    /// <summary>The failure that a role's end is: its own exit code where that is one of ours, and its last word.</summary>
    /// <param name="role">A role that has exited.</param>
    /// <param name="otherwise">The exit code when the role's says nothing.</param>
    /// <param name="how">What is wrong with its end, when the exit code does not say it.</param>
    public static RunFailure Describe(RoleProcess role, ExitCode otherwise, string? how = null)
    {
        ExitCode code = role.ExitCode is > 0 and <= (int)ExitCode.OutputFile ? (ExitCode)role.ExitCode : otherwise;
        string end = how is null ? "ended" : how;
        return new(code, $"{role.Command.Role} {end} with exit code {role.ExitCode}{Quote(role)}");
    }

    /// <summary>The last line of its stderr behind a colon; empty when there is none.</summary>
    public static string Quote(RoleProcess role) =>
        role.LastErrorLine is { } line ? ": " + PrintableText.From(line, MaxQuotedChars) : "";
}
