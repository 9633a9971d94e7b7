namespace PerfCommon.Domains;

/// <summary>Names of the elements in dictionary answers.</summary>
internal static class DictionaryElements // wire/rwf 6.3
{
    // summary
    public const string Type = "Type";
    public const string DictionaryId = "DictionaryId";
    public const string Version = "Version";
    public const string RecordTemplateVersion = "RT_Version";
    public const string DisplayTemplateVersion = "DT_Version";

    // rows of the field dictionary
    public const string Name = "NAME";
    public const string Fid = "FID";
    public const string RippleTo = "RIPPLETO";
    public const string FieldType = "TYPE";
    public const string Length = "LENGTH";
    public const string RwfType = "RWFTYPE";
    public const string RwfLength = "RWFLEN";
    public const string EnumLength = "ENUMLENGTH";
    public const string LongName = "LONGNAME";

    // rows of the enum tables; other vendors use the second name of each (FID for the first)
    public const string Fids = "FIDS";
    public const string Value = "VALUE";
    public const string Values = "VALUES";
    public const string Display = "DISPLAY";
    public const string Displays = "DISPLAYS";
}

/// <summary>Names of the two dictionaries in message keys: field definitions and enum tables.</summary>
internal static class DictionaryNames // wire/domains 4
{
    public static ReadOnlySpan<byte> Fields => "RWFFld"u8;
    public static ReadOnlySpan<byte> Enums => "RWFEnum"u8;
}

/// <summary>Content of a dictionary answer; the element <c>Type</c> of its summary, 0 where it is absent.</summary>
internal enum DictionaryType : byte // wire/rwf 5
{
    Unknown = 0,
    FieldDefinitions = 1,
    EnumTables = 2,
}

/// <summary>Extent of a requested dictionary; the filter of its key.</summary>
internal static class DictionaryVerbosity // wire/rwf 5
{
    public const uint Info = 0x00; // versions only
    public const uint Minimal = 0x03; // enough for decoding
    public const uint Normal = 0x07; // long names and enum lengths too; requested by our consumers
    public const uint Verbose = 0x0F; // everything available
}
