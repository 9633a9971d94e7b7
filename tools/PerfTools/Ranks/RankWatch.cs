using System.Diagnostics;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Verdicts;

namespace PerfTools.Ranks;

/// <summary>Waits of one rank for the others; a rank that fails, or is gone, ends every wait, and the run of this one.</summary>
internal sealed class RankWatch : IDisposable
{
    private const int FarewellSeconds = 60;
    private static readonly TimeSpan Look = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan BeatLimit = TimeSpan.FromSeconds(5);

    private readonly Rendezvous _meeting;
    private readonly RankOptions _options;
    private readonly RankPulse _pulse;
    private readonly Timer _beats;
    private readonly CancellationTokenSource _stop = new();
    private CancellationTokenRegistration _user;
    private RunFailure? _stopped;
    private long _lookedAt = Stopwatch.GetTimestamp();

    /// <param name="meeting">The rendezvous.</param>
    /// <param name="options">The timeouts.</param>
    /// <param name="time">The clock by which another rank is silent; null for the clock of the system.</param>
    public RankWatch(Rendezvous meeting, RankOptions options, TimeProvider? time = null)
    {
        (_meeting, _options, _pulse) = (meeting, options, new(meeting, time ?? TimeProvider.System));
        _beats = new(_ => _pulse.Beat(), null, TimeSpan.Zero, Look);
    }

    /// <summary>The time limit for what all ranks need before they can begin.</summary>
    public TimeSpan Patience => TimeSpan.FromSeconds(_options.MeetSeconds);

    /// <summary>From the end of the run to that of a rank that should have followed.</summary>
    public TimeSpan Farewell => TimeSpan.FromSeconds(Math.Min(FarewellSeconds, _options.MeetSeconds));

    /// <summary>The request of the user, or of another rank, to end this one; before <see cref="Join"/> none.</summary>
    public StopRequest Joined { get; private set; } = StopRequest.None;

    /// <summary>All ranks.</summary>
    public IEnumerable<int> All => Enumerable.Range(0, _meeting.Own.Ranks);

    /// <summary>All ranks but this one.</summary>
    public IEnumerable<int> Others => All.Where(rank => rank != _meeting.Own.Rank);

    /// <summary>Combines the user's request to end with that of a rank that failed.</summary>
    public StopRequest Join(StopRequest user)
    {
        _user = user.Requested.Register(_stop.Cancel);
        return Joined = new StopRequest(() => user.Code() ?? _stopped?.Code,
            _stop.Token)
        { Reason = () => user.Code() is null ? _stopped?.Reason : null };
    }

    /// <summary>Checks, once per second, whether another rank has failed; true when it did check.</summary>
    public bool LookAround()
    {
        if (_stopped is not null || Stopwatch.GetElapsedTime(_lookedAt) < Look)
            return false;
        _lookedAt = Stopwatch.GetTimestamp();
        if (!FindStop() && _pulse.FindSilent(Others) is { } gone)
            EndWithout(gone);
        return true;
    }

    /// <summary>Checks now whether another rank has failed; true when one has.</summary>
    public bool FindStop()
    {
        _stopped ??= _meeting.FindStop();
        if (_stopped is not null)
            _stop.Cancel();
        return _stopped is not null;
    }

    /// <summary>Waits until all ranks are present; false when one is missing.</summary>
    public bool WaitForAll(RoleGroup group) => Wait(group, _meeting.AreAllThere, Patience, _meeting.DescribeAbsent);

    /// <summary>Waits while the roles of this rank serve.</summary>
    /// <param name="group">The roles that are watched meanwhile.</param>
    /// <param name="isReached">Checks the condition; called at intervals.</param>
    /// <param name="limit">The maximum wait.</param>
    /// <param name="describe">Describes the failure when the limit passes; null when that is no failure.</param>
    /// <returns>False when something failed.</returns>
    public bool Wait(RoleGroup group, Func<bool> isReached, TimeSpan limit, Func<string>? describe) => group.ServeUntil(
        () =>
        {
            LookAround();
            return isReached();
        },
        limit, describe);

    /// <summary>Waits for an address that another rank announces.</summary>
    /// <param name="name">The name of the address.</param>
    /// <param name="problem">Describes its absence.</param>
    /// <param name="group">The roles that are watched meanwhile.</param>
    /// <returns>The address; null when something failed.</returns>
    public RolePlace? WaitForPlace(string name, string problem, RoleGroup group)
    {
        RolePlace? found = null;
        Wait(group, () => (found = _meeting.FindPlace(name)) is not null, Patience,
            () => FormattableString.Invariant($"{problem} within {_options.MeetSeconds} s"));
        return found;
    }

    /// <summary>Tells all ranks to end when this rank failed by itself.</summary>
    public void PublishFailure(RunFailure? failure)
    {
        if (failure is not null && _stopped is null)
            _meeting.PublishStop(failure);
    }

    /// <summary>Waits until others are done, as long as they can still finish: not for one that is silent.</summary>
    /// <param name="ranks">The ranks that were present.</param>
    /// <param name="stop">Cancels the wait.</param>
    public void WaitForDone(IEnumerable<int> ranks, CancellationToken stop)
    {
        List<int> others = [.. ranks.Intersect(Others)];
        WaitInFarewell(
            () =>
            {
                while (_pulse.FindSilent(others) is { } gone)
                    others.Remove(gone);
                return _meeting.AreDone(others);
            },
            stop);
    }

    /// <summary>Waits, for <see cref="Farewell"/> at most, until something holds.</summary>
    /// <param name="isReached">Checks it; called at intervals.</param>
    /// <param name="stop">Cancels the wait.</param>
    public void WaitInFarewell(Func<bool> isReached, CancellationToken stop)
    {
        Deadline deadline = new(Farewell);
        while (!isReached() && !deadline.HasPassed && !stop.WaitHandle.WaitOne(deadline.Next(Look / 5)))
        {
        }
    }

    public void Dispose()
    {
        _beats.DisposeAsync().AsTask().Wait(BeatLimit); // a beat in progress writes its file before the folder may be removed
        _user.Dispose(); // before the source that it would cancel
        _stop.Dispose();
    }

    private void EndWithout(int rank)
    {
        _stopped = new(ExitCode.Incomplete, FormattableString.Invariant($"rank {rank} was not heard of for {RankPulse.Limit.TotalSeconds:0} s"));
        _meeting.PublishStop(_stopped);
        _stop.Cancel();
    }
}
