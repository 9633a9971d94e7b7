namespace PerfCommon;

/// <summary>Which part of a set-up cannot be used.</summary>
public enum SetupProblem
{
    /// <summary>What was asked for contradicts itself or cannot be had here.</summary>
    CommandLine,

    /// <summary>An input file (message data, item list, dictionary, certificate, password).</summary>
    InputFile,

    /// <summary>The way to the peer: bind, connect, log in.</summary>
    NotStarted,

    /// <summary>An output file.</summary>
    OutputFile,
}

/// <summary>A set-up that cannot be used: thrown before anything runs, with a sentence fit to print.</summary>
/// <param name="problem">Which part of it.</param>
/// <param name="message">One sentence, file and line included where there is one.</param>
/// <param name="innerException">What caused it; null for none.</param>
public sealed class SetupException(SetupProblem problem, string message, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>Which part of the set-up it is.</summary>
    public SetupProblem Problem { get; } = problem;
}
