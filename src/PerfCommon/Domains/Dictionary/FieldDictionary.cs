using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The fields and enum tables that two peers share: the meaning of each field id and the type of its bytes.</summary>
/// <remarks>Immutable once built, so any thread may read it.</remarks>
#pragma warning disable CA1711 // the field's own name
[DebuggerDisplay("{Definitions.Count} fields, {EnumTables.Count} enum tables")]
public sealed partial class FieldDictionary
#pragma warning restore CA1711
{
    private const int FidCount = 65_536; // wire/rwf 6.1

    private static readonly Lazy<FieldDictionary> Shipped = new(() =>
    {
        FieldDictionaryBuilder builder = new();
        new FieldDictionaryFile(builder).Read(path: null);
        new EnumTypeFile(builder).Read(path: null);
        return builder.Build();
    });

    private readonly FieldDefinition?[] _byFid = new FieldDefinition?[FidCount];
    private readonly Dictionary<string, FieldDefinition> _byAcronym = new(StringComparer.Ordinal);
    private readonly Dictionary<int, EnumTable> _tableOf = [];

    internal FieldDictionary(
        DictionaryVersion version, IEnumerable<FieldDefinition> definitions, IEnumerable<EnumTable> enumTables)
    {
        Version = version;
        Definitions = [.. definitions.OrderBy(definition => (int)definition.Fid)];
        Types = new FieldTypeTable(Definitions.Select(definition => (definition.Fid, definition.DataType)));
        EnumTables = [.. enumTables.OrderBy(table => (int)table.Fids[0])];
        foreach (FieldDefinition definition in Definitions)
        {
            _byFid[(ushort)definition.Fid] = definition;
            _byAcronym.TryAdd(definition.Acronym, definition);
        }

        foreach (EnumTable table in EnumTables)
        {
            foreach (short fid in table.Fids)
                _tableOf.Add(fid, table);
        }
    }

    /// <summary>Our own dictionary, part of the library: the fields of our messages and some more.</summary>
    public static FieldDictionary Default => Shipped.Value;

    /// <summary>Identity and versions from the files or the provider.</summary>
    internal DictionaryVersion Version { get; }

    /// <summary>Names and field ids in an enum file, with their lines: compared with definitions that are read later.</summary>
    internal IReadOnlyList<(string Acronym, short Fid, string Place)> References { get; init; } = [];

    /// <summary>The file of the field definitions; null where they are not from a file.</summary>
    internal string? FieldsName { get; init; }

    /// <summary>The file, as error messages name it.</summary>
    internal string FieldsShown => FieldsName is null ? "the field dictionary" : $"the field dictionary {PrintableText.From(FieldsName)}";

    /// <summary>Creates a decoder of whole messages that keeps the time stamps: those of <see cref="StampFields"/>, by their indexes.</summary>
    public FieldListDecoder CreateDecoder() => new(Types, StampFields.First, StampFields.Count);

    /// <summary>The wire types alone, for the codec.</summary>
    internal FieldTypeTable Types { get; }

    /// <summary>All fields by ascending field id.</summary>
    public IReadOnlyList<FieldDefinition> Definitions { get; }

    /// <summary>All enum tables by the first field they were named for, ascending.</summary>
    public IReadOnlyList<EnumTable> EnumTables { get; }

    /// <summary>Reads files in the vendor's format.</summary>
    /// <param name="fieldPath">The field definitions, usually called RDMFieldDictionary.</param>
    /// <param name="enumPath">The enum tables, usually called enumtype.def; null for none.</param>
    /// <exception cref="SetupException">A file cannot be read, does not follow its format, or contradicts the other.</exception>
    public static FieldDictionary Load(string fieldPath, string? enumPath = null)
    {
        ArgumentNullException.ThrowIfNull(fieldPath);
        FieldDictionaryBuilder builder = new();
        new FieldDictionaryFile(builder).Read(fieldPath);
        if (enumPath is not null)
            new EnumTypeFile(builder).Read(enumPath);
        return builder.Build();
    }

    /// <summary>Reads streams in the vendor's format, which stay open.</summary>
    /// <param name="fields">The field definitions.</param>
    /// <param name="fieldsName">Name of the field definitions in error messages.</param>
    /// <param name="enums">The enum tables; null for none.</param>
    /// <param name="enumsName">Name of the enum tables in error messages.</param>
    /// <exception cref="SetupException">A stream cannot be read, does not follow its format, or contradicts the other.</exception>
    public static FieldDictionary Load(Stream fields, string fieldsName, Stream? enums = null, string enumsName = "enum tables")
    {
        ArgumentNullException.ThrowIfNull(fields);
        FieldDictionaryBuilder builder = new();
        new FieldDictionaryFile(builder).Read(fields, fieldsName);
        if (enums is not null)
            new EnumTypeFile(builder).Read(enums, enumsName);
        return builder.Build();
    }

    /// <summary>Creates a dictionary in code.</summary>
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

    /// <summary>Returns the wire type of a field, at the cost of one array access.</summary>
    /// <returns>The type; <see cref="DataType.Unknown"/> when the field is not defined.</returns>
    public DataType TypeOf(short fid) => Types.TypeOf(fid);

    /// <summary>Looks up a field by its id.</summary>
    public bool TryFind(short fid, [NotNullWhen(true)] out FieldDefinition? definition)
    {
        definition = _byFid[(ushort)fid];
        return definition is not null;
    }

    /// <summary>Looks up a field by its acronym, case-sensitive.</summary>
    public bool TryFind(string acronym, [NotNullWhen(true)] out FieldDefinition? definition) =>
        _byAcronym.TryGetValue(acronym, out definition);

    /// <summary>Looks up the enum table of a field.</summary>
    public bool TryFindEnumTable(short fid, [NotNullWhen(true)] out EnumTable? table) =>
        _tableOf.TryGetValue(fid, out table);
}

/// <summary>Identity of a dictionary; a text that was not given is empty.</summary>
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
