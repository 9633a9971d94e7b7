namespace PerfCommon.Codec;

/// <summary>Flag bits of a map or vector entry.</summary>
internal static class EntryFlags
{
    public const int HasPermData = 0x1; // wire/rwf 4.4
}

/// <summary>Reads the part that maps, vectors and series share after their different heads: definitions, summary data, counted entries.</summary>
internal ref struct SummedEntries
{
    public EntryReader Entries;
    public SetDefinitions SetDefinitions; // for summary and entries; default when there are none
    public DataType ContainerType; // of summary and entries
    public byte Flags;
    public ReadOnlySpan<byte> Summary; // empty when not carried
    public int TotalCountHint; // approximate number of entries over all parts; 0 when not carried

    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a vector or series, whose head is the flags and the container type.</summary>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, int totalCountHintFlag, out SummedEntries opened)
    {
        opened = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;
        RwfReader head = new(range);
        opened.Flags = head.ReadByte();
        opened.ContainerType = DataTypes.FromScaled(head.ReadByte());
        return opened.Open(head, totalCountHintFlag);
    }

    /// <summary>Reads the members between the head and the entries.</summary>
    public DecodeResult Open(RwfReader head, int totalCountHintFlag) // wire/rwf 4.4
    {
        if (Has(MapFlags.HasSetDefs)) // this and the next are the same bits in all three
            SetDefinitions = SetDefinitions.Read(ref head, ContainerType);
        if (Has(MapFlags.HasSummaryData))
            Summary = head.ReadBuf15();
        if (Has(totalCountHintFlag))
            TotalCountHint = head.ReadRb30();
        int count = head.ReadUInt16();
        Entries = new EntryReader(head, count);
        return head.Result;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Begins the summary data of a map, vector or series; write one container or <see cref="WriteContent"/>.</summary>
    public bool BeginSummary()
    {
        if (Failed)
            return false;
        PatchFlag(_open.HeadAt, MapFlags.HasSummaryData); // the same bit in all three
        _open.LengthAt = PendingBuf15;
        return true;
    }

    /// <summary>Ends the summary data; also ends other content that has a length of the same kind.</summary>
    public bool EndSummary()
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

    // Definitions and summary may still follow, so the hint is written with the first entry or at the end.
    private void BeginCount()
    {
        if (_open.CountAt != NoLength)
            return;
        if (_open.TotalCountHint != NoLength)
            PutRb30(_open.TotalCountHint); // wire/rwf 4.4
        _open.CountAt = _position;
        Reserve(sizeof(ushort));
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

    private void PutPermData(scoped ReadOnlySpan<byte> permData, int containerFlag) // wire/rwf 4.6
    {
        if (permData.IsEmpty)
            return;
        PatchFlag(_open.HeadAt, containerFlag);
        PutBuf15(permData);
    }

    private bool BeginPayload(bool hasPayload) =>
        BeginEntryContent(hasPayload && _open.ContentType != DataType.NoData ? PendingBuf16 : NoLength); // wire/rwf 4.4
}
