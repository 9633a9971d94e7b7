using PerfCommon;

namespace PerfTools.Ranks;

/// <summary>
/// Finds ranks whose program has stopped without a message: each rank writes a rising number into a small file while it runs, and the others check
/// that it rises.
/// </summary>
/// <remarks><see cref="Beat"/> may be called by another thread than <see cref="FindSilent"/>.</remarks>
/// <param name="meeting">The rendezvous.</param>
/// <param name="time">The clock of this rank, by which its waits are measured; the clocks of the others do not matter.</param>
internal sealed class RankPulse(Rendezvous meeting, TimeProvider time)
{
    /// <summary>Time after which a rank whose number has not changed is considered to be gone.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Dictionary<int, (long Number, long SeenAt)> _seen = [];
    private long _beats;

    /// <summary>Shows the others that this rank runs. A file that cannot be written is tried again the next time.</summary>
    public void Beat()
    {
        try
        {
            meeting.PublishBeat(Interlocked.Increment(ref _beats));
        }
        catch (SetupException)
        {
            // the others find it silent if this goes on
        }
    }

    /// <summary>Finds a rank that was heard of before and has been silent for <see cref="Limit"/>, unless it is done; null for none.</summary>
    /// <param name="others">The ranks that are looked at.</param>
    public int? FindSilent(IEnumerable<int> others)
    {
        foreach (int rank in others)
        {
            if (meeting.FindBeat(rank) is not { } number)
                continue;
            if (!_seen.TryGetValue(rank, out (long Number, long SeenAt) last) || last.Number != number)
                _seen[rank] = (number, time.GetTimestamp());
            else if (time.GetElapsedTime(last.SeenAt) > Limit && !meeting.AreDone([rank]))
                return rank;
        }

        return null;
    }
}
