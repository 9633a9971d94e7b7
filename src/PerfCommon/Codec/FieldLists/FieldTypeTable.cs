namespace PerfCommon.Codec;

/// <summary>The type of every field id, as a dictionary knows them: one array access each.</summary>
/// <remarks>Immutable, so any thread may ask it.</remarks>
internal sealed class FieldTypeTable
{
    private const int FieldIdCount = 65_536; // wire/rwf 4.1

    private readonly DataType[] _types = new DataType[FieldIdCount];

    /// <summary>Makes the table.</summary>
    /// <param name="types">The ids that are known; the type of all others is <see cref="DataType.Unknown"/>.</param>
    public FieldTypeTable(IEnumerable<(short FieldId, DataType Type)> types)
    {
        ArgumentNullException.ThrowIfNull(types);
        foreach ((short fieldId, DataType type) in types)
            _types[(ushort)fieldId] = type;
    }

    /// <summary>The type of a field; <see cref="DataType.Unknown"/> when the dictionary lacks it.</summary>
    public DataType TypeOf(short fieldId) => _types[(ushort)fieldId];

    /// <summary>All types by field id taken as unsigned; not to be written.</summary>
    internal DataType[] ByFieldId => _types;
}
