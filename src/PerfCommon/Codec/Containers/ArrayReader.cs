namespace PerfCommon.Codec;

/// <summary>Reads the items of one array, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct ArrayReader
{
    private EntryReader _entries;

    /// <summary>Base type of the items.</summary>
    public DataType ItemType { get; private set; }

    /// <summary>Bytes of every item; 0 when each carries its length.</summary>
    public int ItemLength { get; private set; }

    /// <summary>Number of items the array claims to have.</summary>
    public readonly int Count => _entries.Count;

    /// <summary>Opens an array.</summary>
    /// <param name="range">The content of the array and no byte more.</param>
    /// <param name="reader">The reader; without items unless the result is Success.</param>
    /// <returns>Success, Blank for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out ArrayReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.Blank;

        // itemType | itemLength u16ob | itemCount uint16
        RwfReader head = new(range);
        reader.ItemType = DataTypes.BaseOf(head.ReadByte());
        reader.ItemLength = head.ReadU16ob();
        int count = head.ReadUInt16();
        if (head.Good && !DataTypes.IsSimple(reader.ItemType))
            head.Fail(DecodeResult.Invalid);
        reader._entries = new EntryReader(head, count);
        return head.Result;
    }

    /// <summary>Reads the content of the next item and moves past it.</summary>
    /// <param name="content">The content, empty when blank; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad item, then on every later call too.</returns>
    public DecodeResult TryReadNext(out ReadOnlySpan<byte> content)
    {
        content = default;
        if (!_entries.TryBegin(out DecodeResult result))
            return result;
        ReadOnlySpan<byte> read = ItemLength == 0 ? _entries.Bytes.ReadBuf16() : _entries.Bytes.ReadBytes(ItemLength);
        if (_entries.TryEnd(out result))
            content = read;
        return result;
    }
}
