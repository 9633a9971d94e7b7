using System.Net;

namespace LatencyPerf.Protocol;

/// <summary>Decides why a newcomer gets no place in a test.</summary>
/// <param name="terms">The test.</param>
internal sealed class RendezvousRefusals(RendezvousTerms terms)
{
    private const int MaxReported = 192;

    private readonly HashSet<(string, RefusalReason)> _reported = [];

    /// <summary>The refusal of a subscriber with another version.</summary>
    public static Refusal OtherVersion { get; } = new(RefusalReason.Version, $"the publisher speaks version {DatagramHeader.Version}");

    /// <summary>Finds the reason; null when there is none, or none that is certain.</summary>
    /// <param name="cookie">The newcomer's cookie.</param>
    /// <param name="announcement">The properties it announced.</param>
    /// <param name="from">Its address.</param>
    /// <param name="places">The subscribers with a place.</param>
    /// <param name="isRunning">True once the test has begun.</param>
    public Refusal? Find(int cookie, Announcement announcement, PeerAddress from, RendezvousPlaces places, bool isRunning)
    {
        if (isRunning)
            return new(RefusalReason.TestRunning, "a test is running");
        if (!terms.Admits(from))
            return new(RefusalReason.NotAmongPeers, $"{from.Host} is not among the publisher's -peer");
        if (cookie > terms.Subscribers || cookie < 1)
            return new(RefusalReason.CookieTooHigh, $"cookie {cookie} is above -subscribers {terms.Subscribers}");
        if (announcement.Reliable != terms.Reliable)
            return new(RefusalReason.ReliableDiffers, $"the publisher was started with{(terms.Reliable ? "" : "out")} -reliable");
        if (announcement.Group is { } group && terms.FindGroupProblem(group) is { } problem)
            return new(RefusalReason.GroupUnusable, problem);
        if (places.Find(cookie) is { IsProven: true } taken)
            return new(RefusalReason.CookieInUse, $"cookie {cookie} is taken by {taken.At.Text}");
        return FindOtherGroup(announcement, places) is { IsProven: true } other
            ? new(RefusalReason.GroupsDiffer, $"others receive on {Describe(other.Announcement.Group)}") : null;
    }

    /// <summary>
    /// True while only a subscriber that was heard once conflicts with it: that one announces itself again, or its place becomes free.
    /// </summary>
    public static bool MustWait(int cookie, Announcement announcement, RendezvousPlaces places) =>
        places.Find(cookie) is not null || FindOtherGroup(announcement, places) is not null;

    /// <summary>True the first time that an address is refused for a reason, while the number of refused ones is small.</summary>
    public bool IsNews(PeerAddress from, RefusalReason reason) => _reported.Count < MaxReported && _reported.Add((from.Text, reason));

    // A proven subscriber takes precedence over an unproven one.
    private static PlacedSubscriber? FindOtherGroup(Announcement announcement, RendezvousPlaces places) =>
        places.Occupied.Where(one => !Equals(one.Announcement.Group, announcement.Group)).OrderByDescending(one => one.IsProven).FirstOrDefault();

    private static string Describe(IPEndPoint? group) => group is null ? "no group" : group.Address.ToString();
}
