namespace PerfCommon.Domains;

/// <summary>How much of a dictionary is asked for; the filter of its key.</summary>
internal static class DictionaryVerbosity
{
    /// <summary>Versions only.</summary>
    public const uint Info = 0x00;

    /// <summary>What decoding needs.</summary>
    public const uint Minimal = 0x03;

    /// <summary>Long names and enum lengths too; what our consumers ask for.</summary>
    public const uint Normal = 0x07;

    /// <summary>Everything there is.</summary>
    public const uint Verbose = 0x0F;
}
