using System.Buffers.Binary;

namespace PerfCommon.Codec;

public ref partial struct RwfMsg
{
    private const int HeaderSizeLength = sizeof(ushort);
    private const byte ClassMask = 0x1F; // the top three bits are reserved
    private const int PostUserInfoLength = 8;

    /// <summary>Reads the header of a message and finds its payload.</summary>
    /// <param name="message">The whole message, no byte more.</param>
    /// <param name="msg">The message; default unless the result is Success.</param>
    /// <returns>Success, Incomplete or Invalid.</returns>
    public static DecodeResult TryDecode(ReadOnlySpan<byte> message, out RwfMsg msg)
    {
        msg = default;
        if (message.Length < HeaderSizeLength)
            return DecodeResult.Incomplete;
        int headerSize = BinaryPrimitives.ReadUInt16BigEndian(message);
        if (headerSize > message.Length - HeaderSizeLength)
            return DecodeResult.Incomplete;

        // headerSize uint16 | class | domain | streamId int32 | flags rb15 | containerType | members of the class
        RwfReader header = new(message.Slice(HeaderSizeLength, headerSize));
        RwfMsg read = new();
        read.MsgClass = (MsgClass)(header.ReadByte() & ClassMask);
        read.DomainType = (DomainType)header.ReadByte();
        read.StreamId = (int)header.ReadUInt32();
        read.Flags = header.ReadRb15();
        read.ContainerType = DataTypes.FromScaled(header.ReadByte());
        if (!header.Good)
            return header.Result;

        read.Message = message;
        read.Payload = message[(HeaderSizeLength + headerSize)..];
        if (read.ContainerType == DataType.NoData && !read.Payload.IsEmpty)
            return DecodeResult.Invalid;
        read.ReadMembers(ref header);
        if (header.Good)
            msg = read;
        return header.Result;
    }

    private void ReadMembers(scoped ref RwfReader header)
    {
        switch (MsgClass)
        {
            case MsgClass.Request:
                ReadRequest(ref header);
                break;
            case MsgClass.Refresh:
                ReadRefresh(ref header);
                break;
            case MsgClass.Status:
                ReadStatus(ref header);
                break;
            case MsgClass.Update:
                ReadUpdate(ref header);
                break;
            case MsgClass.Close:
                ReadExtendedHeader(ref header);
                break;
            case MsgClass.Ack:
                ReadAck(ref header);
                break;
            case MsgClass.Generic:
                ReadGeneric(ref header);
                break;
            case MsgClass.Post:
                ReadPost(ref header);
                break;
            default:
                header.Fail(DecodeResult.Invalid);
                break;
        }
    }

    private void ReadSeqNum(scoped ref RwfReader header, int flag)
    {
        if (Has(flag))
            SeqNum = header.ReadUInt32();
    }

    private void ReadPermData(scoped ref RwfReader header, int flag)
    {
        if (Has(flag))
            PermData = header.ReadBuf15();
    }

    private void ReadKey(scoped ref RwfReader header, int flag)
    {
        if (Has(flag))
            Key = MsgKey.Read(ref header);
    }

    private void ReadExtendedHeader(scoped ref RwfReader header)
    {
        if (Has(RequestFlags.HasExtendedHeader)) // the same bit in every class
            ExtendedHeader = header.ReadBuf8();
    }

    // The last members may be missing although their flag is set: then the flag is cleared.
    private void ReadPostUserInfo(scoped ref RwfReader header, int flag)
    {
        if (!Has(flag))
            return;
        if (header.Good && header.Left < PostUserInfoLength)
        {
            Flags &= ~flag;
            return;
        }

        PostUserAddress = header.ReadUInt32();
        PostUserId = header.ReadUInt32();
    }

    private ushort ReadTail(scoped ref RwfReader header, int flag)
    {
        if (!Has(flag))
            return 0;
        if (!header.Good || header.Left > 0)
            return (ushort)header.ReadRb15();
        Flags &= ~flag;
        return 0;
    }
}
