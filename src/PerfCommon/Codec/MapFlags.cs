namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Flag byte of a map.</summary>
internal static class MapFlags
{
    /// <summary>Carries set definitions.</summary>
    public const int HasSetDefs = 0x01;

    /// <summary>Carries summary data.</summary>
    public const int HasSummaryData = 0x02;

    /// <summary>Entries may carry permission data.</summary>
    public const int HasPerEntryPermData = 0x04;

    /// <summary>Carries the total count hint.</summary>
    public const int HasTotalCountHint = 0x08;

    /// <summary>Carries the field id of the key.</summary>
    public const int HasKeyFieldId = 0x10;
}
