namespace PerfCommon.Codec;

/// <summary>Reads the items of one array, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct ArrayReader
{
    private RwfReader _reader;
    private int _left;

    /// <summary>Base type of the items.</summary>
    public DataType ItemType { get; private set; }

    /// <summary>Bytes of every item; 0 when each carries its length.</summary>
    public int ItemLength { get; private set; }

    /// <summary>Number of items the array claims to have.</summary>
    public int Count { get; private set; }

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
        reader._reader = new RwfReader(range);
        reader.ItemType = DataTypes.BaseOf(reader._reader.ReadByte());
        reader.ItemLength = reader._reader.ReadU16ob();
        reader.Count = reader._left = reader._reader.ReadUInt16();
        if (reader._reader.Good && !DataTypes.IsSimple(reader.ItemType))
            reader._reader.Fail(DecodeResult.Invalid);
        return reader._reader.Result;
    }

    /// <summary>Reads the content of the next item and moves past it.</summary>
    /// <param name="content">The content, empty when blank; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad item, then on every later call too.</returns>
    public DecodeResult TryReadNext(out ReadOnlySpan<byte> content)
    {
        content = default;
        if (!_reader.Good)
            return _reader.Result;
        if (_left == 0)
            return DecodeResult.EndOfContainer;
        ReadOnlySpan<byte> read = ItemLength == 0 ? _reader.ReadBuf16() : _reader.ReadBytes(ItemLength);
        if (!_reader.Good)
            return _reader.Result;
        _left--;
        content = read;
        return DecodeResult.Success;
    }
}
