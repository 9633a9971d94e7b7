using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes and reads a request that lists many items; each item has its own stream, whose id follows that of the batch.</summary>
internal static class BatchRequest // wire/domains 5.6
{
    private const int MaxNameBytes = byte.MaxValue; // wire/rwf 9.2

    // flags, counts, lengths, the element's name and type; the length mark of a long name
    private const int ListBytes = 64;
    private const int NameLengthBytes = 3;

    /// <summary>Opens the list of names of a batch.</summary>
    /// <returns>False when it lists none, as in batches of open streams, or cannot be decoded.</returns>
    public static bool TryOpen(scoped in RwfMsg batch, out ArrayReader names)
    {
        names = default;
        if (batch.ContainerType != DataType.ElementList)
            return false;
        DecodeResult result = ElementListReader.TryOpen(batch.Payload, out ElementListReader elements);
        while (result == DecodeResult.Success && (result = elements.TryReadNext(out ElementEntry element)) == DecodeResult.Success)
        {
            if (element.Name.SequenceEqual(":ItemList"u8))
            {
                return element.Type == DataType.Array && ArrayReader.TryOpen(element.Content, out names) == DecodeResult.Success
                    && names.ItemType == DataType.AsciiString;
            }
        }

        return false;
    }

    /// <summary>Creates the request for one of the items.</summary>
    /// <param name="batch">The batch; service, quality and flags are copied from it.</param>
    /// <param name="index">Index of the item, from 0.</param>
    /// <param name="name">Its name.</param>
    /// <param name="request">The request, on the item's own stream.</param>
    /// <returns>False when no such item can exist.</returns>
    public static bool TryMakeRequest(scoped in RwfMsg batch, int index, ReadOnlySpan<byte> name, out ItemRequest request)
    {
        RwfMsg one = batch;
        one.StreamId = batch.StreamId + 1 + index;
        one.Flags &= ~RequestFlags.HasBatch;
        MsgKey key = batch.Key;
        key.Flags |= MsgKeyFlags.HasName;
        key.Name = name;
        one.Key = key;
        request = new ItemRequest(one);
        return name.Length <= MaxNameBytes && one.StreamId > batch.StreamId;
    }

    /// <summary>Returns the maximum bytes of a batch with the given number of names and the given bytes of names.</summary>
    public static int MaxBytes(int nameBytes, int count, FieldView? view = null) =>
        MarketPriceConsumer.MaxRequestBytes(0, view) + ListBytes + nameBytes + (count * NameLengthBytes);

    /// <summary>Writes a batch up to its names; they are written next, as items of the open array.</summary>
    public static void Begin(
        ref RwfWriter writer, int streamId, ServiceInfo service, bool isStreaming, bool isPrivate = false, FieldView? view = null)
    {
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.MarketPrice,
            StreamId = streamId,
            Flags = RequestFlags.HasBatch | (isStreaming ? RequestFlags.Streaming : 0) | (service.Qos is null ? 0 : RequestFlags.HasQos)
                | (isPrivate ? RequestFlags.PrivateStream : 0) | (view is null ? 0 : RequestFlags.HasView),
            ContainerType = DataType.ElementList,
            Qos = service.Qos ?? default,
            Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId, ServiceId = service.Id },
        });
        writer.BeginElementList();
        if (view is not null)
            ViewRequest.WriteElements(ref writer, view); // wire/domains 5.9
        writer.BeginElement(":ItemList"u8, DataType.Array);
        writer.BeginArray(DataType.AsciiString);
    }

    /// <summary>Ends the batch and returns its length.</summary>
    public static int End(ref RwfWriter writer)
    {
        writer.EndArray();
        writer.EndEntry();
        return writer.EndElementList() ? writer.Written : throw new InvalidOperationException("a batch does not fit the room asked for it");
    }

    /// <summary>Encodes the status that closes the batch's stream, when every item is answered or is about to be.</summary>
    public static int EncodeEnd(Span<byte> room, int streamId) => DomainMsg.EncodeStatus(
        room, DomainType.MarketPrice, streamId,
        new RwfState(StreamState.Closed, DataState.NoChange, StateCode.None, "Stream closed for batch"u8));
}
