namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Flag bits of a filter list entry.</summary>
internal static class FilterEntryFlags
{
    /// <summary>Carries permission data.</summary>
    public const int HasPermData = 0x1;

    /// <summary>Names a container type of its own.</summary>
    public const int HasContainerType = 0x2;
}
