namespace PerfCommon.Codec;

/// <summary>Flag byte of a series.</summary>
internal static class SeriesFlags // wire/rwf 4.6
{
    public const int HasSetDefs = 0x01;
    public const int HasSummaryData = 0x02;
    public const int HasTotalCountHint = 0x04;
}

/// <summary>Reads the rows of one series, front to back.</summary>
internal ref struct SeriesReader
{
    public SummedEntries Shared;

    /// <summary>Opens a series and checks its set definitions.</summary>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out SeriesReader reader)
    {
        reader = default;
        return SummedEntries.TryOpen(range, SeriesFlags.HasTotalCountHint, out reader.Shared);
    }

    /// <summary>Reads the payload of the next row, which may be empty.</summary>
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
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a series; write definitions and summary next if there are any, then rows.</summary>
    internal bool BeginSeries(DataType containerType, int? totalCountHint = null) =>
        BeginSummed(FrameKind.Series, totalCountHint is null ? 0 : SeriesFlags.HasTotalCountHint, containerType, totalCountHint);

    internal bool EndSeries() => EndCounted(FrameKind.Series);

    /// <summary>Begins a row; write its payload, then <see cref="EndEntry"/>.</summary>
    internal bool BeginSeriesEntry() => BeginCountedEntry(FrameKind.Series) && BeginPayload(true);
}
