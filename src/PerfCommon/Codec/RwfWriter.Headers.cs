using System.Buffers.Binary;

namespace PerfCommon.Codec;

// Message headers: start, members before the key, key, members after it. The payload follows without a length.
public ref partial struct RwfWriter
{
    private const int UpdateHeaderLength = 11;

    private static ReadOnlySpan<byte> NoGroup => [0, 0];

    /// <summary>Writes the header of a message, attribute bytes included; write the payload next, if there is any.</summary>
    /// <param name="header">
    /// The members; those count that the class has and whose flag is set. Flags of empty permission data, group, text, nak
    /// code and conflation information are dropped. An empty group of a refresh becomes two zero bytes.
    /// </param>
    /// <returns>False when the writer has failed.</returns>
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

    /// <summary>Writes the smallest header of an update, 11 bytes: no flags, no optional members. For the hot path.</summary>
    /// <param name="domain">Domain.</param>
    /// <param name="streamId">Id of the stream.</param>
    /// <param name="containerType">Container type of the payload.</param>
    /// <param name="updateType">Kind of the update.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool TryWriteUpdateHeader(
        DomainType domain,
        int streamId,
        DataType containerType = DataType.FieldList,
        UpdateType updateType = UpdateType.Unspecified)
    {
        ReserveLength();
        Span<byte> room = Take(UpdateHeaderLength);
        if (room.Length < UpdateHeaderLength)
            return false;

        // headerSize uint16 | class | domain | streamId int32 | flags 0 | containerType | updateType
        BinaryPrimitives.WriteUInt16BigEndian(room, UpdateHeaderLength - sizeof(ushort));
        room[2] = (byte)MsgClass.Update;
        room[3] = (byte)domain;
        BinaryPrimitives.WriteInt32BigEndian(room[4..], streamId);
        room[8] = 0;
        room[9] = DataTypes.ToScaled(containerType);
        room[10] = (byte)updateType;
        return true;
    }

    /// <summary>Begins a header whose attribute container is written in place: write it, then call <see cref="EndHeader"/>.</summary>
    /// <param name="header">As for <see cref="TryWriteHeader"/>, with the attribute flag and type; its bytes are not used.</param>
    /// <returns>False when the writer has failed.</returns>
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
    /// <returns>False when the writer has failed.</returns>
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
                PutSeqNum(header, flags, GenericFlags.HasSeqNum);
                if ((flags & GenericFlags.HasSecondarySeqNum) != 0)
                    PutUInt32(header.SecondarySeqNum);
                PutPermissions(header, flags, GenericFlags.HasPermData);
                break;
            case MsgClass.Post:
                PutPost(header, flags);
                break;
            default:
                Fail(EncodeProblem.InvalidValue);
                break;
        }
    }

    private void PutRequest(scoped in RwfMsg header, int flags)
    {
        if ((flags & RequestFlags.HasPriority) != 0)
        {
            PutByte(header.PriorityClass);
            PutU16ob(header.PriorityCount);
        }

        if ((flags & RequestFlags.HasQos) != 0)
            PutQos(header.Qos);
        if ((flags & RequestFlags.HasWorstQos) != 0)
            PutQos(header.WorstQos);
    }

    private void PutRefresh(scoped in RwfMsg header, int flags)
    {
        PutSeqNum(header, flags, RefreshFlags.HasSeqNum);
        PutOpenState(header.State);
        PutBuf8(header.GroupId.IsEmpty ? NoGroup : header.GroupId);
        PutPermissions(header, flags, RefreshFlags.HasPermData);
        if ((flags & RefreshFlags.HasQos) != 0)
            PutQos(header.Qos);
    }

    private void PutStatus(scoped in RwfMsg header, int flags)
    {
        if ((flags & StatusFlags.HasState) != 0)
            PutOpenState(header.State);
        if ((flags & StatusFlags.HasGroupId) != 0)
            PutBuf8(header.GroupId);
        PutPermissions(header, flags, StatusFlags.HasPermData);
    }

    private void PutUpdate(scoped in RwfMsg header, int flags)
    {
        PutByte((int)header.UpdateType);
        PutSeqNum(header, flags, UpdateFlags.HasSeqNum);
        if ((flags & UpdateFlags.HasConfInfo) != 0)
        {
            PutRb15(header.ConflationCount);
            PutUInt16(header.ConflationTime);
        }

        PutPermissions(header, flags, UpdateFlags.HasPermData);
    }

    private void PutAck(scoped in RwfMsg header, int flags)
    {
        PutUInt32(header.AckId);
        if ((flags & AckFlags.HasNakCode) != 0)
            PutByte((int)header.NakCode);
        if ((flags & AckFlags.HasText) != 0)
            PutBuf16(header.Text);
        PutSeqNum(header, flags, AckFlags.HasSeqNum);
    }

    private void PutPost(scoped in RwfMsg header, int flags)
    {
        PutUInt32(header.PostUserAddress);
        PutUInt32(header.PostUserId);
        PutSeqNum(header, flags, PostFlags.HasSeqNum);
        if ((flags & PostFlags.HasPostId) != 0)
            PutUInt32(header.PostId);
        PutPermissions(header, flags, PostFlags.HasPermData);
    }

    private void PutMembersAfterKey(scoped in RwfMsg header, int flags)
    {
        if ((flags & RequestFlags.HasExtendedHeader) != 0) // the same bit in every class
            PutBuf8(header.ExtendedHeader);
        if (HasFlagOf(header.MsgClass, flags, RefreshFlags.HasPostUserInfo, StatusFlags.HasPostUserInfo, UpdateFlags.HasPostUserInfo))
        {
            PutUInt32(header.PostUserAddress);
            PutUInt32(header.PostUserId);
        }

        int partNum = header.MsgClass switch
        {
            MsgClass.Refresh => RefreshFlags.HasPartNum,
            MsgClass.Generic => GenericFlags.HasPartNum,
            MsgClass.Post => PostFlags.HasPartNum,
            _ => 0,
        };
        if ((flags & partNum) != 0)
            PutRb15(header.PartNum);
        if (header.MsgClass == MsgClass.Post && (flags & PostFlags.HasPostUserRights) != 0)
            PutRb15(header.PostUserRights);
    }

    private static bool HasFlagOf(MsgClass msgClass, int flags, int refresh, int status, int update) => msgClass switch
    {
        MsgClass.Refresh => (flags & refresh) != 0,
        MsgClass.Status => (flags & status) != 0,
        MsgClass.Update => (flags & update) != 0,
        _ => false,
    };
}
