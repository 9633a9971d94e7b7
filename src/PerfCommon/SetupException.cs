namespace PerfCommon;

/// <summary>A run cannot start as asked: one sentence fit to print, and the exit code that goes with it.</summary>
/// <param name="code">What the program should exit with.</param>
/// <param name="message">What was found and what was expected, with file and line where there is one.</param>
/// <param name="innerException">The cause, when another failure is behind it.</param>
public sealed class SetupException(ExitCode code, string message, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>What the program should exit with.</summary>
    public ExitCode Code { get; } = code;
}
