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
