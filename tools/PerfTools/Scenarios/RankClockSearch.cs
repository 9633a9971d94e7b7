using System.Net;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;

namespace PerfTools.Scenarios;

/// <summary>The clock by which a role corrects latencies.</summary>
/// <param name="Address">Where its probes are sent.</param>
/// <param name="Via">What passes them on from there; null where the clock itself answers.</param>
internal sealed record FoundClock(HostAddress Address, string? Via = null)
{
    /// <summary>Number of programs of all ranks that probe the clock.</summary>
    public int Programs { get; init; } = 1;
}

/// <summary>Finds the clock by which a role of this rank corrects latencies: where it answers, or where rank 0 passes on its probes if it does not.</summary>
/// <param name="stamps">Knows the clocks.</param>
/// <param name="watch">The waits of this rank.</param>
internal sealed class RankClockSearch(RankStamps stamps, RankWatch watch)
{
    private const string First = "rank 0";

    // A clock that is reached answers within milliseconds. One that is not takes some 6 s, over datagrams and a connection.
    private static readonly TimeSpan Usual = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    private readonly Dictionary<string, FoundClock> _found = [];

    /// <summary>Waits for the address of the clock, and probes it where there is another way.</summary>
    /// <param name="role">A role of this rank that corrects.</param>
    /// <param name="group">The roles that are watched meanwhile; it receives a failure.</param>
    /// <param name="show">Receives messages for people.</param>
    /// <returns>Null when something failed.</returns>
    public FoundClock? Find(Role role, RoleGroup group, Action<string> show)
    {
        string place = stamps.PlaceOf(role);
        if (!_found.ContainsKey(place) && Search(role, place, group, show) is { } found)
            _found[place] = found with { Programs = stamps.CountProbing(place) };
        return _found.GetValueOrDefault(place);
    }

    private FoundClock? Search(Role role, string place, RoleGroup group, Action<string> show)
    {
        if (WaitFor(place, FormattableString.Invariant($"rank {stamps.FindRank(role)} named no clock"), group) is not { } own)
            return null;
        stamps.CopyKey();
        if (!stamps.IsRelayed(role) || Answers(own, group))
            return new(own);
        if (WaitFor(RankStamps.RelayOf(place), $"{First} named no relay of the clock", group) is not { } relay)
            return null;
        if (Answers(relay, group))
        {
            show($"The clock of {stamps.DescribeSender(role)} does not answer at {own}: it is probed via {First} at {relay}.");
            return new(relay, First);
        }

        group.RecordFailure(new(ExitCode.NotStarted, $"the clock of {stamps.DescribeSender(role)} answers neither at {own} nor via {First} at {relay}"));
        return null;
    }

    private HostAddress? WaitFor(string place, string problem, RoleGroup group) =>
        watch.WaitForPlace(place, problem, group) is { } found ? new(found.Host, found.Port) : null;

    // On another thread: a request to end the run ends the wait.
    private bool Answers(HostAddress address, RoleGroup group)
    {
        Task<bool> asking = Task.Run(() => IsAnswered(address));
        if (!asking.Wait(Usual))
            watch.Wait(group, () => asking.IsCompleted, Limit, describe: null);
        return group.Failure is null && asking is { IsCompleted: true, Result: true };
    }

    private bool IsAnswered(HostAddress address)
    {
        try
        {
            IPEndPoint peer = PeerClock.Resolve(address.ToString());
            using ClockProber prober = ClockProber.Open(peer, ClockKey.Load(stamps.KeyFile), () => Clock.NowNanos);
            return true;
        }
        catch (SetupException)
        {
            return false;
        }
    }
}
