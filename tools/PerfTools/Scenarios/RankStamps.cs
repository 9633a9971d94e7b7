using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfTools.Editions;
using PerfTools.Hosting.Clocks;
using PerfTools.Ranks;

namespace PerfTools.Scenarios;

/// <summary>
/// The clocks of the time stamps in a run over several ranks: a rank with a role that stamps answers for its clock, where a role of another clock measures.
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
    private ClockAnswerer? _answerer;

    /// <summary>The file with the key of the clocks.</summary>
    public string KeyFile => _key.FilePath;

    /// <summary>The first role that measures by stamps of another clock and cannot correct them; null for none.</summary>
    public Role? Uncorrected => scenario.Roles.FirstOrDefault(role => IsApart(role) && !Corrects(role));

    /// <summary>True for a role that measures by stamps of another clock and corrects them.</summary>
    public bool IsCorrected(Role role) => IsApart(role) && Corrects(role);

    // The stamps are of another clock.
    private bool IsApart(Role role) => scenario.Figures.Measured.MeasuredBy.Contains(role.Name)
        && FindRank(role) is { } from && _place.RanksOf(role.Name) is [var to, ..] && beginning.IdentityOf(from) != beginning.IdentityOf(to);

    /// <summary>The rank of the role whose stamps another one measures; null where none has it.</summary>
    public int? FindRank(Role measuring) =>
        scenario.FindSender(measuring) is { } sender && _place.RanksOf(sender.Name) is [var rank, ..] ? rank : null;

    /// <summary>The name of the address of the clock by whose stamps a role measures.</summary>
    public string PlaceOf(Role measuring) => Rendezvous.ClockOf(scenario.FindSender(measuring)!.Name);

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
        IPAddress any = IPAddress.TryParse(meeting.Own.Address, out IPAddress? own) && own.AddressFamily == AddressFamily.InterNetworkV6
            ? IPAddress.IPv6Any : IPAddress.Any;
        _answerer = ClockAnswerer.Listen(new(at is null ? any : IPAddress.Parse(at), 0), ClockKey.Load(KeyFile), () => Clock.NowNanos,
            PeerClock.WallClockFor(options.Ranks.ClockStamps));
        foreach (string place in places)
            meeting.PublishPlace(place, new(meeting.Own.Address, _answerer.Local.Port));
    }

    // Of programs, those of ours alone.
    private bool Corrects(Role role) => role.CorrectsClock
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
        _key.Dispose();
    }
}
