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
