namespace PerfCommon.Codec;

// Maps, vectors and series: definitions, summary, then counted entries with payloads of one container type. Filter lists: entries alone.
public ref partial struct RwfWriter
{
    /// <summary>Begins a map; then definitions and summary if there are any, then entries.</summary>
    /// <param name="keyType">A primitive base type other than Array.</param>
    /// <param name="containerType">Of summary and entries, as in vectors and series.</param>
    /// <param name="totalCountHint">About how many entries there are over all parts; null for none. In vectors and series, too.</param>
    /// <param name="keyFieldId">Field the key stands for; null for none.</param>
    internal bool BeginMap(DataType keyType, DataType containerType, int? totalCountHint = null, short? keyFieldId = null)
    {
        if (!Push(FrameKind.Map))
            return false;
        int flags = totalCountHint is null ? 0 : MapFlags.HasTotalCountHint;
        PutByte(keyFieldId is null ? flags : flags | MapFlags.HasKeyFieldId);
        PutByte((int)keyType);
        PutByte(DataTypes.ToScaled(containerType));
        if (keyFieldId is short fieldId)
            PutUInt16(fieldId);
        return SetContent(containerType, totalCountHint);
    }

    internal bool EndMap() => EndCounted(FrameKind.Map);

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Delete has no payload.</summary>
    /// <param name="action">What to do.</param>
    /// <param name="key">Content of the key; may not be blank.</param>
    /// <param name="permData">Empty for none, as in the entries of other containers.</param>
    internal bool BeginMapEntry(MapAction action, scoped ReadOnlySpan<byte> key, scoped ReadOnlySpan<byte> permData = default)
    {
        if (!BeginCountedEntry(FrameKind.Map))
            return false;
        PutActionByte((int)action, permData);
        PutPermData(permData, MapFlags.HasPerEntryPermData);
        PutBuf15(key);
        return BeginPayload(action != MapAction.Delete);
    }

    /// <summary>Begins an entry of a map whose keys are unsigned integers.</summary>
    internal bool BeginMapEntry(MapAction action, ulong key)
    {
        Span<byte> content = stackalloc byte[sizeof(ulong)];
        int length = RwfContent.LengthOf(key);
        RwfContent.WriteLow(content, (long)key, length);
        return BeginMapEntry(action, content[..length]);
    }

    /// <summary>Begins a vector; then definitions and summary if there are any, then entries.</summary>
    internal bool BeginVector(DataType containerType, bool supportsSorting = false, int? totalCountHint = null)
    {
        int flags = totalCountHint is null ? 0 : VectorFlags.HasTotalCountHint;
        return BeginSummed(FrameKind.Vector, supportsSorting ? flags | VectorFlags.SupportsSorting : flags, containerType, totalCountHint);
    }

    internal bool EndVector() => EndCounted(FrameKind.Vector);

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Clear and Delete have no payload.</summary>
    /// <param name="action">What to do.</param>
    /// <param name="index">At most 2^30 - 1.</param>
    /// <param name="permData">Empty for none.</param>
    internal bool BeginVectorEntry(VectorAction action, int index, scoped ReadOnlySpan<byte> permData = default)
    {
        if (!BeginCountedEntry(FrameKind.Vector))
            return false;
        PutActionByte((int)action, permData);
        PutRb30(index);
        PutPermData(permData, VectorFlags.HasPerEntryPermData);
        return BeginPayload(action is not (VectorAction.Clear or VectorAction.Delete));
    }

    /// <summary>Begins a series; then definitions and summary if there are any, then rows.</summary>
    internal bool BeginSeries(DataType containerType, int? totalCountHint = null) =>
        BeginSummed(FrameKind.Series, totalCountHint is null ? 0 : SeriesFlags.HasTotalCountHint, containerType, totalCountHint);

    internal bool EndSeries() => EndCounted(FrameKind.Series);

    /// <summary>Begins a row; write its payload, then <see cref="EndEntry"/>.</summary>
    internal bool BeginSeriesEntry() => BeginCountedEntry(FrameKind.Series) && BeginPayload(true);

    /// <summary>Begins a filter list, whose entries are of the container type unless they name one of their own.</summary>
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
    /// <param name="containerType">Null for that of the list.</param>
    /// <param name="permData">Empty for none.</param>
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

    /// <summary>Begins the summary data of a map, vector or series; write one container or <see cref="WriteContent"/>.</summary>
    internal bool BeginSummary()
    {
        if (Failed)
            return false;
        PatchFlag(_open.HeadAt, MapFlags.HasSummaryData); // the same bit in all three
        _open.LengthAt = PendingBuf15;
        return true;
    }

    /// <summary>Ends the summary data; also other content behind a length of the same kind.</summary>
    internal bool EndSummary()
    {
        if (Failed)
            return false;
        if (_open.LengthAt == PendingBuf15)
            PutByte(0);
        else if (_open.LengthAt >= 0)
            CloseBuf15(_open.LengthAt);
        _open.LengthAt = NoLength;
        return !Failed;
    }

    private bool BeginSummed(FrameKind kind, int flags, DataType containerType, int? totalCountHint)
    {
        if (!Push(kind))
            return false;
        PutByte(flags);
        PutByte(DataTypes.ToScaled(containerType));
        return SetContent(containerType, totalCountHint);
    }

    private bool SetContent(DataType containerType, int? totalCountHint)
    {
        _open.ContentType = containerType;
        _open.TotalCountHint = totalCountHint ?? NoLength;
        return !Failed;
    }

    private bool BeginCountedEntry(FrameKind kind)
    {
        if (!CheckOpen(kind))
            return false;
        BeginCount();
        return !Failed;
    }

    // The hint stands behind definitions and summary, so it waits until the first entry or the end.
    private void BeginCount()
    {
        if (_open.CountAt != NoLength)
            return;
        if (_open.TotalCountHint != NoLength)
            PutRb30(_open.TotalCountHint);
        _open.CountAt = _position;
        Take(sizeof(ushort));
    }

    private bool EndCounted(FrameKind kind)
    {
        if (!CheckOpen(kind))
            return false;
        BeginCount();
        PatchUInt16(_open.CountAt, _count);
        return Pop();
    }

    private void PutActionByte(int action, scoped ReadOnlySpan<byte> permData) =>
        PutByte((permData.IsEmpty ? 0 : EntryFlags.HasPermData << 4) | (action & 0x0F));

    private void PutPermData(scoped ReadOnlySpan<byte> permData, int containerFlag)
    {
        if (permData.IsEmpty)
            return;
        PatchFlag(_open.HeadAt, containerFlag);
        PutBuf15(permData);
    }

    private bool BeginPayload(bool hasPayload) =>
        BeginEntryContent(hasPayload && _open.ContentType != DataType.NoData ? PendingBuf16 : NoLength);
}
