using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Converts an exception into the outcome of a run: exit code, sentence and, for an internal error, a crash file.</summary>
internal static class RunDefect
{
    /// <summary>Returns the outcome of a run that the exception ended.</summary>
    /// <param name="tool">Name of the program, first part of the crash file's name.</param>
    /// <param name="cause">The exception; an unusable set-up is no internal error and leaves no crash file.</param>
    /// <param name="where">The part that it ended, as a prefix of the sentence; empty for the program.</param>
    public static RunOutcome Describe(string tool, Exception cause, string where = "") => cause is SetupException problem
        ? new RunOutcome(CodeOf(problem.Problem), problem.Message)
        : new RunOutcome(ExitCode.InternalError, $"internal error: {where}{TextOf(cause)}; {WriteCrashFile(tool, cause)}");

    /// <summary>True for a failed allocation: no internal error, but a limit that was reached.</summary>
    public static bool IsOfMemory(Exception cause) => cause is OutOfMemoryException or { InnerException: OutOfMemoryException };

    /// <summary>Returns the outcome of a run that a failed allocation ended.</summary>
    public static RunOutcome DescribeMemory(string where) => new(ExitCode.Incomplete, $"{where}memory is used up");

    private static string TextOf(Exception cause) => IsOfMemory(cause) ? "out of memory" : cause.Message;

    private static ExitCode CodeOf(SetupProblem problem) => problem switch
    {
        SetupProblem.CommandLine => ExitCode.CommandLine,
        SetupProblem.InputFile => ExitCode.InputFile,
        SetupProblem.OutputFile => ExitCode.OutputFile,
        _ => ExitCode.NotStarted,
    };

    private static string WriteCrashFile(string tool, Exception defect)
    {
        string path = string.Create(CultureInfo.InvariantCulture, $"{tool}_crash_{Environment.ProcessId}.txt");
        try
        {
            File.WriteAllText(path, defect.ToString());
            return $"details in {path}";
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return $"details could not be written to {path}";
        }
    }
}
