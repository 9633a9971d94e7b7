using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The fields and enum tables two peers agree on: what a field id means and how its bytes are read.</summary>
/// <remarks>Immutable once built, so any thread may ask it.</remarks>
#pragma warning disable CA1711 // the field's own name
[DebuggerDisplay("{Definitions.Count} fields, {EnumTables.Count} enum tables")]
public sealed partial class FieldDictionary
#pragma warning restore CA1711
{
    private const int FidCount = 65_536;

    private readonly FieldDefinition?[] _byFid = new FieldDefinition?[FidCount];
    private readonly Dictionary<string, FieldDefinition> _byAcronym = new(StringComparer.Ordinal);
    private readonly Dictionary<short, EnumTable> _tableOf = [];

    internal FieldDictionary(
        DictionaryVersion version, IEnumerable<FieldDefinition> definitions, IEnumerable<EnumTable> enumTables)
    {
        Version = version;
        Definitions = [.. definitions.OrderBy(definition => definition.Fid)];
        Types = new FieldTypeTable(Definitions.Select(definition => (definition.Fid, definition.DataType)));
        EnumTables = [.. enumTables.OrderBy(table => table.Fids[0])];
        foreach (FieldDefinition definition in Definitions)
        {
            _byFid[(ushort)definition.Fid] = definition;
            _byAcronym.TryAdd(definition.Acronym, definition);
        }

        foreach (EnumTable table in EnumTables)
        {
            foreach (short fid in table.Fids)
                _tableOf[fid] = table;
        }
    }

    /// <summary>Identity and versions, as the files or the provider gave them.</summary>
    internal DictionaryVersion Version { get; }

    /// <summary>The wire types alone, as the codec wants them.</summary>
    internal FieldTypeTable Types { get; }

    /// <summary>All fields by ascending field id.</summary>
    public IReadOnlyList<FieldDefinition> Definitions { get; }

    /// <summary>All enum tables by the first field they were named for, ascending.</summary>
    public IReadOnlyList<EnumTable> EnumTables { get; }

    /// <summary>The wire type of a field, at the price of one array access.</summary>
    /// <param name="fid">Field id of an entry.</param>
    /// <returns>The type; <see cref="DataType.Unknown"/> when the field is not defined.</returns>
    public DataType TypeOf(short fid) => Types.TypeOf(fid);

    /// <summary>Looks up a field by its id.</summary>
    /// <param name="fid">Field id.</param>
    /// <param name="definition">The definition, when there is one.</param>
    public bool TryFind(short fid, [NotNullWhen(true)] out FieldDefinition? definition)
    {
        definition = _byFid[(ushort)fid];
        return definition is not null;
    }

    /// <summary>Looks up a field by its acronym, upper and lower case told apart.</summary>
    /// <param name="acronym">Short name, such as <c>BID</c>.</param>
    /// <param name="definition">The definition, when there is one.</param>
    public bool TryFind(string acronym, [NotNullWhen(true)] out FieldDefinition? definition) =>
        _byAcronym.TryGetValue(acronym, out definition);

    /// <summary>Looks up the enum table of a field.</summary>
    /// <param name="fid">Field id.</param>
    /// <param name="table">The table, when the field has one.</param>
    public bool TryFindEnumTable(short fid, [NotNullWhen(true)] out EnumTable? table) =>
        _tableOf.TryGetValue(fid, out table);
}
