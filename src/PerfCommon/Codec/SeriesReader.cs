namespace PerfCommon.Codec;

/// <summary>Reads the rows of one series, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
internal ref struct SeriesReader
{
    private RwfReader _reader;
    private int _left;
    private SetDefinitions _setDefinitions;

    /// <summary>Definitions for the summary and the rows of this series; default when it carries none.</summary>
    public readonly SetDefinitions SetDefinitions => _setDefinitions;

    /// <summary>Bits of <see cref="SeriesFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Container type of summary and rows.</summary>
    public DataType ContainerType { get; private set; }

    /// <summary>Summary data; empty when not carried.</summary>
    public ReadOnlySpan<byte> Summary { get; private set; }

    /// <summary>About how many rows there are over all parts; 0 when not carried.</summary>
    public int TotalCountHint { get; private set; }

    /// <summary>Number of rows the series claims to have.</summary>
    public int Count { get; private set; }

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="SeriesFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a series and checks its set definitions.</summary>
    /// <param name="range">The series and no byte more.</param>
    /// <param name="reader">The reader; without rows unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out SeriesReader reader)
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
        if (Has(SeriesFlags.HasSetDefs))
            _setDefinitions.ReadFrom(ref _reader, ContainerType);
        if (Has(SeriesFlags.HasSummaryData))
            Summary = _reader.ReadBuf15();
        if (Has(SeriesFlags.HasTotalCountHint))
            TotalCountHint = _reader.ReadRb30();
        Count = _left = _reader.ReadUInt16();
        return _reader.Result;
    }

    /// <summary>Reads the next row and moves past it.</summary>
    /// <param name="entry">The row; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad row, then on every later call too.</returns>
    public DecodeResult TryReadNext(out SeriesEntry entry)
    {
        entry = default;
        if (!_reader.Good)
            return _reader.Result;
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        // payload, u16ob length; rows of no data are no bytes at all
        ReadOnlySpan<byte> content = ContainerType == DataType.NoData ? default : _reader.ReadBuf16();
        if (!_reader.Good)
            return _reader.Result;
        _left--;
        entry = new SeriesEntry(content);
        return DecodeResult.Success;
    }
}
