using System.Diagnostics;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Processes;

/// <summary>How long a run waits for its roles; nothing waits without one of these.</summary>
internal sealed record RunLimits
{
    /// <summary>From the start of a role that listens to the line that names its port; one that ends earlier is seen at once.</summary>
    public TimeSpan Port { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>From the start of the last role to the end of those that end by themselves.</summary>
    public required TimeSpan Run { get; init; }

    /// <summary>
    /// From the end of one role to that of the other when it ends by itself, and from Ctrl+C to the end of their standard input, which
    /// repeats it.
    /// </summary>
    public TimeSpan Farewell { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>From the end of a role's standard input, which asks it to end, to SIGTERM, which asks again.</summary>
    public TimeSpan Ask { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From SIGTERM to the end of a role; then it is killed.</summary>
    public TimeSpan Terminate { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Between two looks at the figures.</summary>
    public TimeSpan Look { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Limits of a run of <paramref name="seconds"/>: twice that time, and a minute and a half for the start on a loaded machine.</summary>
    public static RunLimits For(int seconds) => new() { Run = TimeSpan.FromSeconds((2.0 * seconds) + 90) };
}

/// <summary>A wait that ends.</summary>
internal readonly struct Deadline(TimeSpan limit)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>True when the time is over.</summary>
    public bool HasPassed => Stopwatch.GetElapsedTime(_start) >= limit;

    /// <summary>The next piece of the wait: one step, or less near the end.</summary>
    public TimeSpan Next(TimeSpan step)
    {
        TimeSpan left = limit - Stopwatch.GetElapsedTime(_start);
        return left < TimeSpan.Zero ? TimeSpan.Zero : left < step ? left : step;
    }
}

/// <summary>The user's wish to end the run early.</summary>
/// <param name="Code">What the program exits with because of it; null while there is none.</param>
/// <param name="Requested">Cancelled by the wish.</param>
internal sealed record StopRequest(Func<ExitCode?> Code, CancellationToken Requested)
{
    /// <summary>Why, where it is not the user's; null for the user's.</summary>
    public Func<string?> Reason { get; init; } = () => null;

    /// <summary>A run that nobody interrupts.</summary>
    public static StopRequest None { get; } = new(() => null, CancellationToken.None);

    /// <summary>The wish said by SIGINT or SIGTERM.</summary>
    public static StopRequest By(RunSignals signals) => new(() => signals.Code, signals.StopRequested);
}
