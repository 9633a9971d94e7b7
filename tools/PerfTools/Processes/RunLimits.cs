using System.Diagnostics;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Processes;

/// <summary>The timeouts of a run for its roles; every wait has one of these.</summary>
internal sealed record RunLimits
{
    /// <summary>From the start of a role that listens to the line with its port; an earlier exit is detected at once.</summary>
    public TimeSpan Port { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>From the start of the last role to the end of those that end by themselves.</summary>
    public required TimeSpan Run { get; init; }

    /// <summary>
    /// From the end of one role to that of the other when it ends by itself, and from Ctrl+C to the end of their standard input, which
    /// repeats it.
    /// </summary>
    public TimeSpan Farewell { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>From the end of a role's standard input, the first request to end, to SIGTERM, the second.</summary>
    public TimeSpan Ask { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From SIGTERM to the end of a role; then it is killed.</summary>
    public TimeSpan Terminate { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The interval at which the figures are read.</summary>
    public TimeSpan Look { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Limits of a run of <paramref name="seconds"/>: twice that time, and a minute and a half for the start on a loaded machine.</summary>
    public static RunLimits For(int seconds) => new() { Run = TimeSpan.FromSeconds((2.0 * seconds) + 90) };
}

/// <summary>A bounded wait.</summary>
internal readonly struct Deadline(TimeSpan limit)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>True when the time has elapsed.</summary>
    public bool HasPassed => Stopwatch.GetElapsedTime(_start) >= limit;

    /// <summary>The next piece of the wait: one step, or less near the end.</summary>
    public TimeSpan Next(TimeSpan step)
    {
        TimeSpan left = limit - Stopwatch.GetElapsedTime(_start);
        return left < TimeSpan.Zero ? TimeSpan.Zero : left < step ? left : step;
    }
}

/// <summary>A request to end the run early.</summary>
/// <param name="Code">The exit code that it causes; null while there is no request.</param>
/// <param name="Requested">Cancelled by the request.</param>
internal sealed record StopRequest(Func<ExitCode?> Code, CancellationToken Requested)
{
    /// <summary>The reason for a request that is not the user's; null for the user's.</summary>
    public Func<string?> Reason { get; init; } = () => null;

    /// <summary>A request that is never made.</summary>
    public static StopRequest None { get; } = new(() => null, CancellationToken.None);

    /// <summary>A request by SIGINT or SIGTERM.</summary>
    public static StopRequest By(RunSignals signals) => new(() => signals.Code, signals.StopRequested);
}
