using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes a consumer's messages on item streams.</summary>
internal static class MarketPriceConsumer
{
    /// <summary>Encodes the request for one item, or for its image only; 0 when the buffer is too small.</summary>
    /// <remarks>
    /// The name has 1 to 255 bytes; id and quality are those of the service's directory entry. On an open stream it is a reissue,
    /// which removes a view that it does not repeat.
    /// </remarks>
    public static int EncodeRequest( // wire/domains 5.1
        Span<byte> room, int streamId, ServiceInfo service, ReadOnlySpan<byte> itemName, bool isStreaming, bool wantsRefresh = true,
        bool isPrivate = false, DomainType domain = DomainType.MarketPrice, FieldView? view = null)
    {
        MsgKey key = new();
        key.Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName;
        key.ServiceId = service.Id;
        key.Name = itemName;

        RwfMsg request = new(); // member by member: an initializer would create a second message and copy it
        request.MsgClass = MsgClass.Request;
        request.DomainType = domain;
        request.StreamId = streamId;
        request.Flags = (isStreaming ? RequestFlags.Streaming : 0) | (service.Qos is null ? 0 : RequestFlags.HasQos)
            | (wantsRefresh ? 0 : RequestFlags.NoRefresh) | (isPrivate ? RequestFlags.PrivateStream : 0)
            | (view is null ? 0 : RequestFlags.HasView);
        request.ContainerType = view is null ? DataType.NoData : DataType.ElementList;
        request.Qos = service.Qos ?? default;
        request.Key = key;
        RwfWriter writer = new(room);
        writer.TryWriteHeader(request);
        if (view is not null)
            ViewRequest.Write(ref writer, view); // wire/domains 5.9
        return writer.Written;
    }

    /// <summary>Returns the maximum bytes of a request with a name of the given length.</summary>
    public static int MaxRequestBytes(int nameBytes, FieldView? view) =>
        MarketPriceHeaders.MaxRequestBytes(nameBytes) + (view is null ? 0 : ViewRequest.MaxBytes(view));

    /// <summary>Encodes the message that closes an item; 0 when the buffer is too small.</summary>
    public static int EncodeClose(Span<byte> room, int streamId, DomainType domain = DomainType.MarketPrice) => // wire/domains 5.5
        DomainMsg.Encode(room, new RwfMsg { MsgClass = MsgClass.Close, DomainType = domain, StreamId = streamId });
}
