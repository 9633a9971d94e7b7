using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>
/// Sends the posts of a thread's users, each at a constant interval from the time when its images were complete. Belongs to the thread.
/// </summary>
/// <remarks>
/// All users have the same interval, so the user who posted last is due last again: a queue keeps the order of due times. A late post is sent late,
/// up to a second; beyond that it counts as not sent.
/// </remarks>
/// <param name="posts">The posts of the users.</param>
/// <param name="recording">Where they are counted.</param>
internal sealed class UserPoster(UserPosts posts, WorkerRecording recording)
{
    private const long MaxLagNanos = Clock.NanosPerSecond;

    private readonly Queue<(User User, long Session, long DueNanos)> _due = new();

    /// <summary>When the next post is due; far in the future for none.</summary>
    public long NextDueNanos => _due.TryPeek(out (User User, long Session, long DueNanos) next) ? next.DueNanos : long.MaxValue;

    /// <summary>Adds a user who has all images.</summary>
    public void Add(User user, long nowNanos)
    {
        if (posts.IsBy(user.Number))
            _due.Enqueue((user, user.Entries, nowNanos + posts.GapNanos));
    }

    /// <summary>Sends the posts that are due.</summary>
    /// <param name="time">The thread's clock: each post is stamped when it is made.</param>
    /// <param name="unit">The unit of stamps.</param>
    public void Send(TimeSource time, LatencyUnit unit)
    {
        long now = time.NowNanos;
        while (NextDueNanos <= now)
        {
            (User user, long session, long due) = _due.Dequeue();
            if (user.Entries != session)
                continue; // the user left since: it is incomplete, or complete again with another entry
            _due.Enqueue((user, session, due + posts.GapNanos));
            recording.RecordLag(now - due);
            now = time.NowNanos;
            if (now - due > MaxLagNanos || !user.TryPost(UserPosts.Fields, (ulong)Clock.Convert(now, unit)))
                recording.Counters.Add(Counter.PostsNotSent, 1);
        }
    }
}
