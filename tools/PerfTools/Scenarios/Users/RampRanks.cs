using System.Diagnostics;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios.Users;

/// <summary>
/// One rank's part in a ramp of several: meets the others, hears when one of them fails, waits for those that need what it serves.
/// </summary>
/// <param name="meeting">Where they meet.</param>
/// <param name="place">Which ranks have what.</param>
/// <param name="options">How long it waits.</param>
internal sealed class RampRanks(Meeting meeting, RankPlacement place, RankOptions options) : IDisposable
{
    private const int FarewellSeconds = 60;
    private static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _stop = new();
    private CancellationTokenRegistration _user;
    private RunFailure? _stopped;
    private long _lookedAt = Stopwatch.GetTimestamp();

    public Meeting Meeting => meeting;

    public RankPlacement Place => place;

    private int Own => meeting.Own.Rank;

    private TimeSpan Patience => TimeSpan.FromSeconds(options.MeetSeconds);

    // From the end of the ramp to that of a rank that should have followed.
    private TimeSpan Farewell => TimeSpan.FromSeconds(Math.Min(FarewellSeconds, options.MeetSeconds));

    private IEnumerable<int> All => Enumerable.Range(0, meeting.Own.Ranks);

    /// <summary>The user's wish to end, or that of a rank that failed.</summary>
    public StopRequest Join(StopRequest user)
    {
        _user = user.Requested.Register(_stop.Cancel);
        return new StopRequest(() => user.Code() ?? _stopped?.Code,
            _stop.Token)
        { Reason = () => user.Code() is null ? _stopped?.Reason : null };
    }

    /// <summary>True when the users of another rank have come to the end of the ramp ahead of its last step.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Looks, once a second, whether another rank has failed, or is over.</summary>
    public void LookAround()
    {
        if (_stopped is not null || Stopwatch.GetElapsedTime(_lookedAt) < Look)
            return;
        _lookedAt = Stopwatch.GetTimestamp();
        _stopped = meeting.FindStop();
        IsOver |= meeting.IsOver();
        if (_stopped is not null)
            _stop.Cancel();
    }

    /// <summary>Waits until another rank has said where the hub is; null when it did not.</summary>
    public HubPlace? WaitForHub(RoleGroup group)
    {
        HubPlace? found = null;
        Wait(group, () => (found = meeting.FindHub()) is not null, Patience,
            () => meeting.AreAllThere() ? $"rank {place.Hub} named no hub within {options.MeetSeconds} s" : meeting.DescribeAbsent());
        return found;
    }

    /// <summary>Waits until all ranks are there; false when one is missing.</summary>
    public bool WaitForAll(RoleGroup group) => Wait(group, meeting.AreAllThere, Patience, meeting.DescribeAbsent);

    /// <summary>
    /// Says that this rank's roles are ready; rank 0 waits until all are and tells the start, the others wait for that.
    /// </summary>
    /// <param name="group">The roles that are served meanwhile.</param>
    /// <param name="startIn">Least time from there to the first log-in.</param>
    /// <param name="show">Gets what is to be told.</param>
    /// <returns>When the first user logs in; null when something went wrong.</returns>
    public DateTime? Meet(RoleGroup group, TimeSpan startIn, Action<string> show)
    {
        meeting.TellReady();
        if (Own == 0 && !TryGather(group, startIn, show))
            return null;
        DateTime? start = null;
        Wait(group, () => (start = meeting.FindStart()) is not null, Patience + Patience, () => "rank 0 named no start");
        return start;
    }

    /// <summary>
    /// Serves until those have left that need it: sources until all users have, the hub until all roles of others have ended.
    /// </summary>
    /// <param name="group">The roles; those that nobody needs any longer are ended.</param>
    /// <param name="share">Which of them are here.</param>
    /// <param name="rest">Time to the end of the ramp.</param>
    public void Serve(RoleGroup group, RampShare share, TimeSpan rest)
    {
        if (group.Failure is not null)
            return;
        if (share.Users.Count > 0)
            meeting.TellLeft();
        if (share.HasHub || share.Sources.Count > 0)
            Wait(group, () => meeting.HaveLeft(place.Users), rest + Farewell, null);
        if (!share.HasHub || group.Failure is not null)
            return;
        group.EndAllBut(1);
        int[] others = [.. place.Sources.Concat(place.Users).Distinct().Where(rank => rank != Own)];
        Wait(group, () => meeting.AreDone(others), Farewell, null);
    }

    /// <summary>Tells everybody to end when this rank failed by itself.</summary>
    public void TellFailure(RunFailure? failure)
    {
        if (failure is not null && _stopped is null)
            meeting.TellStop(failure);
    }

    /// <summary>Of rank 0: waits until all others are done, as long as there is hope.</summary>
    /// <param name="stop">The user's wish not to wait.</param>
    public void WaitForOthers(CancellationToken stop)
    {
        int[] others = [.. Enumerable.Range(0, meeting.Own.Ranks).Where(rank => rank != Own)];
        Deadline deadline = new(Farewell);
        while (!meeting.AreDone(others) && !deadline.HasPassed && !stop.WaitHandle.WaitOne(deadline.Next(Look / 5)))
        {
        }
    }

    public void Dispose()
    {
        _user.Dispose(); // ahead of what it would cancel
        _stop.Dispose();
    }

    private bool TryGather(RoleGroup group, TimeSpan startIn, Action<string> show)
    {
        if (meeting.FindOtherVersion() is { } odd)
        {
            group.NoteFailure(new(ExitCode.NotStarted, odd));
            return false;
        }

        if (!Wait(group, () => meeting.AreReady(All), Patience, () => meeting.DescribeUnready(All)))
            return false;
        if (meeting.FindClockApart() is { } apart)
            show(apart);
        TimeSpan asked = TimeSpan.FromSeconds(options.StartInSeconds);
        meeting.TellStart(DateTime.UtcNow + (asked > startIn ? asked : startIn));
        return true;
    }

    private bool Wait(RoleGroup group, Func<bool> isReached, TimeSpan limit, Func<string>? describe) => group.ServeUntil(
        () =>
        {
            LookAround();
            return isReached();
        },
        limit, describe);
}
