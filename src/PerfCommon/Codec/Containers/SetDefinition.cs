namespace PerfCommon.Codec;

/// <summary>Layout of set data: the entries in order, each with its type.</summary>
/// <remarks>Borrows the message. The default value defines nothing.</remarks>
internal readonly ref struct SetDefinition
{
    internal SetDefinition(byte setId, byte entryCount, DataType containerType, ReadOnlySpan<byte> entries)
    {
        SetId = setId;
        EntryCount = entryCount;
        ContainerType = containerType;
        Entries = entries;
    }

    /// <summary>Id of the set, 0 to 15.</summary>
    public byte SetId { get; }

    /// <summary>Number of entries.</summary>
    public byte EntryCount { get; }

    /// <summary>FieldList or ElementList.</summary>
    public DataType ContainerType { get; }

    internal ReadOnlySpan<byte> Entries { get; }

    /// <summary>Reads the entries in order.</summary>
    public SetDefinitionReader OpenEntries() => new(this);
}

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

/// <summary>Reads the entries of one set definition, front to back.</summary>
/// <remarks>Borrows the message.</remarks>
internal ref struct SetDefinitionReader
{
    private readonly bool _named;
    private RwfReader _reader;
    private int _left;

    internal SetDefinitionReader(scoped in SetDefinition definition)
    {
        _named = definition.ContainerType == DataType.ElementList;
        _reader = new RwfReader(definition.Entries);
        _left = definition.EntryCount;
    }

    internal readonly int Left => _left;

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer or Incomplete.</returns>
    public DecodeResult TryReadNext(out SetDefinitionEntry entry)
    {
        entry = default;
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        // field: fieldId int16 | type      element: name, rb15 length | type
        short fieldId = _named ? (short)0 : (short)_reader.ReadUInt16();
        ReadOnlySpan<byte> name = _named ? _reader.ReadBuf15() : default;
        byte code = _reader.ReadByte();
        if (!_reader.Good)
            return _reader.Result;

        _left--;
        DataType type = DataTypes.FixedSizeOf((DataType)code) != 0 || IsRB((DataType)code)
            ? (DataType)code
            : DataTypes.BaseOf(code);
        entry = new SetDefinitionEntry(fieldId, name, type);
        return DecodeResult.Success;
    }

    internal readonly int Position => _reader.Position;

    private static bool IsRB(DataType type) => type is DataType.Real4RB or DataType.Real8RB;
}
