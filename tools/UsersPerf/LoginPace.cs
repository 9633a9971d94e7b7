namespace UsersPerf;

/// <summary>
/// The minimum distance of a thread's overdue log-ins: from its start on at twice their rate, instead of all at once.
/// </summary>
/// <remarks>It never delays log-ins that keep to the schedule: it runs ahead of them.</remarks>
/// <param name="startNanos">When the thread starts.</param>
/// <param name="gapNanos">Time between two log-ins of the thread by the schedule.</param>
internal sealed class LoginPace(long startNanos, long gapNanos)
{
    private const int CatchUp = 2;

    private long _nextNanos = startNanos;

    /// <summary>Returns the time at which the next user logs in.</summary>
    /// <param name="dueNanos">When the user is due by the schedule.</param>
    public long DelayedFrom(long dueNanos) => Math.Max(dueNanos, _nextNanos);

    /// <summary>Records a log-in.</summary>
    public void RecordLogin() => _nextNanos += gapNanos / CatchUp;
}
