namespace LatencyPerf.Protocol;

/// <summary>One subscriber with a place in a test that has not begun.</summary>
/// <param name="Cookie">Its number.</param>
/// <param name="Place">The place in the order of arrival, from 1.</param>
/// <param name="At">Its address.</param>
/// <param name="Announcement">The properties it announced.</param>
internal sealed record PlacedSubscriber(int Cookie, int Place, PeerAddress At, Announcement Announcement)
{
    /// <summary>The time of the last datagram from it.</summary>
    public long LastReceivedNanos { get; set; }

    /// <summary>True from its second datagram on: the first may be the only one from it.</summary>
    public bool IsProven { get; set; }

    /// <summary>True when it has answered the start.</summary>
    public bool IsReady { get; set; }
}

/// <summary>The subscribers with a place in a test that has not begun, by cookie.</summary>
/// <param name="count">The number of places, 1 to 32.</param>
internal sealed class RendezvousPlaces(int count)
{
    private readonly PlacedSubscriber?[] _byCookie = new PlacedSubscriber?[count + 1];

    /// <summary>The subscribers with a place, by cookie.</summary>
    public IEnumerable<PlacedSubscriber> Occupied => _byCookie.OfType<PlacedSubscriber>();

    public bool AreAllOccupied => Occupied.Count() == count;

    public bool AreAllReady => Occupied.Count(one => one.IsReady) == count;

    /// <summary>Finds the subscriber with a cookie; null for none, and for a cookie that no test has.</summary>
    public PlacedSubscriber? Find(int cookie) => cookie >= 1 && cookie <= count ? _byCookie[cookie] : null;

    /// <summary>Assigns the first free place.</summary>
    public PlacedSubscriber Add(int cookie, PeerAddress at, Announcement announcement, long nowNanos)
    {
        int place = Enumerable.Range(1, count).First(number => Occupied.All(one => one.Place != number));
        return _byCookie[cookie] = new(cookie, place, at, announcement) { LastReceivedNanos = nowNanos };
    }

    public void Remove(int cookie) => _byCookie[cookie] = null;
}
