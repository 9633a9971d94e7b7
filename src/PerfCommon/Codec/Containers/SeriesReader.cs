namespace PerfCommon.Codec;

/// <summary>Flag byte of a series.</summary>
internal static class SeriesFlags
{
    public const int HasSetDefs = 0x01;
    public const int HasSummaryData = 0x02;
    public const int HasTotalCountHint = 0x04;
}

/// <summary>One row of a series.</summary>
/// <remarks>Borrows the message.</remarks>
internal readonly ref struct SeriesEntry
{
    internal SeriesEntry(ReadOnlySpan<byte> content) => Content = content;

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; }
}

/// <summary>Reads the rows of one series, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
internal ref struct SeriesReader
{
    private SummedEntries _shared;

    /// <summary>Definitions for the summary and the rows of this series; default when it carries none.</summary>
    public readonly SetDefinitions SetDefinitions => _shared.SetDefinitions;

    /// <summary>Bits of <see cref="SeriesFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Container type of summary and rows.</summary>
    public readonly DataType ContainerType => _shared.ContainerType;

    /// <summary>Summary data; empty when not carried.</summary>
    public readonly ReadOnlySpan<byte> Summary => _shared.Summary;

    /// <summary>About how many rows there are over all parts; 0 when not carried.</summary>
    public readonly int TotalCountHint => _shared.TotalCountHint;

    /// <summary>Number of rows the series claims to have.</summary>
    public readonly int Count => _shared.Entries.Count;

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

        // flags | containerType | the rest as in maps
        RwfReader head = new(range);
        reader.Flags = head.ReadByte();
        DataType containerType = DataTypes.FromScaled(head.ReadByte());
        return reader._shared.Open(
            head,
            containerType,
            reader.Has(SeriesFlags.HasSetDefs),
            reader.Has(SeriesFlags.HasSummaryData),
            reader.Has(SeriesFlags.HasTotalCountHint));
    }

    /// <summary>Reads the next row and moves past it.</summary>
    /// <param name="entry">The row; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad row, then on every later call too.</returns>
    public DecodeResult TryReadNext(out SeriesEntry entry)
    {
        entry = default;
        if (!_shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // payload, u16ob length; rows of no data are no bytes at all
        ReadOnlySpan<byte> content = ContainerType == DataType.NoData ? default : _shared.Entries.Bytes.ReadBuf16();
        if (_shared.Entries.TryEnd(out result))
            entry = new SeriesEntry(content);
        return result;
    }
}
