namespace PerfCommon.Codec;

/// <summary>Flag byte of a series.</summary>
internal static class SeriesFlags // wire/rwf 4.6
{
    public const int HasSetDefs = 0x01;
    public const int HasSummaryData = 0x02;
    public const int HasTotalCountHint = 0x04;
}

/// <summary>Reads the rows of one series, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct SeriesReader
{
    internal SummedEntries Shared;

    /// <summary>Type of the summary data and of the content of every entry that has any.</summary>
    public readonly DataType ContainerType => Shared.ContainerType;

    /// <summary>The summary data, a container of <see cref="ContainerType"/>; empty when there is none.</summary>
    public readonly ReadOnlySpan<byte> Summary => Shared.Summary;

    /// <summary>Approximate number of entries over all parts of a refresh; 0 when not carried.</summary>
    public readonly int TotalCountHint => Shared.TotalCountHint;

    /// <summary>Opens a series and checks its set definitions.</summary>
    /// <param name="range">Exactly the bytes of the series.</param>
    /// <param name="reader">The reader; without rows unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out SeriesReader reader)
    {
        reader = default;
        return SummedEntries.TryOpen(range, SeriesFlags.HasTotalCountHint, out reader.Shared);
    }

    /// <summary>Reads the next row and moves past it.</summary>
    /// <param name="row">The row, a container of <see cref="ContainerType"/>; it may be empty, and is unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad row, then on every later call too.</returns>
    public DecodeResult TryReadNext(out ReadOnlySpan<byte> row)
    {
        row = default;
        if (!Shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // wire/rwf 4.6
        ReadOnlySpan<byte> read = Shared.ContainerType == DataType.NoData ? default : Shared.Entries.Bytes.ReadBuf16();
        if (Shared.Entries.TryEnd(out result))
            row = read;
        return result;
    }

    /// <summary>Opens the field list of the summary or of an entry, whose set data the definitions of this series lay out.</summary>
    /// <inheritdoc cref="FieldListReader.TryOpen(ReadOnlySpan{byte}, out FieldListReader)"/>
    public readonly DecodeResult TryOpenFieldList(ReadOnlySpan<byte> range, out FieldListReader reader) =>
        FieldListReader.TryOpen(range, Shared.SetDefinitions, out reader);

    /// <summary>Opens the element list of the summary or of an entry, whose set data the definitions of this series lay out.</summary>
    /// <inheritdoc cref="ElementListReader.TryOpen(ReadOnlySpan{byte}, out ElementListReader)"/>
    public readonly DecodeResult TryOpenElementList(ReadOnlySpan<byte> range, out ElementListReader reader) =>
        ElementListReader.TryOpen(range, Shared.SetDefinitions, out reader);
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a series; write definitions and summary next if there are any, then rows.</summary>
    public bool BeginSeries(DataType containerType, int? totalCountHint = null) =>
        BeginSummed(FrameKind.Series, totalCountHint is null ? 0 : SeriesFlags.HasTotalCountHint, containerType, totalCountHint);

    /// <summary>Ends the series.</summary>
    public bool EndSeries() => EndCounted(FrameKind.Series);

    /// <summary>Begins a row; write its payload, then <see cref="EndEntry"/>.</summary>
    public bool BeginSeriesEntry() => BeginCountedEntry(FrameKind.Series) && BeginPayload(true);
}
