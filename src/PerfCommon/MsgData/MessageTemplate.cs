using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>A message that is encoded once; every send copies it and patches stream id and time stamp.</summary>
/// <remarks>For <c>-preEnc</c> alone: without it each message is encoded field by field. Immutable, free of allocation.</remarks>
internal sealed class MessageTemplate
{
    // list flags u8 | entryCount u16
    private const int EntryCountAt = 1;

    // A stamp that is patched has all eight bytes, so that its length never changes: fieldId i16 | 08 | u64
    private const int StampLengthAt = 2;
    private const int StampValueAt = 3;

    private readonly byte[] _message;
    private readonly int _entryCountAt;
    private readonly ushort _entryCount;
    private readonly short _stampFieldId;

    /// <summary>Encodes the message.</summary>
    /// <param name="header">Header of the message; its stream id is replaced in every copy.</param>
    /// <param name="fields">The payload.</param>
    /// <param name="stampFieldId">Field of the time stamp, such as 3902.</param>
    /// <exception cref="ArgumentException">The header cannot be encoded.</exception>
    public MessageTemplate(in RwfMsg header, FieldListTemplate fields, short stampFieldId)
    {
        ArgumentNullException.ThrowIfNull(fields);
        byte[] room = new byte[ushort.MaxValue + 2 + fields.EncodedBytes];
        RwfWriter writer = new(room);
        if (!writer.TryWriteHeader(header))
            throw new ArgumentException("the header cannot be encoded", nameof(header));

        _entryCountAt = writer.Written + EntryCountAt;
        fields.EncodeList(ref writer);
        _message = room.AsSpan(0, writer.Written).ToArray();
        _entryCount = (ushort)fields.FieldCount;
        _stampFieldId = stampFieldId;
    }

    /// <summary>Bytes of a copy without time stamp.</summary>
    public int Length => _message.Length;

    /// <summary>Bytes of a copy with time stamp.</summary>
    public int LengthWithStamp => _message.Length + FieldListTemplate.MaxStampBytes;

    /// <summary>Writes a copy for one stream.</summary>
    /// <param name="room">At least <see cref="Length"/> bytes.</param>
    /// <param name="streamId">Stream of the item.</param>
    /// <returns>Bytes written.</returns>
    public int CopyTo(Span<byte> room, int streamId)
    {
        _message.CopyTo(room);
        MsgPatch.SetStreamId(room, streamId);
        return _message.Length;
    }

    /// <summary>Writes a copy for one stream with a time stamp as its last field.</summary>
    /// <param name="room">At least <see cref="LengthWithStamp"/> bytes.</param>
    /// <param name="streamId">Stream of the item.</param>
    /// <param name="stamp">Microseconds or nanoseconds of the sender's clock.</param>
    /// <returns>Bytes written.</returns>
    public int CopyTo(Span<byte> room, int streamId, ulong stamp)
    {
        int length = CopyTo(room, streamId);
        BinaryPrimitives.WriteUInt16BigEndian(room[_entryCountAt..], (ushort)(_entryCount + 1));
        Span<byte> field = room.Slice(length, FieldListTemplate.MaxStampBytes);
        BinaryPrimitives.WriteInt16BigEndian(field, _stampFieldId);
        field[StampLengthAt] = sizeof(ulong);
        BinaryPrimitives.WriteUInt64BigEndian(field[StampValueAt..], stamp);
        return LengthWithStamp;
    }
}
