using PerfCommon.Codec;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>An update of market price: the shortest header, a field list, a stamp as its last field.</summary>
internal static class UpdateMessage
{
    // header of an update without members
    private const int HeaderBytes = 11;

    /// <summary>Most bytes of an update with these fields.</summary>
    public static int MaxBytes(FieldListTemplate fields) =>
        Math.Max(fields.EstimatedBytes, HeaderBytes + fields.EncodedBytes + FieldListTemplate.MostStampBytes);

    /// <summary>Encodes an update.</summary>
    /// <param name="room">At least <see cref="MaxBytes"/>.</param>
    /// <param name="streamId">Stream of the item.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">The time stamp; 0 for none.</param>
    /// <returns>Its bytes.</returns>
    public static int Encode(Span<byte> room, int streamId, FieldListTemplate fields, ulong stamp)
    {
        RwfWriter writer = new(room);
        writer.TryWriteUpdateHeader(DomainType.MarketPrice, streamId, DataType.FieldList, UpdateType.Unspecified);
        bool fits = stamp != 0 ? fields.EncodeList(ref writer, StampFields.Update, stamp) : fields.EncodeList(ref writer);
        return fits ? writer.Written : throw new InvalidOperationException("an update does not fit the room measured for it");
    }
}
