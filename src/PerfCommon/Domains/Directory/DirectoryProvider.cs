using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Handles the directory of one connection as a provider.</summary>
/// <param name="services">The services.</param>
/// <remarks>It stores the last request only: answer one before handling the next.</remarks>
internal sealed class DirectoryProvider(params IReadOnlyList<ServiceOffer> services)
{
    // bytes of a directory message besides its services
    private const int MaxHeaderBytes = 128;

    private int _streamId;
    private uint _filter;
    private ushort? _serviceId;

    /// <summary>The announced services; send changes by <see cref="EncodeChange"/>.</summary>
    public IReadOnlyList<ServiceOffer> Services { get; set; } = services;

    /// <summary>True while the consumer's directory stream is open for changes.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Maximum bytes of a refresh.</summary>
    public int MaxRefreshBytes => MaxHeaderBytes + Services.Sum(service => service.MaxEntryBytes);

    /// <summary>Handles a message of the directory domain.</summary>
    /// <returns>Send (the refresh), Closed or Disconnect.</returns>
    public ConversationResult Receive(scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Request when !msg.Key.Has(MsgKeyFlags.HasFilter):
                return ConversationResult.Disconnect("a directory request must have a filter"); // wire/domains 3.1
            case MsgClass.Request:
                _streamId = msg.StreamId;
                IsOpen = msg.Has(RequestFlags.Streaming);
                _filter = msg.Key.Filter;
                _serviceId = msg.Key.Has(MsgKeyFlags.HasServiceId) ? msg.Key.ServiceId : null;
                return ConversationResult.Send;
            case MsgClass.Close:
                IsOpen &= msg.StreamId != _streamId;
                return ConversationResult.Closed($"the consumer closed directory stream {msg.StreamId}"); // wire/domains 3.3
            default:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the directory domain"); // wire/domains 3.3
        }
    }

    /// <summary>Encodes the refresh that answers the last request; it is empty when the request names another service.</summary>
    /// <returns>Bytes written; 0 when the buffer is too small.</returns>
    public int EncodeRefresh(Span<byte> room) => // wire/domains 3.2
        Encode(room, RefreshFlags.Solicited, "Source Directory Refresh Completed"u8);

    /// <summary>Encodes the refresh that sends the changes to the consumer of the last request.</summary>
    /// <returns>Bytes written; 0 when the buffer is too small.</returns>
    public int EncodeChange(Span<byte> room) => Encode(room, 0, default); // wire/domains 3.4

    private int Encode(Span<byte> room, int furtherFlags, ReadOnlySpan<byte> text)
    {
        MsgKey key = new()
        {
            Flags = MsgKeyFlags.HasFilter | (_serviceId is null ? 0 : MsgKeyFlags.HasServiceId),
            Filter = _filter,
            ServiceId = _serviceId ?? 0,
        };
        return Encode(room, _streamId, furtherFlags, text, key, Services, _serviceId);
    }

    /// <summary>Encodes the refresh by which a non-interactive provider announces its service without a request.</summary>
    /// <returns>Bytes written; 0 when the buffer is too small.</returns>
    public static int EncodeAnnouncement(Span<byte> room, ServiceOffer service) // wire/domains 10
    {
        MsgKey key = new() { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers };
        return Encode(room, StreamIds.PublishedDirectory, 0, default, key, [service], onlyId: null);
    }

    private static int Encode(
        Span<byte> room, int streamId, int furtherFlags, ReadOnlySpan<byte> text, scoped in MsgKey key,
        IReadOnlyList<ServiceOffer> services, ushort? onlyId)
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
        ServiceWriter.WriteMap(ref writer, services, onlyId);
        return writer.Written;
    }
}
