namespace PerfCommon.Codec;

/// <summary>Reads the entries of one vector, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
internal ref struct VectorReader
{
    private RwfReader _reader;
    private int _left;
    private SetDefinitions _setDefinitions;

    /// <summary>Definitions for the summary and the entries of this vector; default when it carries none.</summary>
    public readonly SetDefinitions SetDefinitions => _setDefinitions;

    /// <summary>Bits of <see cref="VectorFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Container type of summary and entries.</summary>
    public DataType ContainerType { get; private set; }

    /// <summary>Summary data; empty when not carried.</summary>
    public ReadOnlySpan<byte> Summary { get; private set; }

    /// <summary>About how many entries there are over all parts; 0 when not carried.</summary>
    public int TotalCountHint { get; private set; }

    /// <summary>Number of entries the vector claims to have.</summary>
    public int Count { get; private set; }

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="VectorFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a vector and checks its set definitions.</summary>
    /// <param name="range">The vector and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out VectorReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;
        reader._reader = new RwfReader(range);
        return reader.Open();
    }

    // flags | containerType | [set definitions] | [summary] | [totalCountHint rb30] | entryCount uint16
    private DecodeResult Open()
    {
        Flags = _reader.ReadByte();
        ContainerType = DataTypes.FromScaled(_reader.ReadByte());
        if (Has(VectorFlags.HasSetDefs))
            _setDefinitions.ReadFrom(ref _reader, ContainerType);
        if (Has(VectorFlags.HasSummaryData))
            Summary = _reader.ReadBuf15();
        if (Has(VectorFlags.HasTotalCountHint))
            TotalCountHint = _reader.ReadRb30();
        Count = _left = _reader.ReadUInt16();
        return _reader.Result;
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out VectorEntry entry)
    {
        entry = default;
        if (!_reader.Good)
            return _reader.Result;
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        // flags 4 bits, action 4 bits | index rb30 | [permData, rb15 length] | [payload, u16ob length]
        byte first = _reader.ReadByte();
        VectorEntry read = new() { Flags = (byte)(first >> 4), Action = (VectorAction)(first & 0x0F), Index = _reader.ReadRb30() };
        if (Has(VectorFlags.HasPerEntryPermData) && (read.Flags & EntryFlags.HasPermData) != 0)
            read.PermData = _reader.ReadBuf15();
        if (read.HasPayload && ContainerType != DataType.NoData)
            read.Content = _reader.ReadBuf16();
        if (!_reader.Good)
            return _reader.Result;
        _left--;
        entry = read;
        return DecodeResult.Success;
    }
}
