using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Set definitions that a map, vector or series carries for its summary and entries.</summary>
/// <remarks>Borrows the message. The default value defines no set: set data is then skipped.</remarks>
internal ref struct SetDefinitions
{
    public const int MaxDefinitions = 15; // wire/rwf 4.8
    public const int MaxSetId = 15; // wire/rwf 4.8

    private ReadOnlySpan<byte> _bytes;
    private Starts _starts;

    /// <summary>Container type whose sets are defined: FieldList or ElementList.</summary>
    public DataType ContainerType { get; private set; }

    public readonly bool TryFind(int setId, out SetDefinition definition)
    {
        definition = default;
        if ((uint)setId > MaxSetId || _starts[setId] == 0)
            return false;
        int start = _starts[setId];
        definition = new SetDefinition(_bytes[start - 1], ContainerType, _bytes[start..]);
        return true;
    }

    /// <summary>Reads and checks the definitions of a container; default when they are malformed, which fails the container.</summary>
    public static SetDefinitions Read(scoped ref RwfReader container, DataType containerType)
    {
        ReadOnlySpan<byte> bytes = container.ReadBuf15();
        if (!container.Good)
            return default;
        SetDefinitions read = new() { _bytes = bytes, ContainerType = containerType };
        RwfReader reader = new(bytes);
        read.ReadDefinitions(ref reader);
        if (reader.Good)
            return read;
        container.Fail(reader.Result);
        return default;
    }

    // wire/rwf 4.8
    private void ReadDefinitions(scoped ref RwfReader reader)
    {
        if (ContainerType is not (DataType.FieldList or DataType.ElementList)) // wire/rwf 4.8
            reader.Fail(DecodeResult.Invalid);
        reader.ReadByte();
        int count = reader.ReadByte();
        if (reader.Good && (count is 0 or > MaxDefinitions)) // wire/rwf 4.8
            reader.Fail(DecodeResult.Invalid);
        for (int i = 0; i < count && reader.Good; i++)
            ReadDefinition(ref reader);
    }

    private void ReadDefinition(scoped ref RwfReader reader)
    {
        int setId = reader.ReadRb15();
        byte entryCount = reader.ReadByte();
        if (!reader.Good)
            return;
        if (setId > MaxSetId || _starts[setId] != 0) // wire/rwf 4.8
        {
            reader.Fail(DecodeResult.Invalid);
            return;
        }

        // The entry count precedes the entries, so no start is 0.
        _starts[setId] = (ushort)reader.Position;
        SetDefinitionReader entries = new SetDefinition(entryCount, ContainerType, reader.Rest).OpenEntries();
        DecodeResult result;
        do
            result = entries.TryReadNext(out _);
        while (result == DecodeResult.Success);

        if (result == DecodeResult.EndOfContainer)
            reader.ReadBytes(entries.Position);
        else
            reader.Fail(result);
    }

    [InlineArray(MaxSetId + 1)]
    private struct Starts
    {
        private ushort _start;
    }
}

/// <summary>Layout of set data: the entries in order, each with its type. The default value defines nothing.</summary>
internal readonly ref struct SetDefinition(byte entryCount, DataType containerType, ReadOnlySpan<byte> entries)
{
    private readonly ReadOnlySpan<byte> _entries = entries;

    public byte EntryCount { get; } = entryCount;

    public SetDefinitionReader OpenEntries() => new(containerType == DataType.ElementList, _entries, EntryCount);
}

/// <summary>One entry of a set definition.</summary>
/// <param name="fieldId">Id of the field; 0 in definitions of element lists.</param>
/// <param name="name">Name of the element; empty in definitions of field lists.</param>
/// <param name="type">Base, set-defined or container type; legacy codes are already their base type.</param>
internal readonly ref struct SetDefinitionEntry(short fieldId, ReadOnlySpan<byte> name, DataType type)
{
    public short FieldId { get; } = fieldId;

    public ReadOnlySpan<byte> Name { get; } = name;

    public DataType Type { get; } = type;
}

/// <summary>Reads the entries of one set definition, front to back.</summary>
internal ref struct SetDefinitionReader(bool named, ReadOnlySpan<byte> entries, int count)
{
    private readonly bool _named = named;
    private RwfReader _reader = new(entries);
    private int _left = count;

    public readonly int Position => _reader.Position;

    /// <summary>Reads the next entry and moves past it: Success, EndOfContainer or Incomplete.</summary>
    public DecodeResult TryReadNext(out SetDefinitionEntry entry)
    {
        entry = default;
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        // wire/rwf 4.8
        short fieldId = _named ? (short)0 : (short)_reader.ReadUInt16();
        ReadOnlySpan<byte> name = _named ? _reader.ReadBuf15() : default;
        byte code = _reader.ReadByte();
        if (!_reader.Good)
            return _reader.Result;

        _left--;
        bool isSetType = DataTypes.FixedSizeOf((DataType)code) != 0 || DataTypes.IsSizedReal((DataType)code);
        DataType type = isSetType ? (DataType)code : DataTypes.BaseOf(code);
        entry = new SetDefinitionEntry(fieldId, name, type);
        return DecodeResult.Success;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Begins the set definitions of a map, vector or series of field lists or element lists.</summary>
    internal bool BeginSetDefinitions()
    {
        // wire/rwf 4.8
        if (Failed)
            return false;
        PatchFlag(_open.HeadAt, MapFlags.HasSetDefs); // the same bit in all three
        _open.LengthAt = PendingBuf15;
        if (!Push(FrameKind.SetDefinitions))
            return false;
        PutUInt16(0);
        return !Failed;
    }

    /// <summary>Begins one definition, of a set 0 to 15, each once; add its entries next.</summary>
    internal bool BeginSetDefinition(int setId)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        // wire/rwf 4.8
        if ((uint)setId > SetDefinitions.MaxSetId || _count == SetDefinitions.MaxDefinitions)
            Fail(EncodeProblem.InvalidValue);
        _count++;
        PutByte(setId);
        _open.CountAt = _position;
        _open.DefinedEntries = 0;
        PutByte(0);
        return !Failed;
    }

    /// <summary>Adds a field to the definition, of a base, set-defined or container type.</summary>
    internal bool AddSetField(short fieldId, DataType type)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PutUInt16(fieldId);
        return EndSetEntry(type);
    }

    /// <summary>Adds an element to the definition, of a base, set-defined or container type.</summary>
    internal bool AddSetElement(scoped ReadOnlySpan<byte> name, DataType type)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PutBuf15(name);
        return EndSetEntry(type);
    }

    private bool EndSetEntry(DataType type)
    {
        PutByte((int)type);
        PatchByte(_open.CountAt, ++_open.DefinedEntries);
        return !Failed;
    }

    internal bool EndSetDefinitions()
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PatchByte(_open.HeadAt + 1, _count);
        return Pop() && EndSummary(); // the same kind of length
    }
}
