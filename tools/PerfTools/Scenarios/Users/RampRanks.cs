using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios.Users;

/// <summary>
/// One rank's part in a ramp of several: joins the rendezvous, detects the failure of another rank, waits for those that need its roles.
/// </summary>
/// <param name="meeting">The rendezvous.</param>
/// <param name="place">The roles of each rank.</param>
/// <param name="options">The timeouts.</param>
/// <param name="time">The wall clock of this rank; null for that of this machine.</param>
internal sealed class RampRanks(Rendezvous meeting, RankPlacement place, RankOptions options, TimeProvider? time = null) : IDisposable
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly RankClocks _clocks = new(meeting, time ?? TimeProvider.System);
    private readonly RankWatch _watch = new(meeting, options);

    public Rendezvous Rendezvous => meeting;

    public RankPlacement Place => place;

    /// <summary>The wall clock of this rank, compared with that of rank 0 before the start.</summary>
    public RankClock Clock => _clocks.Own;

    private int Own => meeting.Own.Rank;

    /// <inheritdoc cref="RankWatch.Join"/>
    public StopRequest Join(StopRequest user) => _watch.Join(user);

    /// <summary>True when the users of another rank have ended the ramp before its last step.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Checks, once per second, whether another rank has failed, or has ended the ramp.</summary>
    public void LookAround()
    {
        if (_watch.LookAround())
            IsOver |= meeting.IsOver();
    }

    /// <summary>Waits until another rank has announced the address of the hub; null when it did not.</summary>
    public RolePlace? WaitForHub(RoleGroup group)
    {
        RolePlace? found = null;
        Wait(group, () => (found = meeting.FindPlace(UsersOptions.HubRole)) is not null, _watch.Patience,
            () => meeting.AreAllThere() ? $"rank {place.Hub()} named no hub within {options.MeetSeconds} s" : meeting.DescribeAbsent());
        return found;
    }

    /// <summary>Waits until all ranks are present; false when one is missing.</summary>
    public bool WaitForAll(RoleGroup group) => _watch.WaitForAll(group);

    /// <summary>
    /// Announces that this rank's roles are ready; rank 0 waits until all are and announces the start, the others wait for that.
    /// </summary>
    /// <param name="group">The roles that are watched meanwhile.</param>
    /// <param name="startIn">The minimum time from then to the first log-in.</param>
    /// <param name="show">Receives messages for people.</param>
    /// <returns>The time of the first log-in, by the clock of this rank; null after a failure.</returns>
    public DateTime? Synchronize(RoleGroup group, TimeSpan startIn, Action<string> show)
    {
        if (Own > 0 && !Wait(group, _clocks.Ask, _watch.Patience + _watch.Patience, () => "rank 0 named no start"))
            return null;
        meeting.PublishWallClock(Clock);
        meeting.PublishReady();
        if (Own == 0 && !TryGather(group, startIn, show))
            return null;
        DateTime? start = null;
        Wait(group, () => (start = meeting.FindStart()?.Utc) is not null, _watch.Patience + _watch.Patience, () => "rank 0 named no start");
        return start + Clock.StepShift;
    }

    /// <summary>
    /// Serves until those that need it have left: sources until all users have left, the hub until all roles of other ranks have ended.
    /// </summary>
    /// <param name="group">The roles; those that are no longer needed are ended.</param>
    /// <param name="share">The roles of this rank.</param>
    /// <param name="rest">The time to the end of the ramp.</param>
    public void Serve(RoleGroup group, RampShare share, TimeSpan rest)
    {
        if (group.Failure is not null)
            return;
        if (share.Users.Count > 0)
            meeting.PublishLeft();
        if (share.HasHub || share.Sources.Count > 0)
            Wait(group, () => meeting.HaveLeft(place.Users()), rest + _watch.Farewell, null);
        if (!share.HasHub || group.Failure is not null)
            return;
        group.EndAllBut(1);
        int[] others = [.. place.Sources().Concat(place.Users()).Distinct().Where(rank => rank != Own)];
        Wait(group, () => meeting.AreDone(others), _watch.Farewell, null);
    }

    /// <inheritdoc cref="RankWatch.PublishFailure"/>
    public void PublishFailure(RunFailure? failure) => _watch.PublishFailure(failure);

    /// <summary>Waits, on rank 0, until all others are done, as long as they can still finish.</summary>
    /// <param name="stop">Cancels the wait.</param>
    public void WaitForOthers(CancellationToken stop) => _watch.WaitForDone(_watch.Others, stop);

    public void Dispose() => _watch.Dispose();

    private bool TryGather(RoleGroup group, TimeSpan startIn, Action<string> show)
    {
        if (meeting.FindOtherVersion() is { } odd)
        {
            group.RecordFailure(new(ExitCode.NotStarted, odd));
            return false;
        }

        if (!Wait(group, AreReady, _watch.Patience, () => meeting.DescribeUnready(_watch.All)))
            return false;
        if (_watch.Others.Any(rank => meeting.FindWallClock(rank)?.OffsetMicros is null) && meeting.FindClockApart() is { } apart)
            show(apart);
        TimeSpan asked = TimeSpan.FromSeconds(options.StartInSeconds);
        meeting.PublishStart(new(_time.GetUtcNow().UtcDateTime + (asked > startIn ? asked : startIn)));
        return true;
    }

    // Until they are, the others compare their clocks with that of this rank.
    private bool AreReady()
    {
        _clocks.Answer();
        return meeting.AreReady(_watch.All);
    }

    private bool Wait(RoleGroup group, Func<bool> isReached, TimeSpan limit, Func<string>? describe) => group.ServeUntil(
        () =>
        {
            LookAround();
            return isReached();
        },
        limit, describe);
}
