namespace PerfTools.Hosting.Clocks;

/// <summary>Converts stamps of the peer's clock into times of this host's clock: one multiplication, two additions. Immutable.</summary>
/// <param name="PeerOrigin">A time of the peer's clock, in nanoseconds, from which drift is counted.</param>
/// <param name="OffsetNanos">The peer's clock minus this host's at that time.</param>
/// <param name="Drift">Growth of the difference per nanosecond of the peer's clock.</param>
internal sealed record ClockLine(long PeerOrigin, long OffsetNanos, double Drift)
{
    /// <summary>The time of this host's clock at which the line was found.</summary>
    public long FoundNanos { get; init; }

    /// <summary>The maximum error of the line at that time.</summary>
    public double BoundNanos { get; init; }

    /// <summary>Growth of that error per nanosecond since.</summary>
    public double BoundGrowth { get; init; }

    /// <summary>Creates a line from the offset at a time of this host's clock, and the slope over that clock.</summary>
    public static ClockLine Of(long atNanos, long offsetNanos, double slope) => new(atNanos + offsetNanos, offsetNanos, slope / (1 + slope));

    /// <summary>Converts a stamp of the peer's clock into a time of this host's clock.</summary>
    public long ToOwn(long peerNanos) => peerNanos - OffsetNanos - (long)((peerNanos - PeerOrigin) * Drift);

    /// <summary>Returns the line as <see cref="ClockTrack"/> uses it: relative to the first exchange, so that no nanosecond is lost.</summary>
    public Func<double, double> RelativeTo(long baseNanos, long baseOffsetNanos)
    {
        double slope = Drift / (1 - Drift); // over this host's clock
        double origin = PeerOrigin - OffsetNanos - baseNanos;
        double offset = OffsetNanos - baseOffsetNanos;
        return at => offset + (slope * (at - origin));
    }

    /// <summary>Returns the maximum error of the line at a time of this host's clock.</summary>
    public double BoundAt(long ownNanos) => BoundNanos + (BoundGrowth * Math.Max(0, ownNanos - FoundNanos));
}
