namespace PerfCommon.Codec;

/// <summary>Reads the items of one array, front to back.</summary>
internal ref struct ArrayReader
{
    public DataType ItemType; // a base type
    public int ItemLength; // bytes of every item; 0 when each carries its length
    public int Count; // items the array claims to have
    private EntryReader _entries;

    /// <summary>Opens an array; an empty range is Blank.</summary>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out ArrayReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.Blank;

        // wire/rwf 4.7
        RwfReader head = new(range);
        reader.ItemType = DataTypes.BaseOf(head.ReadByte());
        reader.ItemLength = head.ReadU16ob();
        reader.Count = head.ReadUInt16();
        if (head.Good && !DataTypes.IsSimple(reader.ItemType)) // wire/rwf 4.7
            head.Fail(DecodeResult.Invalid);
        reader._entries = new EntryReader(head, reader.Count);
        return head.Result;
    }

    /// <summary>Position of the next item, counted from where the reader was opened.</summary>
    public readonly int Position => _entries.Bytes.Position;

    /// <summary>The bytes from the next item on.</summary>
    public readonly ReadOnlySpan<byte> Rest => _entries.Bytes.Rest;

    /// <summary>Continues where another reader of the same array stopped.</summary>
    /// <param name="rest">The bytes from its next item on.</param>
    /// <param name="itemLength">As in the other reader.</param>
    /// <param name="left">Items that remain.</param>
    internal static ArrayReader OfItems(ReadOnlySpan<byte> rest, int itemLength, int left) =>
        new() { ItemLength = itemLength, Count = left, _entries = new EntryReader(new RwfReader(rest), left) };

    /// <summary>Reads the content of the next item, which is empty when blank.</summary>
    public DecodeResult TryReadNext(out ReadOnlySpan<byte> content)
    {
        content = default;
        if (!_entries.TryBegin(out DecodeResult result))
            return result;
        ReadOnlySpan<byte> read = ItemLength == 0 ? _entries.Bytes.ReadBuf16() : _entries.Bytes.ReadBytes(ItemLength); // wire/rwf 4.7
        if (_entries.TryEnd(out result))
            content = read;
        return result;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Begins an array.</summary>
    /// <param name="itemType">Base type of the items, not Array.</param>
    /// <param name="itemLength">Bytes of every item; 0 when each carries its length.</param>
    public bool BeginArray(DataType itemType, int itemLength = 0)
    {
        // wire/rwf 4.7
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
    // wire/rwf 4.7
    public bool BeginItem() => CheckOpen(FrameKind.Array) && BeginEntryContent(_open.ItemLength == 0 ? PendingBuf16 : PendingFixed);

    /// <summary>Writes an item whose content is already encoded, as <see cref="WriteContent"/> does.</summary>
    public bool WriteItem(scoped ReadOnlySpan<byte> content) => BeginItem() && WriteContent(content);
}
