using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>Encodes the image of an item: all fields of the refresh message, then the stamp fields, blank.</summary>
internal static class RefreshEncoder
{
    public static int MostBytes(FieldListTemplate refresh, int nameBytes)
    {
        int needed = MarketPriceHeaders.MaxRefreshBytes(nameBytes, refresh.EncodedBytes);
        return Math.Max(needed, refresh.EstimatedBytes + nameBytes);
    }

    public static int Encode(
        Span<byte> room, MarketPriceProvider provider, FieldListTemplate refresh, int streamId, ReadOnlySpan<byte> name, ItemTraits traits)
    {
        RwfWriter writer = new(room);
        byte? nameType = (traits & ItemTraits.NameTypeGiven) != 0 ? MarketPriceHeaders.RicNameType : null;
        bool streams = (traits & ItemTraits.Streaming) != 0;
        bool solicited = (traits & ItemTraits.Solicited) != 0;
        provider.TryWriteRefreshHeader(ref writer, streamId, name, nameType, streams, solicited);
        writer.BeginFieldList();
        refresh.EncodeFields(ref writer);
        StampFields.WriteBlanks(ref writer);
        return writer.EndFieldList() ? writer.Written : throw new InvalidOperationException("an image does not fit the room measured for it");
    }
}
