namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Flag byte of a filter list.</summary>
internal static class FilterListFlags
{
    /// <summary>Entries may carry permission data.</summary>
    public const int HasPerEntryPermData = 0x01;

    /// <summary>Carries the total count hint.</summary>
    public const int HasTotalCountHint = 0x02;
}
