using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What a consumer sends on item streams, and what the answers mean to it.</summary>
internal static class MarketPriceConsumer
{
    /// <summary>Encodes the request for one item, or for its image only; 0 when the room is too small.</summary>
    /// <remarks>
    /// The name has 1 to 255 bytes; id and quality are those of the service's directory entry. On a stream that is open it is a reissue,
    /// which takes back the view that it does not repeat.
    /// </remarks>
    public static int EncodeRequest( // wire/domains 5.1
        Span<byte> room, int streamId, ServiceInfo service, ReadOnlySpan<byte> itemName, bool isStreaming, bool wantsRefresh = true,
        bool isPrivate = false, DomainType domain = DomainType.MarketPrice, FieldView? view = null)
    {
        MsgKey key = new();
        key.Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName;
        key.ServiceId = service.Id;
        key.Name = itemName;

        RwfMsg request = new(); // member by member: an initializer would make a second message and copy it
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

    /// <summary>Most bytes of a request with a name of so many bytes.</summary>
    public static int MaxRequestBytes(int nameBytes, FieldView? view) =>
        MarketPriceHeaders.MaxRequestBytes(nameBytes) + (view is null ? 0 : ViewRequest.MaxBytes(view));

    /// <summary>Encodes the message that closes an item; 0 when the room is too small.</summary>
    public static int EncodeClose(Span<byte> room, int streamId, DomainType domain = DomainType.MarketPrice) => // wire/domains 5.5
        DomainMsg.Encode(room, new RwfMsg { MsgClass = MsgClass.Close, DomainType = domain, StreamId = streamId });

    /// <summary>Tells what a refresh or status means for its item.</summary>
    public static ItemChange Classify(scoped in RwfMsg msg) // wire/domains 5.4
    {
        bool isRefresh = msg.MsgClass == MsgClass.Refresh;
        if (!isRefresh && !msg.Has(StatusFlags.HasState))
            return ItemChange.None;
        ItemChange change = Classify(msg.State);
        return isRefresh && change == ItemChange.Good
            ? (msg.Has(RefreshFlags.RefreshComplete) ? ItemChange.Image : ItemChange.None) : change;
    }

    /// <summary>Tells what a state means for its item.</summary>
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

/// <summary>What a refresh or status means for the item it is about.</summary>
internal enum ItemChange : byte
{
    None, // part of an image, or a status without news
    Image, // the item has its image
    Good, // its data are to be trusted again
    Suspect, // the stream stays and its data are not to be trusted: a temporary image, or a warning
    Closed, // nothing more will come for the item
}
