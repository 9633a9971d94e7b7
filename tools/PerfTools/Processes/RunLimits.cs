namespace PerfTools.Processes;

/// <summary>How long a run waits for its roles; nothing waits without one of these.</summary>
internal sealed record RunLimits
{
    /// <summary>From the start of a role that listens to the line that names its port.</summary>
    public TimeSpan Port { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>From the start of the last role to the end of those that end by themselves.</summary>
    public required TimeSpan Run { get; init; }

    /// <summary>From the end of one role to that of the other when it ends by itself, and from Ctrl+C to the signal that repeats it.</summary>
    public TimeSpan Farewell { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>From SIGTERM to the end of a role; then it is killed.</summary>
    public TimeSpan Terminate { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Between two looks at the figures.</summary>
    public TimeSpan Look { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Limits of a run whose roles need up to <paramref name="seconds"/> to start and as long to measure.</summary>
    public static RunLimits For(int seconds) => new() { Run = TimeSpan.FromSeconds((2.0 * seconds) + 30) };
}
