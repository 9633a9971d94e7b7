namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    /// <summary>Begins an array.</summary>
    /// <param name="itemType">Base type of the items, not Array.</param>
    /// <param name="itemLength">Bytes of every item; 0 when each carries its length.</param>
    public bool BeginArray(DataType itemType, int itemLength = 0)
    {
        // itemType | itemLength u16ob | itemCount uint16
        if (!Push(FrameKind.Array))
            return false;
        PutByte((int)itemType);
        PutU16ob(itemLength);
        _open.ContentType = itemType;
        _open.ItemLength = itemLength;
        _open.CountAt = _position;
        PutUInt16(0);
        return !Failed;
    }

    /// <summary>Ends the array.</summary>
    public bool EndArray()
    {
        if (!CheckOpen(FrameKind.Array))
            return false;
        PatchUInt16(_open.CountAt, _count);
        return Pop();
    }

    /// <summary>Begins an item; write its value next.</summary>
    public bool BeginItem() => CheckOpen(FrameKind.Array) && BeginEntryContent(_open.ItemLength == 0 ? PendingBuf16 : PendingFixed);

    /// <summary>Writes an item whose content is at hand, as <see cref="WriteContent"/> does.</summary>
    public bool WriteItem(scoped ReadOnlySpan<byte> content) => BeginItem() && WriteContent(content);
}
