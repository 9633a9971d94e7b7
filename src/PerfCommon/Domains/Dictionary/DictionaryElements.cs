namespace PerfCommon.Domains;

/// <summary>Names of the elements in dictionary answers.</summary>
internal static class DictionaryElements
{
    // summary
    public static ReadOnlySpan<byte> Type => "Type"u8;
    public static ReadOnlySpan<byte> DictionaryId => "DictionaryId"u8;
    public static ReadOnlySpan<byte> Version => "Version"u8;
    public static ReadOnlySpan<byte> RecordTemplateVersion => "RT_Version"u8;
    public static ReadOnlySpan<byte> DisplayTemplateVersion => "DT_Version"u8;

    // rows of the field dictionary
    public static ReadOnlySpan<byte> Name => "NAME"u8;
    public static ReadOnlySpan<byte> Fid => "FID"u8;
    public static ReadOnlySpan<byte> RippleTo => "RIPPLETO"u8;
    public static ReadOnlySpan<byte> FieldType => "TYPE"u8;
    public static ReadOnlySpan<byte> Length => "LENGTH"u8;
    public static ReadOnlySpan<byte> RwfType => "RWFTYPE"u8;
    public static ReadOnlySpan<byte> RwfLength => "RWFLEN"u8;
    public static ReadOnlySpan<byte> EnumLength => "ENUMLENGTH"u8;
    public static ReadOnlySpan<byte> LongName => "LONGNAME"u8;

    // rows of the enum tables; the second name of each is used by other makers
    public static ReadOnlySpan<byte> Fids => "FIDS"u8;
    public static ReadOnlySpan<byte> Value => "VALUE"u8;
    public static ReadOnlySpan<byte> Values => "VALUES"u8;
    public static ReadOnlySpan<byte> Display => "DISPLAY"u8;
    public static ReadOnlySpan<byte> Displays => "DISPLAYS"u8;
}

/// <summary>Names of the two dictionaries in message keys.</summary>
internal static class DictionaryNames
{
    /// <summary>The field definitions.</summary>
    public static ReadOnlySpan<byte> Fields => "RWFFld"u8;

    /// <summary>The enum tables.</summary>
    public static ReadOnlySpan<byte> Enums => "RWFEnum"u8;
}

/// <summary>What a dictionary answer carries; the element <c>Type</c> of its summary.</summary>
internal enum DictionaryType : byte
{
    /// <summary>Not said.</summary>
    Unknown = 0,

    /// <summary>Field definitions.</summary>
    FieldDefinitions = 1,

    /// <summary>Enum tables.</summary>
    EnumTables = 2,
}

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
