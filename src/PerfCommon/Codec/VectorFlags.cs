namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Flag byte of a vector.</summary>
internal static class VectorFlags
{
    /// <summary>Carries set definitions.</summary>
    public const int HasSetDefs = 0x01;

    /// <summary>Carries summary data.</summary>
    public const int HasSummaryData = 0x02;

    /// <summary>Entries may carry permission data.</summary>
    public const int HasPerEntryPermData = 0x04;

    /// <summary>Carries the total count hint.</summary>
    public const int HasTotalCountHint = 0x08;

    /// <summary>Entries may be inserted and deleted by position.</summary>
    public const int SupportsSorting = 0x10;
}
