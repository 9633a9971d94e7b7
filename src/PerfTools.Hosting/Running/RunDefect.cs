using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>What an exception makes of a run: its exit code and sentence and, when it is a defect of ours, a crash file.</summary>
internal static class RunDefect
{
    /// <summary>The outcome of a run that the exception ended.</summary>
    /// <param name="tool">Name of the program, first part of the crash file's name.</param>
    /// <param name="cause">A set-up that cannot be used is no defect and leaves no file.</param>
    /// <param name="where">What it ended, in front of the sentence; empty for the program.</param>
    public static RunOutcome Describe(string tool, Exception cause, string where = "") => cause is SetupException problem
        ? new RunOutcome(CodeOf(problem.Problem), problem.Message)
        : new RunOutcome(ExitCode.InternalError, $"internal error: {where}{TextOf(cause)}; {WriteCrashFile(tool, cause)}");

    /// <summary>True for an allocation that failed: no defect, but a limit that was reached.</summary>
    public static bool IsOfMemory(Exception cause) => cause is OutOfMemoryException or { InnerException: OutOfMemoryException };

    /// <summary>The outcome of a run that one ended.</summary>
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
        catch (Exception cause) when (FileTrouble.IsMeantBy(cause))
        {
            return $"details could not be written to {path}";
        }
    }
}
