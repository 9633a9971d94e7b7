namespace PerfCommon.Domains;

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
