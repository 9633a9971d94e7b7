namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Flag byte of a series.</summary>
internal static class SeriesFlags
{
    /// <summary>Carries set definitions.</summary>
    public const int HasSetDefs = 0x01;

    /// <summary>Carries summary data.</summary>
    public const int HasSummaryData = 0x02;

    /// <summary>Carries the total count hint.</summary>
    public const int HasTotalCountHint = 0x04;
}
