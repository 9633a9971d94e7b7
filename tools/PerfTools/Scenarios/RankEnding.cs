using PerfTools.Processes;
using PerfTools.Ranks;

namespace PerfTools.Scenarios;

/// <summary>The order in which the roles of a run over ranks end: that of a run of one machine, wherever they are.</summary>
/// <param name="roles">The roles of the run, in the order in which they are started.</param>
/// <param name="place">The ranks of the roles.</param>
/// <param name="meeting">The rendezvous.</param>
/// <param name="watch">The waits of this rank.</param>
internal sealed class RankEnding(IReadOnlyList<Role> roles, RankPlacement place, Rendezvous meeting, RankWatch watch)
{
    /// <summary>
    /// Ends the roles of this rank, the last started first, each when all that were started after it on other ranks have ended; after a failure at once.
    /// A rank without a role waits for the roles of all others: their results follow.
    /// </summary>
    /// <param name="group">The processes.</param>
    /// <param name="started">Their roles.</param>
    /// <param name="limits">The timeouts of the run.</param>
    /// <param name="look">Called at intervals meanwhile.</param>
    public void EndAll(RoleGroup group, IReadOnlyList<Role> started, RunLimits limits, Action look)
    {
        watch.PublishFailure(group.Failure);
        TimeSpan limit = watch.Patience + limits.Run + watch.Farewell;
        if (group.Roles.Count == 0)
            watch.Wait(group, () => After(look, () => HaveEnded([.. roles.Select(role => role.Name).Where(IsElsewhere)])), limit, describe: null);
        for (int i = group.Roles.Count - 1; i >= 0; i--)
        {
            string[] later = [.. roles.SkipWhile(role => role != started[i]).Select(role => role.Name).Where(IsElsewhere)];
            watch.Wait(group, () => After(look, () => HaveEnded(later) || group.Roles.Any(HasFollowed)), limit, describe: null);
            group.EndAllBut(i);
            watch.PublishFailure(group.Failure);
            meeting.PublishEnded(started[i].Name);
        }
    }

    private bool IsElsewhere(string role) => place.RanksOf(role) is [var rank, ..] && rank != meeting.Own.Rank;

    // A role that ends after the others has ended: they have, too, wherever they are.
    private static bool HasFollowed(RoleProcess role) => role.HasExited && role.Command.Ending == RoleEnding.AfterOthers;

    // A rank that fails says so before its roles have ended.
    private bool HaveEnded(string[] others) => meeting.HaveEnded(others) && (others.Length == 0 || !watch.FindStop());

    private static bool After(Action look, Func<bool> ask)
    {
        look();
        return ask();
    }
}
