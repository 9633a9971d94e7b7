using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfTools.Editions;
using PerfTools.Hosting.Clocks;
using PerfTools.Processes;
using PerfTools.Ranks;

namespace PerfTools.Scenarios;

/// <summary>
/// The clocks of the time stamps in a run over several ranks: a rank with a role that stamps answers for its clock, where a role of another clock measures,
/// and rank 0 passes on the probes of ranks that may not reach it.
/// </summary>
/// <param name="scenario">The scenario, with each process as a role.</param>
/// <param name="options">Its options, with a placement of every role.</param>
/// <param name="meeting">The rendezvous.</param>
/// <param name="beginning">Knows the identities of the ranks' clocks.</param>
internal sealed class RankStamps(Scenario scenario, ScenarioOptions options, Rendezvous meeting, RankMeeting beginning) : IDisposable
{
    private static readonly string OursWord = EditionFacts.Of(Edition.Ours).Word;

    private readonly RankPlacement _place = options.Ranks.Place!.NameEach();
    private readonly RankKey _key = new(meeting.Folder);
    private readonly List<ClockRelay> _relays = [];
    private ClockAnswerer? _answerer;

    /// <summary>The file with the key of the clocks.</summary>
    public string KeyFile => _key.FilePath;

    /// <summary>Says why the stamps of another clock are not corrected, by the first role that cannot; null where none has to, or each can.</summary>
    public string? FindUncorrected()
    {
        if (scenario.Roles.FirstOrDefault(role => IsApart(role) && !Corrects(role)) is not { } apart)
            return null;
        (string Role, int Rank)[] senders = [.. FindSenders(apart).DistinctBy(sender => beginning.IdentityOf(sender.Rank))];
        return senders is [var one, var other, ..]
            ? FormattableString.Invariant($"{one.Role} on rank {one.Rank} and {other.Role} on rank {other.Rank} have different clocks, and the {apart.Name} ")
                + "receives the messages of both"
            : FormattableString.Invariant($"the {senders[0].Role} on rank {senders[0].Rank} and the {apart.Name} on rank {_place.RanksOf(apart.Name)[0]} ")
                + "have different clocks, and its program corrects none";
    }

    /// <summary>True for a role that measures by stamps of another clock and corrects them.</summary>
    public bool IsCorrected(Role role) => IsApart(role) && Corrects(role);

    // Some stamps are of another clock.
    private bool IsApart(Role role) => scenario.Figures.Measured.MeasuredBy.Contains(role.Name) && _place.RanksOf(role.Name) is [var to, ..]
        && FindSenders(role).Any(sender => beginning.IdentityOf(sender.Rank) != beginning.IdentityOf(to));

    private IEnumerable<(string Role, int Rank)> FindSenders(Role measuring) =>
        from sender in scenario.SendersOf(measuring)
        from rank in _place.RanksOf(sender.Name).Take(1)
        select (sender.Name, rank);

    /// <summary>The rank of the role whose stamps another one measures, of several on one clock the first; null where none has it.</summary>
    public int? FindRank(Role measuring) => FindSenders(measuring).Select(sender => (int?)sender.Rank).FirstOrDefault();

    /// <summary>The name of the address of the clock by whose stamps a role measures.</summary>
    public string PlaceOf(Role measuring) => Rendezvous.ClockOf(FindSenders(measuring).First().Role);

    /// <summary>Counts the roles of all ranks that correct by a clock.</summary>
    /// <param name="place">The name of its address.</param>
    public int CountProbing(string place) => scenario.Roles.Count(role => IsCorrected(role) && PlaceOf(role) == place);

    /// <summary>Names the role whose stamps another one measures, and its rank.</summary>
    public string DescribeSender(Role measuring) =>
        FormattableString.Invariant($"the {FindSenders(measuring).First().Role} on rank {FindSenders(measuring).First().Rank}");

    /// <summary>True for a role whose probes rank 0 passes on where they do not arrive directly: neither the role nor the clock is on that rank.</summary>
    public bool IsRelayed(Role role) => IsCorrected(role) && FindRank(role) != 0 && !_place.RanksOf(role.Name).Contains(0);

    /// <summary>The name of the address at which rank 0 passes on the probes of a clock.</summary>
    /// <param name="place">The name of the clock's own address.</param>
    public static string RelayOf(string place) => place + "-via-0";

    /// <summary>Draws the key, on rank 0, where one is needed.</summary>
    public void Prepare()
    {
        if (scenario.Roles.Any(IsCorrected))
            _key.Create();
    }

    /// <summary>Answers for the clock of the roles that stamp here, where another clock measures.</summary>
    /// <param name="at">The address of this machine to listen on; null for every address.</param>
    public void Answer(string? at)
    {
        string[] places =
            [.. scenario.Roles.Where(role => IsCorrected(role) && FindRank(role) == meeting.Own.Rank).Select(PlaceOf).Distinct()];
        if (places is [])
            return;
        CopyKey();
        _answerer = ClockAnswerer.Listen(FreePortAt(at), ClockKey.Load(KeyFile), () => Clock.NowNanos, PeerClock.WallClockFor(options.Ranks.ClockStamps));
        foreach (string place in places)
            meeting.PublishPlace(place, new(meeting.Own.Address, _answerer.Local.Port));
    }

    /// <summary>Passes on, on rank 0, the probes of ranks that may not reach the clock of another one.</summary>
    /// <inheritdoc cref="Answer" path="/param"/>
    public void Relay(string? at)
    {
        if (meeting.Own.Rank != 0)
            return;
        foreach (string place in scenario.Roles.Where(IsRelayed).Select(PlaceOf).Distinct())
        {
            ClockRelay relay = ClockRelay.Listen(FreePortAt(at), ClockKey.Load(KeyFile), () => FindClock(place), () => Clock.NowNanos);
            _relays.Add(relay);
            meeting.PublishPlace(RelayOf(place), new(meeting.Own.Address, relay.Local.Port));
        }
    }

    // Any thread: on rank 0 the files are in a folder.
    private IPEndPoint? FindClock(string place) =>
        meeting.FindPlace(place) is { } found ? PeerClock.Resolve(new HostAddress(found.Host, found.Port).ToString()) : null;

    private IPEndPoint FreePortAt(string? at)
    {
        IPAddress any = IPAddress.TryParse(meeting.Own.Address, out IPAddress? own) && own.AddressFamily == AddressFamily.InterNetworkV6
            ? IPAddress.IPv6Any : IPAddress.Any;
        return new(at is null ? any : IPAddress.Parse(at), 0);
    }

    // Of programs, those of ours alone, and by one clock.
    private bool Corrects(Role role) => role.CorrectsClock && FindSenders(role).DistinctBy(sender => beginning.IdentityOf(sender.Rank)).Count() == 1
        && _place.RanksOf(role.Name).All(rank => beginning.ToolsOf(rank).GetValueOrDefault(role.Name, OursWord) == OursWord);

    /// <summary>Writes the key that rank 0 has drawn, where this rank shares no folder with it.</summary>
    public void CopyKey()
    {
        if (options.Ranks.Meet is not null && meeting.FindKey() is { } key)
            _key.Copy(key);
    }

    public void Dispose()
    {
        _answerer?.Dispose();
        _relays.ForEach(relay => relay.Dispose());
        _key.Dispose();
    }
}
