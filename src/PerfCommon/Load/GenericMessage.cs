using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>
/// Encodes a generic message on an item's stream: the shortest header, a field list with a stamp as its last field, or a map whose summary
/// is the stamp.
/// </summary>
internal static class GenericMessage
{
    private static readonly byte[] Header = CreateHeader(DomainType.MarketPrice);
    private static readonly byte[] OrderBookHeader = CreateHeader(DomainType.MarketByOrder);

    /// <summary>Returns the maximum bytes of a generic message with these fields.</summary>
    public static int MaxBytes(FieldListTemplate fields) =>
        Math.Max(fields.EstimatedBytes, Header.Length + fields.EncodedBytes + FieldListEncoder.Slack);

    /// <summary>
    /// Encodes a generic message into a buffer of at least <see cref="MaxBytes(FieldListTemplate)"/>, with a stamp unless it is 0.
    /// </summary>
    /// <returns>Its length.</returns>
    public static int Encode(Span<byte> room, int streamId, FieldListTemplate fields, ulong stamp)
    {
        Header.CopyTo(room);
        MsgPatch.SetStreamId(room, streamId);
        int listBytes = fields.EncodeList(room[Header.Length..], StampFields.Generic, stamp);
        return listBytes > 0
            ? Header.Length + listBytes
            : throw new InvalidOperationException("a generic message does not fit the room measured for it");
    }

    /// <summary>Returns the maximum bytes of a generic message with this map.</summary>
    public static int MaxBytes(FieldMapTemplate map) => Math.Max(map.EstimatedBytes, OrderBookHeader.Length + map.MaxBytes);

    /// <inheritdoc cref="Encode(Span{byte}, int, FieldListTemplate, ulong)"/>
    public static int Encode(Span<byte> room, int streamId, FieldMapTemplate map, ulong stamp)
    {
        OrderBookHeader.CopyTo(room);
        MsgPatch.SetStreamId(room, streamId);
        return OrderBookHeader.Length + map.Encode(room[OrderBookHeader.Length..], StampFields.Generic, stamp);
    }

    private static byte[] CreateHeader(DomainType domain)
    {
        byte[] header = new byte[MarketPriceHeaders.GenericHeaderBytes];
        RwfWriter writer = new(header);
        MarketPriceHeaders.TryWriteGenericHeader(ref writer, streamId: 0, domain);
        return header;
    }
}
