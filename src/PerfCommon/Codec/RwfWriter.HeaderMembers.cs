namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    private static bool HasKey(MsgClass msgClass, int flags) => msgClass switch
    {
        MsgClass.Request => true,
        MsgClass.Refresh => (flags & RefreshFlags.HasMsgKey) != 0,
        MsgClass.Status => (flags & StatusFlags.HasMsgKey) != 0,
        MsgClass.Update => (flags & UpdateFlags.HasMsgKey) != 0,
        MsgClass.Ack => (flags & AckFlags.HasMsgKey) != 0,
        MsgClass.Generic => (flags & GenericFlags.HasMsgKey) != 0,
        MsgClass.Post => (flags & PostFlags.HasMsgKey) != 0,
        _ => false,
    };

    // Flags whose member would be empty are dropped; the second key, which only one edition knows, is never written.
    private static int FlagsToWrite(scoped in RwfMsg header)
    {
        bool noPermData = header.PermData.IsEmpty;
        int dropped = header.MsgClass switch
        {
            MsgClass.Refresh => RefreshFlags.HasReqMsgKey | (noPermData ? RefreshFlags.HasPermData : 0),
            MsgClass.Status => StatusFlags.HasReqMsgKey
                | (noPermData ? StatusFlags.HasPermData : 0)
                | (header.GroupId.IsEmpty ? StatusFlags.HasGroupId : 0),
            MsgClass.Update => (noPermData ? UpdateFlags.HasPermData : 0)
                | (header.ConflationCount == 0 && header.ConflationTime == 0 ? UpdateFlags.HasConfInfo : 0),
            MsgClass.Ack => (header.NakCode == NakCode.None ? AckFlags.HasNakCode : 0)
                | (header.Text.IsEmpty ? AckFlags.HasText : 0),
            MsgClass.Generic => GenericFlags.HasReqMsgKey | (noPermData ? GenericFlags.HasPermData : 0),
            MsgClass.Post => noPermData ? PostFlags.HasPermData : 0,
            _ => 0,
        };
        return header.Flags & ~dropped;
    }

    // keySize in its two-byte form | keyFlags rb15 | members by flag, up to the type of the attribute container
    private void PutKeyMembers(scoped in MsgKey key, out int keySizeAt)
    {
        keySizeAt = _position;
        Take(ReservedBuf15);
        PutRb15(key.Flags);
        if (key.Has(MsgKeyFlags.HasServiceId))
            PutU16ob(key.ServiceId);
        if (key.Has(MsgKeyFlags.HasName))
        {
            PutBuf8(key.Name);
            if (key.Has(MsgKeyFlags.HasNameType))
                PutByte(key.NameType);
        }

        if (key.Has(MsgKeyFlags.HasFilter))
            PutUInt32(key.Filter);
        if (key.Has(MsgKeyFlags.HasIdentifier))
            PutUInt32((uint)key.Identifier);
        if (!key.Has(MsgKeyFlags.HasAttrib))
            return;
        if (!DataTypes.IsContainer(key.AttribType) || key.AttribType == DataType.NoData)
            Fail(EncodeProblem.InvalidValue); // readers disagree on an attribute container without data
        PutByte(DataTypes.ToScaled(key.AttribType));
    }

    private void CloseKey(int keySizeAt)
    {
        int size = Limit(_position - keySizeAt - ReservedBuf15, LengthMark.MostRb15);
        PatchUInt16(keySizeAt, size | 0x8000);
    }

    private void PutSeqNum(scoped in RwfMsg header, int flags, int flag)
    {
        if ((flags & flag) != 0)
            PutUInt32(header.SeqNum);
    }

    private void PutPermissions(scoped in RwfMsg header, int flags, int flag)
    {
        if ((flags & flag) != 0)
            PutBuf15(header.PermData);
    }

    private void PutQos(RwfQos qos)
    {
        if (qos.Timeliness is 0 or > 7 || qos.Rate is 0 or > 15)
            Fail(EncodeProblem.InvalidValue);
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        PutBytes(content[..RwfContent.WriteQos(content, qos)]);
    }

    private void PutOpenState(scoped in RwfState state)
    {
        if (state.StreamState == StreamState.Unspecified)
            Fail(EncodeProblem.InvalidValue);
        PutState(state);
    }
}
