namespace PerfCommon.Codec;

// Message headers: start, members before the key, key, members after it. The payload follows without a length.
public ref partial struct RwfWriter
{
    /// <summary>Writes the header of a message, attribute bytes included; write the payload next, if there is any.</summary>
    /// <param name="header">
    /// The members; those count that the class has and whose flag is set. Flags of empty permission data, group, text, nak
    /// code and conflation information are dropped. An empty group of a refresh becomes two zero bytes.
    /// </param>
    public bool TryWriteHeader(scoped in RwfMsg header)
    {
        if (!BeginHeaderMembers(header, out int flags))
            return false;
        if (HasKey(header.MsgClass, flags))
        {
            PutKeyMembers(header.Key, out int keySizeAt);
            if (header.Key.Has(MsgKeyFlags.HasAttrib))
                PutBuf15(header.Key.Attrib);
            CloseKey(keySizeAt);
        }

        return EndHeaderMembers(header, flags);
    }

    /// <summary>Begins a header whose attribute container is written in place: write it, then call <see cref="EndHeader"/>.</summary>
    /// <param name="header">As for <see cref="TryWriteHeader"/>, with the attribute flag and type; its bytes are not used.</param>
    public bool BeginHeader(scoped in RwfMsg header)
    {
        if (!BeginHeaderMembers(header, out int flags))
            return false;
        if (!HasKey(header.MsgClass, flags) || !header.Key.Has(MsgKeyFlags.HasAttrib))
            ThrowMisuse("the header has no attribute container");
        PutKeyMembers(header.Key, out int keySizeAt);
        _open.CountAt = keySizeAt;
        _open.LengthAt = PendingBuf15;
        return !Failed;
    }

    /// <summary>Ends a header begun by <see cref="BeginHeader"/>; write the payload next, if there is any.</summary>
    /// <param name="header">The same members again.</param>
    public bool EndHeader(scoped in RwfMsg header)
    {
        if (!CheckOpen(FrameKind.Header))
            return false;
        EndSummary(); // the container has the same kind of length
        CloseKey(_open.CountAt);
        return EndHeaderMembers(header, FlagsToWrite(header));
    }

    // headerSize uint16 | class | domain | streamId int32 | flags rb15 | containerType | members of the class
    private bool BeginHeaderMembers(scoped in RwfMsg header, out int flags)
    {
        flags = FlagsToWrite(header);
        if (!Push(FrameKind.Header))
            return false;
        PutUInt16(0);
        PutByte((int)header.MsgClass);
        PutByte((int)header.DomainType);
        PutUInt32((uint)header.StreamId);
        PutRb15(flags);
        PutByte(DataTypes.ToScaled(header.ContainerType));
        PutMembersBeforeKey(header, flags);
        return !Failed;
    }

    private bool EndHeaderMembers(scoped in RwfMsg header, int flags)
    {
        PutMembersAfterKey(header, flags);
        PatchUInt16(_open.HeadAt, _position - _open.HeadAt - sizeof(ushort));
        return Pop();
    }

    private void PutMembersBeforeKey(scoped in RwfMsg header, int flags)
    {
        switch (header.MsgClass)
        {
            case MsgClass.Request:
                PutRequest(header, flags);
                break;
            case MsgClass.Refresh:
                PutRefresh(header, flags);
                break;
            case MsgClass.Status:
                PutStatus(header, flags);
                break;
            case MsgClass.Update:
                PutUpdate(header, flags);
                break;
            case MsgClass.Close:
                break;
            case MsgClass.Ack:
                PutAck(header, flags);
                break;
            case MsgClass.Generic:
                PutGeneric(header, flags);
                break;
            case MsgClass.Post:
                PutPost(header, flags);
                break;
            default:
                Fail(EncodeProblem.InvalidValue);
                break;
        }
    }

    private void PutMembersAfterKey(scoped in RwfMsg header, int flags)
    {
        if ((flags & RequestFlags.HasExtendedHeader) != 0) // the same bit in every class
            PutBuf8(header.ExtendedHeader);
        (_, int postUserInfo, int partNum) = BitsOf(header.MsgClass);
        if ((flags & postUserInfo) != 0)
        {
            PutUInt32(header.PostUserAddress);
            PutUInt32(header.PostUserId);
        }

        if ((flags & partNum) != 0)
            PutRb15(header.PartNum);
        if (header.MsgClass == MsgClass.Post && (flags & PostFlags.HasPostUserRights) != 0)
            PutRb15(header.PostUserRights);
    }

    private static bool HasKey(MsgClass msgClass, int flags) =>
        msgClass == MsgClass.Request || (flags & BitsOf(msgClass).Key) != 0;

    // The bits of key, user information and part number, which each class has elsewhere; 0 where it has no such member.
    private static (int Key, int PostUserInfo, int PartNum) BitsOf(MsgClass msgClass) => msgClass switch
    {
        MsgClass.Refresh => (RefreshFlags.HasMsgKey, RefreshFlags.HasPostUserInfo, RefreshFlags.HasPartNum),
        MsgClass.Status => (StatusFlags.HasMsgKey, StatusFlags.HasPostUserInfo, 0),
        MsgClass.Update => (UpdateFlags.HasMsgKey, UpdateFlags.HasPostUserInfo, 0),
        MsgClass.Ack => (AckFlags.HasMsgKey, 0, 0),
        MsgClass.Generic => (GenericFlags.HasMsgKey, 0, GenericFlags.HasPartNum),
        MsgClass.Post => (PostFlags.HasMsgKey, 0, PostFlags.HasPartNum),
        _ => default,
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
