using System.Buffers.Binary;

namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    // headerSize uint16 = 9 | class | domain | streamId int32, one store; then flags | containerType | updateType
    private const int UpdateHeaderLength = 11;
    private const int UpdateHeaderSize = UpdateHeaderLength - sizeof(ushort);
    private const int UpdateFlagsAt = 8;

    /// <summary>Writes the header of an update without optional members, the short way; write the payload next.</summary>
    /// <param name="domain">Domain of the item.</param>
    /// <param name="streamId">Stream of the item.</param>
    /// <param name="container">Type of the payload.</param>
    /// <param name="type">Kind of event behind the update.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool TryWriteUpdateHeader(DomainType domain, int streamId, DataType container, UpdateType type)
    {
        Span<byte> room = _room[_position..];
        if (room.Length < UpdateHeaderLength)
        {
            Fail(EncodeProblem.NoRoom);
            return false;
        }

        ulong head = ((ulong)UpdateHeaderSize << 48) | ((ulong)MsgClass.Update << 40) | ((ulong)domain << 32) | (uint)streamId;
        BinaryPrimitives.WriteUInt64BigEndian(room, head);
        room[UpdateFlagsAt] = 0;
        room[UpdateFlagsAt + 1] = DataTypes.ToScaled(container);
        room[UpdateFlagsAt + 2] = (byte)type;
        _position += UpdateHeaderLength;
        return true;
    }
}
