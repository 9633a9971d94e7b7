namespace LatencyPerf.Protocol;

/// <summary>One subscriber that has a place in a test that has not begun.</summary>
/// <param name="Cookie">Its number.</param>
/// <param name="Place">In the order of arrival, from 1.</param>
/// <param name="At">Where it is.</param>
/// <param name="Announcement">What it says of itself.</param>
internal sealed record PlacedSubscriber(int Cookie, int Place, PeerAddress At, Announcement Announcement)
{
    /// <summary>When something came from it last.</summary>
    public long HeardNanos { get; set; }

    /// <summary>True from its second datagram on: the first may be all that there ever is of it.</summary>
    public bool IsProven { get; set; }

    /// <summary>True when it has answered the start.</summary>
    public bool IsReady { get; set; }
}

/// <summary>Who has a place in a test that has not begun, by cookie.</summary>
/// <param name="count">Places, 1 to 32.</param>
internal sealed class MeetingPlaces(int count)
{
    private readonly PlacedSubscriber?[] _byCookie = new PlacedSubscriber?[count + 1];

    /// <summary>Those that have a place, by cookie.</summary>
    public IEnumerable<PlacedSubscriber> Taken => _byCookie.OfType<PlacedSubscriber>();

    public bool AreAllTaken => Taken.Count() == count;

    public bool AreAllReady => Taken.Count(one => one.IsReady) == count;

    /// <summary>The subscriber with a cookie; null for none, and for a cookie that no test has.</summary>
    public PlacedSubscriber? Find(int cookie) => cookie >= 1 && cookie <= count ? _byCookie[cookie] : null;

    /// <summary>Gives the first free place.</summary>
    public PlacedSubscriber Add(int cookie, PeerAddress at, Announcement announcement, long nowNanos)
    {
        int place = Enumerable.Range(1, count).First(number => Taken.All(one => one.Place != number));
        return _byCookie[cookie] = new(cookie, place, at, announcement) { HeardNanos = nowNanos };
    }

    public void Remove(int cookie) => _byCookie[cookie] = null;
}
