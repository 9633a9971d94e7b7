using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;

namespace PerfTools.Ranks;

/// <summary>The beginning of a run over several ranks: all are present, know each other's clocks, and rank 0 has prepared the folder.</summary>
/// <param name="meeting">The rendezvous.</param>
/// <param name="watch">The waits of this rank.</param>
internal sealed class RankMeeting(Rendezvous meeting, RankWatch watch)
{
    // Half of it is about the error of the comparison of wall clocks by files. The ranks that are missing are looked for less often.
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);
    private const int LooksPerSearch = 4;

    private readonly RankClocks _clocks = new(meeting, TimeProvider.System);
    private readonly Dictionary<int, string> _identities = [];
    private readonly Dictionary<int, RankClock?> _walls = [];
    private readonly Dictionary<int, Dictionary<string, string>> _tools = [];
    private bool _isPublished;
    private int _looks;

    /// <summary>The words of the editions of the programs that <c>--tool</c> names for roles of this rank, by role.</summary>
    public Dictionary<string, string> Tools { get; init; } = [];

    /// <summary>The number that separates a round-trip test from others, where this is rank 0; null for other runs.</summary>
    public int? Domain { get; init; }

    /// <summary>The wall clock of this rank.</summary>
    public RankClock Clock => _clocks.Own;

    private bool IsFirst => meeting.Own.Rank == 0;

    /// <summary>The identity of a rank's monotonic clock: two with the same have one; null where it is not known.</summary>
    public string? IdentityOf(int rank) => _identities.GetValueOrDefault(rank);

    /// <summary>The wall clock of a rank, as it was at the beginning; null where it is not known.</summary>
    public RankClock? WallClockOf(int rank) => _walls.GetValueOrDefault(rank);

    /// <summary>The words of the editions of the programs that <c>--tool</c> names for roles of a rank, by role; none before that is known.</summary>
    public IReadOnlyDictionary<string, string> ToolsOf(int rank) => _tools.GetValueOrDefault(rank, []);

    /// <summary>Waits until the run may begin.</summary>
    /// <param name="stop">Ends the wait.</param>
    /// <param name="prepare">Prepares the run; called on rank 0 only, when all are present.</param>
    /// <returns>Why it cannot begin; null when it can.</returns>
    public RunFailure? Meet(StopRequest stop, Action prepare)
    {
        using RoleGroup waiting = new(new RunLimits { Run = watch.Patience, Look = Look }, stop);
        bool areThere = watch.Wait(waiting, AreAllKnown, watch.Patience,
            () => meeting.AreAllThere() ? Rendezvous.DescribeRanks(watch.All.Where(rank => !IsKnown(rank)), "named no clock") : meeting.DescribeAbsent());
        if (areThere && IsFirst && meeting.FindOtherVersion() is { } odd)
            waiting.RecordFailure(new(ExitCode.NotStarted, odd));
        else if (areThere && IsFirst)
            Prepare(prepare);
        else if (areThere)
            watch.Wait(waiting, () => meeting.FindStart() is not null, watch.Patience, () => "rank 0 named no start");
        watch.PublishFailure(waiting.Failure);
        return waiting.Failure;
    }

    private void Prepare(Action prepare)
    {
        prepare();
        meeting.PublishStart(new(DateTime.UtcNow, Domain));
    }

    // A rank names the identity of its clock when it has compared its wall clock: until then rank 0 answers.
    private bool AreAllKnown()
    {
        bool areThere = _looks++ % LooksPerSearch == 0 && meeting.AreAllThere();
        if (IsFirst)
            _clocks.Answer();
        if (!_isPublished && _clocks.Ask())
        {
            meeting.PublishTools(Tools);
            meeting.PublishWallClock(_clocks.Own);
            meeting.PublishClock(ClockIncarnation.Identify(meeting.RunId));
            _isPublished = true;
        }

        return areThere && watch.All.All(IsKnown);
    }

    private bool IsKnown(int rank)
    {
        if (!_identities.ContainsKey(rank) && meeting.FindClock(rank) is { } found && meeting.FindTools(rank) is { } tools)
        {
            (_identities[rank], _tools[rank]) = (found, tools);
            _walls[rank] = meeting.FindWallClock(rank) is { IsPossible: true } clock ? clock : null;
        }

        return _identities.ContainsKey(rank);
    }
}
