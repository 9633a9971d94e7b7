namespace PerfCommon.Domains;

/// <summary>Names of the two dictionaries in message keys.</summary>
internal static class DictionaryNames
{
    /// <summary>The field definitions.</summary>
    public static ReadOnlySpan<byte> Fields => "RWFFld"u8;

    /// <summary>The enum tables.</summary>
    public static ReadOnlySpan<byte> Enums => "RWFEnum"u8;
}
