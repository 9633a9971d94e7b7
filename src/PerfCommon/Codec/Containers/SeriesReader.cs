namespace PerfCommon.Codec;

/// <summary>Flag byte of a series.</summary>
internal static class SeriesFlags
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
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // flags | containerType | the rest as in maps
        RwfReader head = new(range);
        reader.Shared.Flags = head.ReadByte();
        reader.Shared.ContainerType = DataTypes.FromScaled(head.ReadByte());
        return reader.Shared.Open(head, SeriesFlags.HasTotalCountHint);
    }

    /// <summary>Reads the payload of the next row, which may be empty.</summary>
    public DecodeResult TryReadNext(out ReadOnlySpan<byte> row)
    {
        row = default;
        if (!Shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // payload, u16ob length; rows of no data are no bytes at all
        ReadOnlySpan<byte> read = Shared.ContainerType == DataType.NoData ? default : Shared.Entries.Bytes.ReadBuf16();
        if (Shared.Entries.TryEnd(out result))
            row = read;
        return result;
    }
}
