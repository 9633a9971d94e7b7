using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Encodes an update: the shortest header, a field list with a stamp as its last field, or a map whose summary is the stamp.</summary>
internal static class UpdateMessage
{
    /// <summary>Returns the maximum bytes of an update with these fields.</summary>
    public static int MaxBytes(FieldListTemplate fields) =>
        Math.Max(fields.EstimatedBytes, MarketPriceHeaders.MaxUpdateBytes(fields.EncodedBytes));

    /// <summary>Encodes an update into a buffer of at least <see cref="MaxBytes(FieldListTemplate)"/>, with a stamp unless it is 0.</summary>
    /// <returns>Its length.</returns>
    public static int Encode(Span<byte> room, int streamId, FieldListTemplate fields, ulong stamp)
    {
        MarketPriceHeaders.WriteUpdateHeader(room, streamId);
        int listBytes = fields.EncodeList(room[MarketPriceHeaders.UpdateHeaderBytes..], StampFields.Update, stamp);
        return listBytes > 0
            ? MarketPriceHeaders.UpdateHeaderBytes + listBytes
            : throw new InvalidOperationException("an update does not fit the room measured for it");
    }

    /// <summary>Returns the maximum bytes of an update with this map.</summary>
    public static int MaxBytes(FieldMapTemplate map) => Math.Max(map.EstimatedBytes, MarketPriceHeaders.UpdateHeaderBytes + map.MaxBytes);

    /// <inheritdoc cref="Encode(Span{byte}, int, FieldListTemplate, ulong)"/>
    public static int Encode(Span<byte> room, int streamId, FieldMapTemplate map, ulong stamp)
    {
        UpdateHeader.Write(room, DomainType.MarketByOrder, streamId, DataType.Map, UpdateType.Unspecified);
        return MarketPriceHeaders.UpdateHeaderBytes + map.Encode(room[MarketPriceHeaders.UpdateHeaderBytes..], StampFields.Update, stamp);
    }

    /// <summary>Queues an update.</summary>
    /// <returns>False while no output buffer is free.</returns>
    public static bool TrySend(MessageOutput output, int streamId, FieldListTemplate fields, ulong stamp, FieldView? view = null)
    {
        if (!output.TryBegin(MaxBytes(fields), out Span<byte> room))
            return false;
        int bytes = Encode(room, streamId, fields, stamp);
        if (view is not null)
        {
            const int header = MarketPriceHeaders.UpdateHeaderBytes;
            bytes = header + FieldListFilter.Apply(room[header..bytes], view, out _);
        }

        output.End(bytes, MessageKind.Update);
        return true;
    }
}
