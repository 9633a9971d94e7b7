using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What a provider says in a message of a round trip on the login stream.</summary>
/// <param name="Ticks">The provider's clock when it sent the message, in the provider's unit.</param>
/// <param name="LastRoundTrip">The round trip it measured last, in nanoseconds (editions in C: microseconds); null before the first.</param>
/// <param name="TcpRetransmissions">Retransmissions of TCP as it counts them; null where it does not.</param>
internal readonly record struct RoundTripMessage(ulong Ticks, ulong? LastRoundTrip, ulong? TcpRetransmissions)
{
    /// <summary>Reads it from a generic message of the login; false when it has no ticks.</summary>
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
