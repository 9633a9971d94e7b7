namespace UsersPerf;

/// <summary>
/// How soon log-ins of a thread may follow each other when they are overdue: at twice their rate from its start on, instead of all at once.
/// </summary>
/// <remarks>Log-ins that keep to the schedule never meet it: it runs ahead of them.</remarks>
/// <param name="startNanos">When the thread starts.</param>
/// <param name="gapNanos">From one of its log-ins to the next by the schedule.</param>
internal sealed class LoginPace(long startNanos, long gapNanos)
{
    private const int CatchUp = 2;

    private long _nextNanos = startNanos;

    /// <summary>When the next user logs in.</summary>
    /// <param name="dueNanos">When he should by the schedule.</param>
    public long DelayedFrom(long dueNanos) => Math.Max(dueNanos, _nextNanos);

    /// <summary>One has logged in.</summary>
    public void NoteLogin() => _nextNanos += gapNanos / CatchUp;
}
