namespace PerfCommon.Codec;

/// <summary>One entry of a set definition.</summary>
/// <remarks>Borrows the message.</remarks>
internal readonly ref struct SetDefinitionEntry
{
    internal SetDefinitionEntry(short fieldId, ReadOnlySpan<byte> name, DataType type)
    {
        FieldId = fieldId;
        Name = name;
        Type = type;
    }

    /// <summary>Id of the field; 0 in definitions of element lists.</summary>
    public short FieldId { get; }

    /// <summary>Name of the element; empty in definitions of field lists.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>Type of the set item: base, set-defined or container type. Legacy codes are already their base type.</summary>
    public DataType Type { get; }
}
