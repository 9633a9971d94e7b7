namespace PerfTools.Hosting.Reporting;

/// <summary>What a program tells its caller with its exit code; one meaning for all of our programs.</summary>
internal enum ExitCode
{
    /// <summary>The run did what was asked; also help and version.</summary>
    Success = 0,

    /// <summary>A defect of ours.</summary>
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

/// <summary>What exit codes have in common.</summary>
internal static class ExitCodes
{
    /// <summary>True for those of a run that a signal ended.</summary>
    public static bool IsOfSignal(this ExitCode code) => code is ExitCode.HungUp or ExitCode.Interrupted or ExitCode.Terminated;

    /// <summary>The code of a failure that somebody else wrote down: one of ours, or that of a defect.</summary>
    public static ExitCode OrDefect(this ExitCode code) =>
        code != ExitCode.Success && Enum.IsDefined(code) ? code : ExitCode.InternalError;
}
