using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>A message that is encoded once; every send copies it and sets stream id and time stamp in the copy.</summary>
/// <remarks>For <c>-preEnc</c> alone: without it each message is encoded field by field. Immutable, free of allocation.</remarks>
internal sealed class MessageTemplate
{
    // Placeholder stamps have all eight bytes, as a real one has, so that the length never changes; they differ from their first byte on.
    private const ulong SomeStamp = ulong.MaxValue;
    private const ulong OtherStamp = 0xFEFE_FEFE_FEFE_FEFE;

    private readonly byte[] _message;
    private readonly byte[] _stamped;
    private readonly int _stampAt;

    /// <summary>Encodes the message.</summary>
    /// <param name="header">Header of the message; its stream id is replaced in every copy.</param>
    /// <param name="fields">The payload.</param>
    /// <param name="stampFieldId">Field of the time stamp, such as 3902.</param>
    /// <exception cref="ArgumentException">The header cannot be encoded.</exception>
    public MessageTemplate(in RwfMsg header, FieldListTemplate fields, short stampFieldId)
        : this(header, fields.EncodedBytes + FieldListTemplate.MaxStampBytes,
            (ref RwfWriter writer, ulong stamp) => fields.EncodeList(ref writer, stampFieldId, stamp))
    {
    }

    /// <inheritdoc cref="MessageTemplate(in RwfMsg, FieldListTemplate, short)"/>
    public MessageTemplate(in RwfMsg header, FieldMapTemplate map, short stampFieldId)
        : this(header, map.MaxBytes, (ref RwfWriter writer, ulong stamp) => map.Encode(ref writer, stampFieldId, stamp))
    {
    }

    private MessageTemplate(in RwfMsg header, int maxPayloadBytes, PayloadWriter writePayload)
    {
        byte[] room = new byte[ushort.MaxValue + 2 + maxPayloadBytes];
        _message = Encode(room, header, writePayload, stamp: 0);
        _stamped = Encode(room, header, writePayload, SomeStamp);
        _stampAt = _stamped.AsSpan().CommonPrefixLength(Encode(room, header, writePayload, OtherStamp));
    }

    private delegate bool PayloadWriter(ref RwfWriter writer, ulong stamp);

    /// <summary>Bytes of a copy without time stamp.</summary>
    public int Length => _message.Length;

    /// <summary>Bytes of a copy with time stamp.</summary>
    public int LengthWithStamp => _stamped.Length;

    /// <summary>Writes a copy for one stream.</summary>
    /// <param name="room">At least <see cref="Length"/> bytes.</param>
    /// <param name="streamId">Stream of the item.</param>
    /// <returns>Bytes written.</returns>
    public int CopyTo(Span<byte> room, int streamId)
    {
        MsgCopy.Copy(_message, room);
        MsgPatch.SetStreamId(room, streamId);
        return _message.Length;
    }

    /// <summary>Writes a copy for one stream with a time stamp.</summary>
    /// <param name="room">At least <see cref="LengthWithStamp"/> bytes.</param>
    /// <param name="streamId">Stream of the item.</param>
    /// <param name="stamp">Microseconds or nanoseconds of the sender's clock.</param>
    /// <returns>Bytes written.</returns>
    public int CopyTo(Span<byte> room, int streamId, ulong stamp)
    {
        MsgCopy.Copy(_stamped, room);
        MsgPatch.SetStreamId(room, streamId);
        BinaryPrimitives.WriteUInt64BigEndian(room[_stampAt..], stamp);
        return _stamped.Length;
    }

    private static byte[] Encode(byte[] room, in RwfMsg header, PayloadWriter writePayload, ulong stamp)
    {
        RwfWriter writer = new(room);
        return writer.TryWriteHeader(header) && writePayload(ref writer, stamp)
            ? room[..writer.Written]
            : throw new ArgumentException("the header cannot be encoded", nameof(header));
    }
}
