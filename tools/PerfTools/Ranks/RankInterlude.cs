using PerfTools.Processes;
using PerfTools.Verdicts;

namespace PerfTools.Ranks;

/// <summary>Between two runs of the same ranks: rank 0 says whether the next one begins, the others wait for that.</summary>
/// <param name="meeting">The rendezvous of the run that has ended.</param>
/// <param name="watch">The waits of this rank.</param>
internal sealed class RankInterlude(Rendezvous meeting, RankWatch watch)
{
    // Rank 0 may still write its report; that it runs shows by its pulse.
    private static readonly TimeSpan Margin = TimeSpan.FromMinutes(10);

    /// <summary>Announces it, on rank 0, and waits until the others know where they read it at its port.</summary>
    /// <param name="failure">Why no run follows; null when the next one does.</param>
    /// <param name="readers">The ranks that read it at the port of this one.</param>
    public void Announce(RunFailure? failure, IEnumerable<int> readers)
    {
        int[] others = [.. readers];
        meeting.PublishNext(failure);
        watch.WaitInFarewell(() => meeting.HaveHeard(others), CancellationToken.None);
    }

    /// <summary>Waits, on another rank than the first, for what rank 0 announces.</summary>
    /// <param name="run">The time that the run may take on rank 0 after it has ended here.</param>
    /// <returns>Why no run follows; null when the next one does.</returns>
    public RunFailure? Wait(TimeSpan run)
    {
        RendezvousNext? next = null;
        using RoleGroup waiting = new(new RunLimits { Run = watch.Patience }, watch.Joined);
        watch.Wait(waiting, () => (next = meeting.FindNext()) is not null, watch.Patience + run + watch.Farewell + Margin,
            () => "rank 0 did not say whether the next run begins");
        if (waiting.Failure is { } failure)
        {
            watch.PublishFailure(failure);
            return failure;
        }

        meeting.PublishHeard();
        return next!.Failure is { } reason ? new(Rendezvous.CodeOf(reason.Code), $"{Rendezvous.EndedBy}0: {reason.Reason}") : null;
    }
}
