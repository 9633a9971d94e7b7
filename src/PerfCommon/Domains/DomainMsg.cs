using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What the messages of all domains have in common.</summary>
internal static class DomainMsg
{
    /// <summary>The group every stream of ours is in.</summary>
    public static ReadOnlySpan<byte> GroupId => [0, 0];

    /// <summary>Encodes a status that carries a state and nothing else.</summary>
    /// <returns>Bytes written; 0 when the room is too small.</returns>
    public static int EncodeStatus(Span<byte> room, DomainType domain, int streamId, scoped in RwfState state)
    {
        RwfMsg status = new()
        {
            MsgClass = MsgClass.Status,
            DomainType = domain,
            StreamId = streamId,
            Flags = StatusFlags.HasState,
            State = state,
        };
        RwfWriter writer = new(room);
        writer.TryWriteHeader(status);
        return writer.Written;
    }
}
