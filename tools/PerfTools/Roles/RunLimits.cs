namespace PerfTools.Roles;

/// <summary>How long a run waits for its roles; nothing waits without one of these.</summary>
internal sealed record RunLimits
{
    /// <summary>From the start of the server to the line that names its port.</summary>
    public TimeSpan Port { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>From the start of the client to its own end.</summary>
    public required TimeSpan Client { get; init; }

    /// <summary>From the end of one role to that of the other when it ends by itself, and from Ctrl+C to the signal that repeats it.</summary>
    public TimeSpan Farewell { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>From SIGTERM to the end of a role; then it is killed.</summary>
    public TimeSpan Terminate { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Between two looks at the figures.</summary>
    public TimeSpan Look { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Limits of a run whose client needs up to <paramref name="seconds"/> to start and as long to measure.</summary>
    public static RunLimits For(int seconds) => new() { Client = TimeSpan.FromSeconds((2.0 * seconds) + 30) };
}
