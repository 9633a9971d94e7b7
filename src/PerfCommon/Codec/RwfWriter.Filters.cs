namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    /// <summary>Begins a filter list.</summary>
    /// <param name="containerType">Container type of entries that name none of their own.</param>
    /// <param name="totalCountHint">About how many entries there are over all parts; null for none.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool BeginFilterList(DataType containerType, byte? totalCountHint = null)
    {
        // flags | containerType | [totalCountHint] | entryCount
        if (!Push(FrameKind.FilterList))
            return false;
        PutByte(totalCountHint is null ? 0 : FilterListFlags.HasTotalCountHint);
        PutByte(DataTypes.ToScaled(containerType));
        if (totalCountHint is byte hint)
            PutByte(hint);
        _open.ContentType = containerType;
        _open.CountAt = _position;
        PutByte(0);
        return !Failed;
    }

    /// <summary>Ends the filter list.</summary>
    /// <returns>False when the writer has failed.</returns>
    internal bool EndFilterList()
    {
        if (!CheckOpen(FrameKind.FilterList))
            return false;
        PatchByte(_open.CountAt, _count);
        return Pop();
    }

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Clear has no payload.</summary>
    /// <param name="action">What to do.</param>
    /// <param name="id">Id of the filter.</param>
    /// <param name="containerType">Container type of this entry; null for that of the list.</param>
    /// <param name="permData">Permission data; empty for none.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool BeginFilterEntry(
        FilterAction action,
        byte id,
        DataType? containerType = null,
        scoped ReadOnlySpan<byte> permData = default)
    {
        if (!CheckOpen(FrameKind.FilterList))
            return false;
        int flags = permData.IsEmpty ? 0 : FilterEntryFlags.HasPermData;
        flags |= containerType is null ? 0 : FilterEntryFlags.HasContainerType;
        PutByte((flags << 4) | ((int)action & 0x0F));
        PutByte(id);
        if (containerType is DataType own)
            PutByte(DataTypes.ToScaled(own));
        PutPermData(permData, FilterListFlags.HasPerEntryPermData);
        DataType effective = containerType ?? _open.ContentType;
        bool hasPayload = action != FilterAction.Clear && effective != DataType.NoData;
        return BeginEntryContent(hasPayload ? PendingBuf16 : NoLength);
    }
}
