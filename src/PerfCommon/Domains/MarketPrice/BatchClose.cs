using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes and reads a message that closes several streams at once.</summary>
internal static class BatchClose // wire/domains 5.6
{
    // header, flags and count of the list, name and type of its element, head of the array
    private const int FixedBytes = 64;

    private static ReadOnlySpan<byte> ListName => ":StreamIdList"u8;

    /// <summary>Returns the maximum bytes of a close of the given number of streams.</summary>
    public static int MaxBytes(int streams) => FixedBytes + (streams * sizeof(int));

    /// <summary>Opens the list of streams in a close.</summary>
    /// <returns>False for an ordinary close, which closes only its own stream.</returns>
    public static bool TryOpen(scoped in RwfMsg close, out ArrayReader streams)
    {
        streams = default;
        if (!close.Has(CloseFlags.HasBatch) || close.ContainerType != DataType.ElementList)
            return false;
        DecodeResult result = ElementListReader.TryOpen(close.Payload, out ElementListReader elements);
        while (result == DecodeResult.Success && (result = elements.TryReadNext(out ElementEntry element)) == DecodeResult.Success)
        {
            if (element.Name.SequenceEqual(ListName))
            {
                return element.Type == DataType.Array && ArrayReader.TryOpen(element.Content, out streams) == DecodeResult.Success
                    && streams.ItemType == DataType.Int;
            }
        }

        return false;
    }

    /// <summary>Reads the next stream.</summary>
    /// <returns>False at the end, or where the list cannot be decoded.</returns>
    public static bool TryReadNext(ref ArrayReader streams, out int streamId)
    {
        streamId = 0;
        if (streams.TryReadNext(out ReadOnlySpan<byte> content) != DecodeResult.Success
            || RwfPrimitives.TryReadInt(content, out long number) != DecodeResult.Success || number is < int.MinValue or > int.MaxValue)
        {
            return false;
        }

        streamId = (int)number;
        return true;
    }

    /// <summary>Encodes a close of several streams; it is sent on a stream that is not open.</summary>
    /// <returns>Its length; 0 when the buffer is too small.</returns>
    public static int Encode(Span<byte> room, DomainType domain, params ReadOnlySpan<int> streamIds)
    {
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Close,
            DomainType = domain,
            StreamId = StreamIds.Batch,
            Flags = CloseFlags.HasBatch,
            ContainerType = DataType.ElementList,
        });
        writer.BeginElementList();
        writer.BeginElement(ListName, DataType.Array);
        writer.BeginArray(DataType.Int, sizeof(int));
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        foreach (int streamId in streamIds)
        {
            BinaryPrimitives.WriteInt32BigEndian(bytes, streamId);
            writer.WriteItem(bytes);
        }

        writer.EndArray();
        writer.EndEntry();
        return writer.EndElementList() ? writer.Written : 0;
    }
}
