using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Content of a provider's round-trip message on the login stream.</summary>
/// <param name="Ticks">The provider's clock at sending, in the provider's unit.</param>
/// <param name="LastRoundTrip">The provider's last measured round trip, in nanoseconds (C editions: microseconds); null before the first.</param>
/// <param name="TcpRetransmissions">The provider's count of TCP retransmissions; null where it does not count them.</param>
internal readonly record struct RoundTripMessage(ulong Ticks, ulong? LastRoundTrip, ulong? TcpRetransmissions)
{
    /// <summary>Reads the content of a generic login message; false when it has no ticks.</summary>
    public static bool TryRead(scoped in RwfMsg msg, out RoundTripMessage trip) // wire/domains 9
    {
        (ulong? ticks, ulong? last, ulong? retransmissions) = (null, null, null);
        if (msg.MsgClass == MsgClass.Generic && msg.ContainerType == DataType.ElementList
            && ElementListReader.TryOpen(msg.Payload, out ElementListReader elements) == DecodeResult.Success)
        {
            while (elements.TryReadNext(out ElementEntry element) == DecodeResult.Success)
            {
                if (element.Type != DataType.UInt || RwfPrimitives.TryReadUInt(element.Content, out ulong value) != DecodeResult.Success)
                    continue;
                if (element.Name.SequenceEqual(LoginElements.Ticks))
                    ticks = value;
                else if (element.Name.SequenceEqual(LoginElements.RoundTripLatency))
                    last = value;
                else if (element.Name.SequenceEqual(LoginElements.TcpRetransmissions))
                    retransmissions = value;
            }
        }

        trip = new RoundTripMessage(ticks ?? 0, last, retransmissions);
        return ticks is not null;
    }
}
