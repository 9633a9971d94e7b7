using PerfTools.Hosting.Running;

namespace PerfTools.Processes;

/// <summary>The user's wish to end the run early.</summary>
/// <param name="Code">What the program exits with because of it; null while there is none.</param>
/// <param name="Requested">Cancelled by the wish.</param>
internal sealed record StopRequest(Func<ExitCode?> Code, CancellationToken Requested)
{
    /// <summary>A run that nobody interrupts.</summary>
    public static StopRequest None { get; } = new(() => null, CancellationToken.None);

    /// <summary>The wish said by SIGINT or SIGTERM.</summary>
    public static StopRequest By(RunSignals signals) => new(() => signals.Code, signals.StopRequested);
}
