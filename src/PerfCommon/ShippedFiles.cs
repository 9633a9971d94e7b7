namespace PerfCommon;

/// <summary>The input files in the library, so that a program needs no others.</summary>
internal static class ShippedFiles
{
    /// <summary>The messages.</summary>
    public const string Messages = "MsgData.xml";

    /// <summary>The field definitions.</summary>
    public const string FieldDefinitions = "RDMFieldDictionary";

    /// <summary>The enum tables.</summary>
    public const string EnumTables = "enumtype.def";

    /// <summary>Opens one of the files.</summary>
    /// <param name="name">One of the names above.</param>
    public static Stream Open(string name) => typeof(ShippedFiles).Assembly.GetManifestResourceStream(name)
        ?? throw new ArgumentException($"the library has no file {name}", nameof(name));
}
