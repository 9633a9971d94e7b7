using System.Buffers.Binary;

namespace PerfCommon.Codec;

public ref partial struct RwfMsg
{
    private const int HeaderSizeLength = sizeof(ushort); // wire/rwf 2
    private const byte ClassMask = 0x1F; // wire/rwf 2
    private const int PostUserInfoLength = 8; // wire/rwf 2

    /// <summary>Reads the header of a message and locates its payload.</summary>
    /// <param name="message">Exactly the bytes of the message.</param>
    /// <param name="msg">The message; default unless the result is Success.</param>
    /// <returns>Success, Incomplete or Invalid.</returns>
    public static DecodeResult TryDecode(ReadOnlySpan<byte> message, out RwfMsg msg)
    {
        msg = default;
        DecodeResult result = msg.Read(message); // in place: copying a decoded message costs more than reading it
        if (result != DecodeResult.Success)
            msg = default;
        return result;
    }

    private DecodeResult Read(ReadOnlySpan<byte> message)
    {
        if (message.Length < HeaderSizeLength) // wire/rwf 9.1
            return DecodeResult.Incomplete;
        int headerSize = BinaryPrimitives.ReadUInt16BigEndian(message);
        if (headerSize > message.Length - HeaderSizeLength) // wire/rwf 9.1
            return DecodeResult.Incomplete;

        // wire/rwf 2
        RwfReader header = new(message.Slice(HeaderSizeLength, headerSize));
        (PriorityClass, PriorityCount) = (1, 1);
        MsgClass = (MsgClass)(header.ReadByte() & ClassMask);
        DomainType = (DomainType)header.ReadByte();
        StreamId = (int)header.ReadUInt32();
        Flags = header.ReadRb15();
        ContainerType = DataTypes.FromScaled(header.ReadByte());
        if (!header.Good)
            return header.Result;

        Message = message;
        Payload = message[(HeaderSizeLength + headerSize)..];
        // wire/rwf 9.1
        if (!HeaderBits.IsKnown(MsgClass) || (ContainerType == DataType.NoData && !Payload.IsEmpty))
            return DecodeResult.Invalid;
        ref readonly HeaderBits bits = ref HeaderBits.Of(MsgClass);
        ReadMembersBeforeKey(ref header, bits);
        if (Carries(bits.Key))
            Key = MsgKey.Read(ref header);
        ReadMembersAfterKey(ref header, bits);
        return header.Result;
    }

    private void ReadMembersBeforeKey(scoped ref RwfReader header, in HeaderBits bits)
    {
        if (Carries(bits.UpdateType))
            UpdateType = (UpdateType)header.ReadByte();
        if (Carries(bits.AckId))
            AckId = header.ReadUInt32();
        if (Carries(bits.NakCode))
            NakCode = (NakCode)header.ReadByte();
        if (Carries(bits.Text))
            Text = header.ReadBuf16();
        if (Carries(bits.Poster))
            (PostUserAddress, PostUserId) = (header.ReadUInt32(), header.ReadUInt32());
        if (Carries(bits.SeqNum))
            SeqNum = header.ReadUInt32();
        if (Carries(bits.SecondarySeqNum))
            SecondarySeqNum = header.ReadUInt32();
        if (Carries(bits.PostId))
            PostId = header.ReadUInt32();
        if (Carries(bits.ConfInfo))
            (ConflationCount, ConflationTime) = ((ushort)header.ReadRb15(), header.ReadUInt16());
        if (Carries(bits.Priority))
            (PriorityClass, PriorityCount) = (header.ReadByte(), (ushort)header.ReadU16ob());
        if (Carries(bits.State))
            State = RwfPrimitives.ReadState(ref header);
        if (Carries(bits.GroupId))
            GroupId = header.ReadBuf8();
        if (Carries(bits.PermData))
            PermData = header.ReadBuf15();
        if (Carries(bits.Qos))
            Qos = RwfPrimitives.ReadQos(ref header);
        if (Carries(bits.WorstQos))
            WorstQos = RwfPrimitives.ReadQos(ref header);
    }

    private void ReadMembersAfterKey(scoped ref RwfReader header, in HeaderBits bits)
    {
        if (Has(HeaderBits.ExtendedHeader))
            ExtendedHeader = header.ReadBuf8();
        if (CarriesAtEnd(header, bits.PostUserInfo, PostUserInfoLength))
            (PostUserAddress, PostUserId) = (header.ReadUInt32(), header.ReadUInt32());
        if (CarriesAtEnd(header, bits.PartNum, 1))
            PartNum = (ushort)header.ReadRb15();
        if (CarriesAtEnd(header, bits.PostUserRights, 1))
            PostUserRights = (ushort)header.ReadRb15();
    }

    private readonly bool Carries(int bit) => ((Flags | HeaderBits.Always) & bit) != 0;

    // wire/rwf 2
    private bool CarriesAtEnd(scoped in RwfReader header, int flag, int minLength)
    {
        if (header.Good && header.Left < minLength)
            Flags &= ~flag;
        return Has(flag);
    }
}
