using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>Has a thread's users post, each at even distances from when he came in. Belongs to the thread.</summary>
/// <remarks>
/// All have the same distance, so who posted last comes last again: a queue is in the order of its times. What is late is sent late, up to a
/// second; beyond that it counts as not sent.
/// </remarks>
/// <param name="posts">What they post.</param>
/// <param name="recording">Where it is counted.</param>
internal sealed class UserPoster(UserPosts posts, WorkerRecording recording)
{
    private const long MaxLagNanos = Clock.NanosPerSecond;

    private readonly Queue<(User User, long Session, long DueNanos)> _due = new();

    /// <summary>When the next post is due; far away for none.</summary>
    public long NextDueNanos => _due.TryPeek(out (User User, long Session, long DueNanos) next) ? next.DueNanos : long.MaxValue;

    /// <summary>A user has all his images.</summary>
    public void Add(User user, long nowNanos)
    {
        if (posts.IsBy(user.Number))
            _due.Enqueue((user, user.Entries, nowNanos + posts.GapNanos));
    }

    /// <summary>Sends what is due.</summary>
    /// <param name="time">The thread's clock: each post is stamped when it is made.</param>
    /// <param name="unit">The unit of stamps.</param>
    public void Send(TimeSource time, LatencyUnit unit)
    {
        long now = time.NowNanos;
        while (NextDueNanos <= now)
        {
            (User user, long session, long due) = _due.Dequeue();
            if (user.Entries != session)
                continue; // he left since, and is here again by another entry or not at all
            _due.Enqueue((user, session, due + posts.GapNanos));
            recording.RecordLag(now - due);
            now = time.NowNanos;
            if (now - due > MaxLagNanos || !user.TryPost(UserPosts.Fields, (ulong)unit.FromNanos(now)))
                recording.Counters.Add(Counter.PostsNotSent, 1);
        }
    }
}
