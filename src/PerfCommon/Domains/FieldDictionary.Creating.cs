namespace PerfCommon.Domains;

#pragma warning disable CA1711 // the field's own name
public sealed partial class FieldDictionary
#pragma warning restore CA1711
{
    private static readonly Lazy<FieldDictionary> Shipped = new(() =>
    {
        FieldDictionaryBuilder builder = new();
        FieldDictionaryFile.ReadShipped(builder);
        EnumTypeFile.ReadShipped(builder);
        return builder.Build();
    });

    /// <summary>Our own dictionary, which the library carries: the fields our messages need and some more.</summary>
    public static FieldDictionary Default => Shipped.Value;

    /// <summary>Reads files in the vendor's format.</summary>
    /// <param name="fieldPath">The field definitions, usually called RDMFieldDictionary.</param>
    /// <param name="enumPath">The enum tables, usually called enumtype.def; null for none.</param>
    /// <exception cref="SetupException">A file cannot be read, does not follow its format, or contradicts the other.</exception>
    public static FieldDictionary Load(string fieldPath, string? enumPath = null)
    {
        FieldDictionaryBuilder builder = new();
        FieldDictionaryFile.Read(fieldPath, builder);
        if (enumPath is not null)
            EnumTypeFile.Read(enumPath, builder);
        return builder.Build();
    }

    /// <summary>Reads streams in the vendor's format, which stay open.</summary>
    /// <param name="fields">The field definitions.</param>
    /// <param name="fieldsName">What errors call them.</param>
    /// <param name="enums">The enum tables; null for none.</param>
    /// <param name="enumsName">What errors call them.</param>
    /// <exception cref="SetupException">A stream cannot be read, does not follow its format, or contradicts the other.</exception>
    public static FieldDictionary Load(Stream fields, string fieldsName, Stream? enums = null, string enumsName = "enum tables")
    {
        ArgumentNullException.ThrowIfNull(fields);
        FieldDictionaryBuilder builder = new();
        FieldDictionaryFile.Read(fields, fieldsName, builder);
        if (enums is not null)
            EnumTypeFile.Read(enums, enumsName, builder);
        return builder.Build();
    }

    /// <summary>Makes a dictionary in code.</summary>
    /// <param name="definitions">The fields; each id once, and not 0.</param>
    /// <param name="enumTables">The enum tables, at most one for a field; null for none.</param>
    /// <exception cref="ArgumentException">A field id is 0 or occurs twice, or a field has two enum tables.</exception>
    public static FieldDictionary Create(IEnumerable<FieldDefinition> definitions, IEnumerable<EnumTable>? enumTables = null)
    {
        ArgumentNullException.ThrowIfNull(definitions);
        FieldDictionaryBuilder builder = new();
        foreach (FieldDefinition definition in definitions)
        {
            if (!builder.TryAdd(definition))
                throw new ArgumentException($"field id {definition.Fid} is 0 or defined twice", nameof(definitions));
        }

        foreach (EnumTable table in enumTables ?? [])
        {
            if (!builder.TryAdd(table, out short takenFid))
                throw new ArgumentException($"an enum table names no field, or field {takenFid} has two", nameof(enumTables));
        }

        return builder.Build();
    }
}
