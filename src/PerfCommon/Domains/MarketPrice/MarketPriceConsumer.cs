using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes a consumer's messages on item streams, and classifies the answers.</summary>
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

    /// <summary>Classifies the effect of a refresh or status on its item.</summary>
    public static ItemChange Classify(scoped in RwfMsg msg) // wire/domains 5.4
    {
        bool isRefresh = msg.MsgClass == MsgClass.Refresh;
        if (!isRefresh && !msg.Has(StatusFlags.HasState))
            return ItemChange.None;
        ItemChange change = Classify(msg.State);
        return isRefresh && change == ItemChange.Good
            ? (msg.Has(RefreshFlags.RefreshComplete) ? ItemChange.Image : ItemChange.None) : change;
    }

    /// <summary>Classifies the effect of a state on its item.</summary>
    public static ItemChange Classify(scoped in RwfState state) // wire/domains 5.4
    {
        if (DomainMsg.IsFinal(state))
            return ItemChange.Closed;
        return state.DataState switch
        {
            DataState.Suspect => ItemChange.Suspect,
            DataState.Ok => ItemChange.Good,
            _ => ItemChange.None,
        };
    }
}

/// <summary>Effect of a refresh or status on its item.</summary>
internal enum ItemChange : byte
{
    None, // part of an image, or a status that changes nothing
    Image, // the item has its image
    Good, // its data is valid again
    Suspect, // the stream remains open and its data is suspect: a temporary image, or a warning
    Closed, // nothing more will arrive for the item
}
