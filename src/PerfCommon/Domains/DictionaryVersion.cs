namespace PerfCommon.Domains;

/// <summary>Identity of a dictionary; every text is empty when nobody gave it.</summary>
internal sealed record DictionaryVersion
{
    /// <summary>Number shared by a field dictionary and its enum tables; 0 when none was given.</summary>
    public int DictionaryId { get; init; }

    /// <summary>Version of the field definitions.</summary>
    public string Fields { get; init; } = "";

    /// <summary>Version of the record templates the enum tables belong to (<c>RT_Version</c>).</summary>
    public string RecordTemplates { get; init; } = "";

    /// <summary>Version of the enum tables' display texts (<c>DT_Version</c>).</summary>
    public string DisplayTemplates { get; init; } = "";
}
