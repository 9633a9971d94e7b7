namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Flag bits of a map or vector entry.</summary>
internal static class EntryFlags
{
    /// <summary>Carries permission data.</summary>
    public const int HasPermData = 0x1;
}
