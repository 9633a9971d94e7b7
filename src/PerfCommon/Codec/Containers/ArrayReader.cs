namespace PerfCommon.Codec;

/// <summary>Reads the items of one array, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct ArrayReader
{
    private EntryReader _entries;

    /// <summary>Base type of all items; never Array or a container.</summary>
    public DataType ItemType { readonly get; private set; }

    /// <summary>Bytes of every item; 0 when each carries its own length.</summary>
    public int ItemLength { readonly get; private set; }

    /// <summary>Number of items that the array announces; it may have fewer.</summary>
    public int Count { readonly get; private set; }

    /// <summary>Opens an array.</summary>
    /// <param name="range">Exactly the bytes of the array.</param>
    /// <param name="reader">The reader; without items unless the result is Success.</param>
    /// <returns>Success, Blank for an empty range, Incomplete or Invalid.</returns>
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
    internal readonly int Position => _entries.Bytes.Position;

    /// <summary>The bytes from the next item on.</summary>
    internal readonly ReadOnlySpan<byte> Rest => _entries.Bytes.Rest;

    /// <summary>Continues where another reader of the same array stopped.</summary>
    /// <param name="rest">The bytes from its next item on.</param>
    /// <param name="itemLength">As in the other reader.</param>
    /// <param name="left">Items that remain.</param>
    internal static ArrayReader OfItems(ReadOnlySpan<byte> rest, int itemLength, int left) =>
        new() { ItemLength = itemLength, Count = left, _entries = new EntryReader(new RwfReader(rest), left) };

    /// <summary>Reads the next item and moves past it; <see cref="RwfPrimitives"/> reads its value.</summary>
    /// <param name="content">The content of the item; empty when it is blank, and unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad item, then on every later call too.</returns>
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
