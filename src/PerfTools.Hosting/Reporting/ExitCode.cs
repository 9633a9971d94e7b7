namespace PerfTools.Hosting.Reporting;

/// <summary>The result that a program returns to its caller; all of our programs use the same codes.</summary>
internal enum ExitCode
{
    /// <summary>The run did what was asked; also help and version.</summary>
    Success = 0,

    /// <summary>An internal error.</summary>
    InternalError = 1,

    /// <summary>The command line was not understood or contradicts itself.</summary>
    CommandLine = 2,

    /// <summary>An input file (message data, item list, dictionary, certificate, configuration) cannot be used.</summary>
    InputFile = 3,

    /// <summary>The run could not start: bind, connect, handshake, login, or the service never came up.</summary>
    NotStarted = 4,

    /// <summary>The run started and did not complete: connection lost, images missing, verification failed.</summary>
    Incomplete = 5,

    /// <summary>A threshold given with <c>-assert</c> was missed.</summary>
    AssertionMissed = 6,

    /// <summary>An output could not be created or written.</summary>
    OutputFile = 7,

    /// <summary>SIGHUP; everything was written.</summary>
    HungUp = 129,

    /// <summary>Ended by SIGINT (Ctrl+C) after everything was written.</summary>
    Interrupted = 130,

    /// <summary>Ended by SIGTERM after everything was written.</summary>
    Terminated = 143,
}

/// <summary>Classifies exit codes.</summary>
internal static class ExitCodes
{
    /// <summary>True for the codes of a run that a signal ended.</summary>
    public static bool IsOfSignal(this ExitCode code) => code is ExitCode.HungUp or ExitCode.Interrupted or ExitCode.Terminated;

    /// <summary>Returns a code read from a file: one of ours, or else that of an internal error.</summary>
    public static ExitCode OrDefect(this ExitCode code) =>
        code != ExitCode.Success && Enum.IsDefined(code) ? code : ExitCode.InternalError;
}
