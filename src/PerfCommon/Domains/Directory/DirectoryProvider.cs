using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The provider's side of one connection's directory: one service, always up.</summary>
/// <param name="service">The service.</param>
/// <remarks>It remembers the last request only: answer one before taking the next.</remarks>
internal sealed class DirectoryProvider(ServiceOffer service)
{
    private int _streamId;
    private uint _filter;
    private ushort? _serviceId;

    /// <summary>Takes a message of the directory domain.</summary>
    /// <returns>Send (the refresh), Closed or Disconnect.</returns>
    public ConversationResult Take(scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Request when !msg.Key.Has(MsgKeyFlags.HasFilter):
                return ConversationResult.Disconnect("a directory request must have a filter"); // wire/domains 3.1
            case MsgClass.Request:
                _streamId = msg.StreamId;
                _filter = msg.Key.Filter;
                _serviceId = msg.Key.Has(MsgKeyFlags.HasServiceId) ? msg.Key.ServiceId : null;
                return ConversationResult.Send;
            case MsgClass.Close:
                return ConversationResult.Closed($"the consumer closed directory stream {msg.StreamId}"); // wire/domains 3.3
            default:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the directory domain"); // wire/domains 3.3
        }
    }

    /// <summary>Encodes the refresh that answers the last request; for a service that is not ours it lists none.</summary>
    /// <returns>Bytes written; 0 when the room is too small.</returns>
    public int EncodeRefresh(Span<byte> room) // wire/domains 3.2
    {
        MsgKey key = new()
        {
            Flags = MsgKeyFlags.HasFilter | (_serviceId is null ? 0 : MsgKeyFlags.HasServiceId),
            Filter = _filter,
            ServiceId = _serviceId ?? 0,
        };
        ServiceOffer? asked = _serviceId is null || _serviceId == service.Id ? service : null; // wire/domains 3.2
        return Encode(room, _streamId, RefreshFlags.Solicited, "Source Directory Refresh Completed"u8, key, asked);
    }

    /// <summary>Encodes the refresh by which a non-interactive provider announces its service without being asked.</summary>
    /// <returns>Bytes written; 0 when the room is too small.</returns>
    public static int EncodeAnnouncement(Span<byte> room, ServiceOffer service) // wire/domains 10
    {
        MsgKey key = new() { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers };
        return Encode(room, StreamIds.PublishedDirectory, 0, default, key, service);
    }

    private static int Encode(
        Span<byte> room, int streamId, int furtherFlags, ReadOnlySpan<byte> text, scoped in MsgKey key, ServiceOffer? service)
    {
        RwfMsg refresh = new()
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.Source,
            StreamId = streamId,
            Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | RefreshFlags.ClearCache | furtherFlags,
            ContainerType = DataType.Map,
            State = new RwfState(StreamState.Open, DataState.Ok, StateCode.None, text),
            GroupId = DomainMsg.GroupId,
            Key = key,
        };
        RwfWriter writer = new(room);
        writer.TryWriteHeader(refresh);
        ServiceWriter.WriteMap(ref writer, service);
        return writer.Written;
    }
}
