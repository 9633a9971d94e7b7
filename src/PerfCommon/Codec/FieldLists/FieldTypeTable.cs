namespace PerfCommon.Codec;

/// <summary>Table of the type of every field id in a dictionary: one array access per look-up.</summary>
/// <remarks>Immutable, so any thread may read it.</remarks>
internal sealed class FieldTypeTable
{
    private const int FieldIdCount = 65_536; // wire/rwf 4.1

    private readonly DataType[] _types = new DataType[FieldIdCount];

    /// <summary>Creates the table.</summary>
    /// <param name="types">The known ids; the type of all others is <see cref="DataType.Unknown"/>.</param>
    internal FieldTypeTable(IEnumerable<(short FieldId, DataType Type)> types)
    {
        ArgumentNullException.ThrowIfNull(types);
        foreach ((short fieldId, DataType type) in types)
            _types[(ushort)fieldId] = type;
    }

    /// <summary>The type of a field; <see cref="DataType.Unknown"/> when the dictionary lacks it.</summary>
    internal DataType TypeOf(short fieldId) => _types[(ushort)fieldId];

    /// <summary>All types, indexed by the field id as an unsigned number; read only.</summary>
    internal DataType[] ByFieldId => _types;
}
