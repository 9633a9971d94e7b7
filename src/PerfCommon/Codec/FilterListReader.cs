namespace PerfCommon.Codec;

/// <summary>Reads the entries of one filter list, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
internal ref struct FilterListReader
{
    private RwfReader _reader;
    private int _left;

    /// <summary>Bits of <see cref="FilterListFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Container type of entries that name none of their own.</summary>
    public DataType ContainerType { get; private set; }

    /// <summary>About how many entries there are over all parts; 0 when not carried.</summary>
    public byte TotalCountHint { get; private set; }

    /// <summary>Number of entries the list claims to have.</summary>
    public int Count { get; private set; }

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="FilterListFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a filter list.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, or Incomplete.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out FilterListReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // flags | containerType | [totalCountHint] | entryCount
        reader._reader = new RwfReader(range);
        reader.Flags = reader._reader.ReadByte();
        reader.ContainerType = DataTypes.FromScaled(reader._reader.ReadByte());
        if (reader.Has(FilterListFlags.HasTotalCountHint))
            reader.TotalCountHint = reader._reader.ReadByte();
        reader.Count = reader._left = reader._reader.ReadByte();
        return reader._reader.Result;
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out FilterEntry entry)
    {
        entry = default;
        if (!_reader.Good)
            return _reader.Result;
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        // flags 4 bits, action 4 bits | id | [containerType] | [permData, rb15 length] | [payload, u16ob length]
        byte first = _reader.ReadByte();
        FilterEntry read = new() { Flags = (byte)(first >> 4), Action = (FilterAction)(first & 0x0F), Id = _reader.ReadByte() };
        read.ContainerType = (read.Flags & FilterEntryFlags.HasContainerType) != 0
            ? DataTypes.FromScaled(_reader.ReadByte())
            : ContainerType;
        if (Has(FilterListFlags.HasPerEntryPermData) && (read.Flags & FilterEntryFlags.HasPermData) != 0)
            read.PermData = _reader.ReadBuf15();
        if (read.HasPayload)
            read.Content = _reader.ReadBuf16();
        if (!_reader.Good)
            return _reader.Result;
        _left--;
        entry = read;
        return DecodeResult.Success;
    }
}
