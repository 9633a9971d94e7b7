namespace PerfTools.Hosting.Clocks;

/// <summary>The four stamps of one probe and its answer, in nanoseconds: two of this host's clock, before and after two of the peer's.</summary>
/// <param name="Sent">This host's clock right before the probe was sent.</param>
/// <param name="PeerReceived">The peer's clock right after the probe was received.</param>
/// <param name="PeerSent">The peer's clock right before the answer was sent.</param>
/// <param name="Received">This host's clock right after the answer was received.</param>
internal readonly record struct ClockExchange(long Sent, long PeerReceived, long PeerSent, long Received)
{
    /// <summary>Time of both ways, without the time at the peer.</summary>
    public long RoundTripNanos => Received - Sent - (PeerSent - PeerReceived);

    /// <summary>The maximum difference of the clocks, the peer's minus this host's, at the time of <see cref="Sent"/>.</summary>
    public long UpperNanos => PeerReceived - Sent;

    /// <summary>The minimum difference of the clocks at the time of <see cref="Received"/>.</summary>
    public long LowerNanos => PeerSent - Received;

    /// <summary>False where a stamp is less than one made earlier on the same clock.</summary>
    public bool IsOrdered => Received >= Sent && PeerSent >= PeerReceived;
}
