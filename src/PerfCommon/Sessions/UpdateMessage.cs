using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>An update of market price: the shortest header, a field list, a stamp as its last field.</summary>
internal static class UpdateMessage
{
    /// <summary>Most bytes of an update with these fields.</summary>
    public static int MaxBytes(FieldListTemplate fields) =>
        Math.Max(fields.EstimatedBytes, MarketPriceHeaders.MaxUpdateBytes(fields.EncodedBytes));

    /// <summary>Encodes an update into room of at least <see cref="MaxBytes"/>, with a stamp unless it is 0.</summary>
    /// <returns>Its bytes.</returns>
    public static int Encode(Span<byte> room, int streamId, FieldListTemplate fields, ulong stamp)
    {
        MarketPriceHeaders.WriteUpdateHeader(room, streamId);
        int listBytes = fields.EncodeList(room[MarketPriceHeaders.UpdateHeaderBytes..], StampFields.Update, stamp);
        return listBytes > 0
            ? MarketPriceHeaders.UpdateHeaderBytes + listBytes
            : throw new InvalidOperationException("an update does not fit the room measured for it");
    }

    /// <summary>Queues an update.</summary>
    /// <returns>False while no output buffer is free.</returns>
    public static bool TrySend(MessageOutput output, int streamId, FieldListTemplate fields, ulong stamp)
    {
        if (!output.TryBegin(MaxBytes(fields), out Span<byte> room))
            return false;
        output.End(Encode(room, streamId, fields, stamp), MessageKind.Update);
        return true;
    }
}
