using PerfCommon.Codec;
using PerfCommon.MsgData;

namespace PerfCommon.Load;

/// <summary>Encodes messages of a load, of any kind, in one call: header, payload, stamp.</summary>
internal static class StampedMessage
{
    /// <summary>Returns the maximum bytes of a message with these fields.</summary>
    public static int MaxBytes<TMessage>(this TMessage _, FieldListTemplate fields)
        where TMessage : struct, IStampedMessage =>
        Math.Max(fields.EstimatedBytes, TMessage.HeaderBytes + fields.EncodedBytes + FieldListEncoder.Slack);

    /// <summary>Returns the maximum bytes of a message with this map.</summary>
    public static int MaxBytes<TMessage>(this TMessage _, FieldMapTemplate map)
        where TMessage : struct, IStampedMessage =>
        Math.Max(map.EstimatedBytes, TMessage.HeaderBytes + map.MaxBytes);

    /// <summary>Encodes a message into a buffer of at least its maximum bytes, with a stamp unless it is 0.</summary>
    /// <returns>Its length.</returns>
    public static int Encode<TMessage>(this TMessage message, Span<byte> room, int streamId, FieldListTemplate fields, ulong stamp)
        where TMessage : struct, IStampedMessage
    {
        message.WriteHeader(room, streamId, isOrderBook: false);
        int listBytes = fields.EncodeList(room[TMessage.HeaderBytes..], TMessage.StampField, stamp);
        return listBytes > 0
            ? TMessage.HeaderBytes + listBytes
            : throw new InvalidOperationException($"{TMessage.Name} does not fit the room measured for it");
    }

    /// <inheritdoc cref="Encode{TMessage}(TMessage, Span{byte}, int, FieldListTemplate, ulong)"/>
    public static int Encode<TMessage>(this TMessage message, Span<byte> room, int streamId, FieldMapTemplate map, ulong stamp)
        where TMessage : struct, IStampedMessage
    {
        message.WriteHeader(room, streamId, isOrderBook: true);
        return TMessage.HeaderBytes + map.Encode(room[TMessage.HeaderBytes..], TMessage.StampField, stamp);
    }
}
