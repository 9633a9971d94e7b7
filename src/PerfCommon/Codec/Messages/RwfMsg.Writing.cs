namespace PerfCommon.Codec;

// Message headers: start, members before the key, key, members after it. The payload follows without a length.
public ref partial struct RwfWriter
{
    private static ReadOnlySpan<byte> NoGroup => [0, 0]; // wire/rwf 2

    /// <summary>Writes the header of a message, attribute bytes included; write the payload next, if any.</summary>
    /// <param name="header">
    /// The members; written are those that the class has and whose flag is set. Flags of empty permission data, group, text, nak
    /// code and conflation information are dropped. An empty group of a refresh becomes two zero bytes.
    /// </param>
    public bool TryWriteHeader(scoped in RwfMsg header)
    {
        if (!BeginHeaderMembers(header))
            return false;
        if (HasKey(header))
        {
            PutKeyMembers(header.Key, out int keySizeAt);
            if (header.Key.Has(MsgKeyFlags.HasAttrib))
                PutBuf15(header.Key.Attrib);
            CloseKey(keySizeAt);
        }

        return EndHeaderMembers(header);
    }

    /// <summary>Begins a header whose attribute container is written in place: write it next, then call <see cref="EndHeader"/>.</summary>
    /// <param name="header">As for <see cref="TryWriteHeader"/>, with the attribute flag and type; its bytes are not used.</param>
    public bool BeginHeader(scoped in RwfMsg header)
    {
        if (!BeginHeaderMembers(header))
            return false;
        if (!HasKey(header) || !header.Key.Has(MsgKeyFlags.HasAttrib))
            ThrowMisuse("the header has no attribute container");
        PutKeyMembers(header.Key, out int keySizeAt);
        _open.CountAt = keySizeAt;
        _open.LengthAt = PendingBuf15;
        return !Failed;
    }

    /// <summary>Ends a header begun by <see cref="BeginHeader"/>; write the payload next, if any.</summary>
    /// <param name="header">The same members again.</param>
    public bool EndHeader(scoped in RwfMsg header)
    {
        if (!CheckOpen(FrameKind.Header))
            return false;
        EndSummary(); // the container has the same kind of length
        CloseKey(_open.CountAt);
        return EndHeaderMembers(header);
    }

    // wire/rwf 2
    private bool BeginHeaderMembers(scoped in RwfMsg header)
    {
        if (!Push(FrameKind.Header))
            return false;
        int flags = FlagsToWrite(header);
        PutUInt16(0);
        PutByte((int)header.MsgClass);
        PutByte((int)header.DomainType);
        PutUInt32((uint)header.StreamId);
        PutRb15(flags);
        PutByte(DataTypes.ToScaled(header.ContainerType));
        if (!HeaderBits.IsKnown(header.MsgClass)) // wire/rwf 2
            Fail(EncodeProblem.InvalidValue);
        PutMembersBeforeKey(header, HeaderBits.Of(header.MsgClass), flags | HeaderBits.Always);
        return !Failed;
    }

    private bool EndHeaderMembers(scoped in RwfMsg header)
    {
        PutMembersAfterKey(header, HeaderBits.Of(header.MsgClass), FlagsToWrite(header));
        PatchUInt16(_open.HeadAt, _position - _open.HeadAt - sizeof(ushort));
        return Pop();
    }

    private void PutMembersBeforeKey(scoped in RwfMsg header, in HeaderBits bits, int flags)
    {
        if ((flags & bits.UpdateType) != 0)
            PutByte((int)header.UpdateType);
        if ((flags & bits.AckId) != 0)
            PutUInt32(header.AckId);
        if ((flags & bits.NakCode) != 0)
            PutByte((int)header.NakCode);
        if ((flags & bits.Text) != 0)
            PutBuf16(header.Text);
        if ((flags & bits.Poster) != 0)
            PutPostUser(header);
        if ((flags & bits.SeqNum) != 0)
            PutUInt32(header.SeqNum);
        if ((flags & bits.SecondarySeqNum) != 0)
            PutUInt32(header.SecondarySeqNum);
        if ((flags & bits.PostId) != 0)
            PutUInt32(header.PostId);
        if ((flags & bits.ConfInfo) != 0)
            PutConflation(header);
        if ((flags & bits.Priority) != 0)
            PutPriority(header);
        if ((flags & bits.State) != 0)
            PutOpenState(header.State);
        if ((flags & bits.GroupId) != 0)
            PutBuf8(header.GroupId.IsEmpty ? NoGroup : header.GroupId);
        if ((flags & bits.PermData) != 0)
            PutBuf15(header.PermData);
        if ((flags & bits.Qos) != 0)
            PutQos(header.Qos);
        if ((flags & bits.WorstQos) != 0)
            PutQos(header.WorstQos);
    }

    private void PutMembersAfterKey(scoped in RwfMsg header, in HeaderBits bits, int flags)
    {
        if ((flags & HeaderBits.ExtendedHeader) != 0)
            PutBuf8(header.ExtendedHeader);
        if ((flags & bits.PostUserInfo) != 0)
            PutPostUser(header);
        if ((flags & bits.PartNum) != 0)
            PutRb15(header.PartNum);
        if ((flags & bits.PostUserRights) != 0)
            PutRb15(header.PostUserRights);
    }

    private static bool HasKey(scoped in RwfMsg header) =>
        ((header.Flags | HeaderBits.Always) & HeaderBits.Of(header.MsgClass).Key) != 0;

    // wire/rwf 2
    private static int FlagsToWrite(scoped in RwfMsg header)
    {
        ref readonly HeaderBits bits = ref HeaderBits.Of(header.MsgClass);
        int dropped = bits.SecondKey
            | (header.PermData.IsEmpty ? bits.PermData : 0)
            | (header.GroupId.IsEmpty ? bits.GroupId : 0)
            | (header.ConflationCount == 0 && header.ConflationTime == 0 ? bits.ConfInfo : 0)
            | (header.NakCode == NakCode.None ? bits.NakCode : 0)
            | (header.Text.IsEmpty ? bits.Text : 0);
        return header.Flags & ~dropped;
    }

    private void PutPostUser(scoped in RwfMsg header)
    {
        PutUInt32(header.PostUserAddress);
        PutUInt32(header.PostUserId);
    }

    private void PutConflation(scoped in RwfMsg header)
    {
        PutRb15(header.ConflationCount);
        PutUInt16(header.ConflationTime);
    }

    private void PutPriority(scoped in RwfMsg header)
    {
        PutByte(header.PriorityClass);
        PutU16ob(header.PriorityCount);
    }

    private void PutQos(RwfQos qos)
    {
        if (qos.Timeliness is 0 or > 7 || qos.Rate is 0 or > 15) // wire/rwf 2
            Fail(EncodeProblem.InvalidValue);
        Span<byte> content = stackalloc byte[MaxQosLength];
        PutBytes(content[..FillQos(content, qos)]);
    }

    private void PutOpenState(scoped in RwfState state)
    {
        if (state.StreamState == StreamState.Unspecified) // wire/rwf 2
            Fail(EncodeProblem.InvalidValue);
        PutState(state);
    }
}
