namespace PerfCommon;

/// <summary>The part of a set-up that cannot be used.</summary>
public enum SetupProblem
{
    /// <summary>The options contradict each other or cannot be satisfied here.</summary>
    CommandLine,

    /// <summary>An input file (message data, item list, dictionary, certificate, password).</summary>
    InputFile,

    /// <summary>The connection to the peer: bind, connect, log in.</summary>
    NotStarted,

    /// <summary>An output file.</summary>
    OutputFile,
}

/// <summary>Reports a set-up that cannot be used: thrown before anything starts, with a printable sentence.</summary>
/// <param name="problem">The part that cannot be used.</param>
/// <param name="message">One sentence, with file and line where there is one.</param>
/// <param name="innerException">The cause; null for none.</param>
public sealed class SetupException(SetupProblem problem, string message, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>The part of the set-up that cannot be used.</summary>
    public SetupProblem Problem { get; } = problem;
}
