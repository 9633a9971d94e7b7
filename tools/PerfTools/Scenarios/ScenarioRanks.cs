using PerfCommon;
using PerfTools.Editions;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios;

/// <summary>
/// One rank's part in a run of a scenario over several: its roles, the addresses of the others, the clock of the role that stamps, the order of the
/// end, and on rank 0 the results of all.
/// </summary>
internal sealed class ScenarioRanks : IDisposable
{
    private readonly Scenario _scenario;
    private ScenarioOptions _options;
    private readonly Rendezvous _meeting;
    private readonly RankWatch _watch;
    private readonly RankStamps _stamps;
    private readonly RankClockSearch _clocks;
    private readonly RankInterlude _interlude;
    private readonly RankMeeting _beginning;
    private readonly RankPlacement _place;
    private readonly string? _interface;
    private readonly HashSet<string> _mayStart = [];
    private Action<string> _show = _ => { };
    private ShownLines? _shown;
    private RankCertificates? _certificates;

    /// <param name="scenario">The scenario, with each process as a role.</param>
    /// <param name="options">Its options, with a placement of every role.</param>
    /// <param name="meeting">The rendezvous.</param>
    /// <param name="tools">The words of the editions of the programs that <c>--tool</c> names for roles of this rank, by role.</param>
    public ScenarioRanks(Scenario scenario, ScenarioOptions options, Rendezvous meeting, Dictionary<string, string>? tools = null)
    {
        (_scenario, _options, _meeting, _place) = (scenario, options, meeting, options.Ranks.Place!.NameEach());
        _watch = new(meeting, options.Ranks);
        (Parts, _interlude, _beginning) = (new(meeting, _watch), new(meeting, _watch), new(meeting, _watch)
        {
            Tools = tools ?? [],
            Domain = options.Roundtrip.Domain,
        });
        _stamps = new(scenario, options, meeting, _beginning);
        _clocks = new(_stamps, _watch);
        _interface = ListenPlace.FindInterface(options.Ranks.Address);
        OwnInterface = ListenPlace.FindInterface(meeting.Own.Address);
    }

    /// <summary>True for the rank that judges the run.</summary>
    public bool IsFirst => Own == 0;

    /// <summary>The results of the ranks.</summary>
    public RankParts Parts { get; }

    /// <summary>Why the run cannot begin; null when it can.</summary>
    public RunFailure? Failure { get; private set; }

    /// <summary>The clock of the role that stamps, for the measuring role whose peers were found last; null where both have one clock.</summary>
    public FoundClock? PeerClock { get; private set; }

    /// <summary>The file with the key of that clock.</summary>
    public string KeyFile => _stamps.KeyFile;

    /// <summary>The number of ranks, and their roles.</summary>
    public string Shown => FormattableString.Invariant($"{_meeting.Own.Ranks} ranks, {_place}");

    /// <summary>The addresses of all ranks that are present.</summary>
    public IEnumerable<string> Addresses => _meeting.There.Values.Select(rank => rank.Address);

    /// <summary>The time to subtract from what the clock of a role says, so that it is that of rank 0; known at the end.</summary>
    public TimeSpan ShiftOf(string role) => Clocks.FirstOrDefault(clock => clock.Rank == RankOf(role))?.Shift ?? TimeSpan.Zero;

    /// <summary>The same before the end, by the clocks at the beginning.</summary>
    public TimeSpan LiveShiftOf(string role) => RankOf(role) is { } rank ? _beginning.WallClockOf(rank)?.Shift ?? TimeSpan.Zero : TimeSpan.Zero;

    /// <summary>The number of ranks whose roles find those of this one at any address; 1 where this one's listen on one address only.</summary>
    public int Open => _interface is null && _scenario.RolesOf(_options).Any(role => IsHere(role.Name) && IsReachedFromElsewhere(role))
        ? _meeting.Own.Ranks : 1;

    /// <summary>The wall clock of this rank; on rank 0, at the end, those of all.</summary>
    public IReadOnlyList<RankClock> Clocks => Parts.DescribeClocks(_beginning.Clock);

    /// <summary>Compares those of all with what NTP or PTP states of them.</summary>
    /// <param name="probed">The clocks that measuring roles have probed, by role.</param>
    public IReadOnlyList<ClockCheck> CheckClocks(IEnumerable<(string Role, RunClock Clock)> probed) =>
        ClockChecks.Of(Clocks, from one in probed
                               let role = _scenario.Roles.First(role => role.Name == one.Role)
                               where _stamps.FindRank(role) is not null && RankOf(one.Role) is not null
                               select (_stamps.FindRank(role)!.Value, RankOf(one.Role)!.Value, one.Clock));

    private int Own => _meeting.Own.Rank;

    /// <summary>True where the ranks share no folder and use the port of rank 0.</summary>
    public bool SharesNothing => _options.Ranks.Meet is not null;

    /// <summary>True for a role that this rank starts.</summary>
    public bool IsHere(string role) => RankOf(role) == Own;

    /// <summary>True for a role on this rank's machine, whose processes and clock are those of this one.</summary>
    public bool IsOnThisMachine(string role) => RankOf(role) is { } rank && (rank == Own || _beginning.IdentityOf(rank) == _beginning.IdentityOf(Own));

    /// <summary>The address of the rank that has a role, where the roles of the run are on several ranks; null where all are on one.</summary>
    public string? HostOf(string role) => RankOf(role) is { } rank && _scenario.RolesOf(_options).Any(other => RankOf(other.Name) != rank)
        ? _meeting.There[rank].Address : null;

    /// <summary>The address of this rank, where it is one of this machine; null otherwise.</summary>
    public string? OwnInterface { get; }

    /// <summary>The address on which a role of this rank listens; null for every address.</summary>
    public string? InterfaceOf(Role role) => IsReachedFromElsewhere(role) ? _interface : ListenPlace.Loopback;

    /// <inheritdoc cref="RankWatch.Join"/>
    public StopRequest Join(StopRequest user) => _watch.Join(user);

    /// <summary>Checks, once per second, whether another rank has failed, and shows rank 0 what the roles of this one have written since.</summary>
    /// <param name="folder">The folder of the run.</param>
    public void LookAround(RunFolder folder)
    {
        _watch.LookAround();
        if (IsFirst || !SharesNothing)
            return;
        _shown ??= new(_meeting.Show, [.. _scenario.RolesOf(_options).Where(role => IsHere(role.Name)).Select(role => folder.PathOf(role.JsonFile))]);
        _shown.Show();
    }

    /// <summary>The file in which rank 0 has what a role of another rank has written so far; null where it sees that rank's own.</summary>
    public string? ShownPathOf(Role role) =>
        SharesNothing && IsFirst && RankOf(role.Name) is { } rank and > 0 ? PortService.ShownPathOf(_meeting.Folder, rank, role.JsonFile) : null;

    /// <summary>Waits until all ranks are present, and rank 0 has prepared the folder.</summary>
    /// <param name="stop">Ends the wait.</param>
    /// <param name="prepare">Prepares the folder of the run; called on rank 0 only.</param>
    /// <param name="show">Receives messages for people.</param>
    /// <returns>The options of the run: without time stamps where no role could correct them.</returns>
    public ScenarioOptions Meet(StopRequest stop, Action prepare, Action<string> show)
    {
        _show = show;
        Failure = _beginning.Meet(stop, () => Prepare(prepare));
        if (Failure is not null)
            return _options;
        _stamps.Answer(_interface);
        _stamps.Relay(_interface);
        _options = _options with
        {
            Editions = _options.Editions.On(IsHere, FindTools()),
            Roundtrip = _options.Roundtrip with { Domain = _meeting.FindStart()?.Domain },
        };
        if (_stamps.FindUncorrected() is not { } reason)
            return _options;
        show($"No latency is measured: {reason}.");
        return _options = _options with { LatencyRate = LatencyRate.Of(0) };
    }

    /// <summary>Creates the certificate of this rank's roles that listen, where connections are encrypted and the ranks share no folder.</summary>
    /// <param name="folder">The folder of this rank.</param>
    /// <exception cref="SetupException">Its files cannot be written (exit code 7).</exception>
    public void CreateCertificates(RunFolder folder)
    {
        if (!SharesNothing)
            return;
        _certificates = new(folder);
        _certificates.Create(_scenario.RolesOf(_options).Where(role => IsHere(role.Name)), _options, _meeting.Own.Address);
    }

    /// <summary>Waits until the roles of other ranks that a role needs are ready.</summary>
    /// <param name="role">A role of this rank.</param>
    /// <param name="group">The roles that are watched meanwhile.</param>
    /// <param name="addresses">Receives the addresses.</param>
    /// <returns>False when something failed.</returns>
    public bool TryFindPeers(Role role, RoleGroup group, Dictionary<string, HostAddress> addresses)
    {
        foreach (string peer in role.ConnectsTo.Where(peer => RankOf(peer) is { } rank && rank != Own && !addresses.ContainsKey(peer)))
        {
            if (_watch.WaitForPlace(peer, $"rank {Number(RankOf(peer))} named no {peer}", group) is not { } found)
                return false;
            addresses[peer] = new(found.Host, found.Port);
            _certificates?.Trust(found.Authority);
        }

        PeerClock = _stamps.IsCorrected(role) ? _clocks.Find(role, group, _show) : null;
        return group.Failure is null;
    }

    /// <summary>Announces a role of this rank that listens, where another rank connects to it.</summary>
    /// <returns>The host by which roles of this rank find it; null for that of a run on one machine.</returns>
    public string? PublishPlace(Role role, int port)
    {
        if (!IsReachedFromElsewhere(role))
            return null;
        _meeting.PublishPlace(role.Name, new(_meeting.Own.Address, port) { Authority = _certificates?.Authority });
        return _interface;
    }

    /// <inheritdoc cref="RankEnding.EndAll"/>
    public void EndAll(RoleGroup group, IReadOnlyList<Role> started, RunLimits limits, Action look) =>
        new RankEnding(_scenario.RolesOf(_options), _place, _meeting, _watch).EndAll(group, started, limits, look);

    /// <summary>Leaves the results of this rank for rank 0.</summary>
    /// <param name="part">The results.</param>
    /// <param name="folder">The folder with the files of its roles.</param>
    /// <returns>Why they could not be left; null when they were.</returns>
    public string? PublishResult(RunDocument part, RunFolder folder)
    {
        Role[] roles = [.. _scenario.RolesOf(_options).Where(role => IsHere(role.Name))];
        return Parts.Publish(part, Directory.EnumerateFiles(folder.FullPath).Where(path => Array.Exists(roles, role => role.HasFile(Path.GetFileName(path)))));
    }

    /// <summary>True when the rank of what a role of this one waits for says that it may start. Where a folder is shared, the role sees that itself.</summary>
    public bool MayStart(string role) => SharesNothing && _meeting.MayStart(role);

    /// <summary>Tells other ranks which of their roles may start, by the figures of the roles of this one, where they do not see those.</summary>
    /// <param name="latest">The latest line of a role.</param>
    public void PublishStarts(Func<string, JsonView> latest)
    {
        if (!SharesNothing)
            return;
        foreach (Role role in _scenario.RolesOf(_options).Where(role => role.StartsWhen is not null && !IsHere(role.Name) && role.ConnectsTo.Any(IsHere)
            && !_mayStart.Contains(role.Name)))
        {
            if (role.StartsWhen!(_options, latest) && _mayStart.Add(role.Name))
                _meeting.PublishMayStart(role.Name);
        }
    }

    /// <summary>Agrees with the other ranks, after a run that others follow, on whether the next one begins.</summary>
    /// <param name="failure">The failure of the run on this rank; null for none.</param>
    /// <returns>Why no run follows; null when the next one does.</returns>
    public RunFailure? AgreeOnNext(RunFailure? failure)
    {
        if (!IsFirst)
            return failure ?? _interlude.Wait(RunLimits.For(_options.Seconds).Run);
        _interlude.Announce(failure, SharesNothing ? Parts.Good : []);
        return failure;
    }

    /// <summary>Tells the other ranks of an error that ends this one.</summary>
    public void PublishError(string reason) => _watch.PublishFailure(new(ExitCode.Incomplete, reason));

    public void Dispose()
    {
        _stamps.Dispose();
        _watch.Dispose();
    }

    private void Prepare(Action prepare)
    {
        prepare();
        _stamps.Prepare();
    }

    // The programs of --tool on other ranks.
    private IEnumerable<KeyValuePair<string, Edition>> FindTools() => from rank in _watch.Others
                                                                      from tool in _beginning.ToolsOf(rank)
                                                                      where RankOf(tool.Key) == rank && EditionFacts.Find(tool.Value) is not null
                                                                      select KeyValuePair.Create(tool.Key, EditionFacts.Find(tool.Value)!.Value);

    private bool IsReachedFromElsewhere(Role role) =>
        _scenario.RolesOf(_options).Any(other => other.ConnectsTo.Contains(role.Name) && RankOf(other.Name) is { } rank && rank != Own);

    private int? RankOf(string role) => _place.RanksOf(role) is [var only, ..] ? only : null;

    private static string Number(int? rank) => FormattableString.Invariant($"{rank}");
}
