namespace PerfCommon.Codec;

/// <summary>Reads the set data of one field list or element list: items in the order and of the types of their definition.</summary>
/// <remarks>Borrows the message. Without a definition there is nothing to read, and the data is skipped.</remarks>
internal ref struct SetDataReader
{
    private const byte BlankBit = 0x20; // wire/rwf 3.1

    public ushort SetId; // 0 when not carried
    public ReadOnlySpan<byte> Data; // as encoded; empty when there is none
    public bool IsDefined; // a definition was found: the items are delivered, not skipped
    public int Left; // items still to be read

    private SetDefinitionReader _definitions;
    private RwfReader _items;

    /// <summary>Opens the set data of a list, if it has any.</summary>
    /// <param name="head">Positioned after the info of the list.</param>
    /// <param name="flags">Flag byte of the list; field lists and element lists agree.</param>
    /// <param name="listType">FieldList or ElementList.</param>
    /// <param name="definitions">Definitions of the container around the list; default for none.</param>
    public static SetDataReader Open(scoped ref RwfReader head, int flags, DataType listType, scoped in SetDefinitions definitions)
    {
        SetDataReader read = default;
        if ((flags & ListFlags.HasSetData) == 0)
            return read;

        // wire/rwf 4.1
        if ((flags & ListFlags.HasSetId) != 0)
            read.SetId = (ushort)head.ReadRb15();
        read.Data = (flags & ListFlags.HasStandardData) != 0 ? head.ReadBuf15() : head.ReadBytes(head.Left);
        if (definitions.ContainerType != listType || !definitions.TryFind(read.SetId, out SetDefinition definition)) // wire/rwf 4.8
            return read;
        read.IsDefined = true;
        read.Left = definition.EntryCount;
        read._definitions = definition.OpenEntries();
        read._items = new RwfReader(read.Data);
        return read;
    }

    /// <summary>Reads the next item and moves past it.</summary>
    /// <param name="definition">Names the item and gives its type.</param>
    /// <param name="start">Offset of the content in <see cref="Data"/>.</param>
    /// <param name="length">Bytes of content; 0 when the item is blank.</param>
    /// <returns>Success, or the error in definition or item.</returns>
    public DecodeResult TryReadNext(out SetDefinitionEntry definition, out int start, out int length)
    {
        DecodeResult result = _definitions.TryReadNext(out definition);
        (start, length) = ReadItem(ref _items, definition.Type);
        if (result == DecodeResult.Success)
            result = _items.Result;
        if (result == DecodeResult.Success)
            Left--;
        return result;
    }

    private static (int Start, int Length) ReadItem(scoped ref RwfReader reader, DataType type)
    {
        int length = DataTypes.FixedSizeOf(type);
        if (length == 0)
            length = DataTypes.IsSizedReal(type) ? RealSize(ref reader, type) : PrefixedSize(ref reader, type);

        int start = reader.Position;
        bool blankReal = DataTypes.IsSizedReal(type) && length == 1;
        reader.ReadBytes(length);
        return (start, blankReal ? 0 : length);
    }

    // wire/rwf 3.1
    private static int RealSize(scoped ref RwfReader reader, DataType type)
    {
        if (reader.Left == 0)
            reader.Fail(DecodeResult.Incomplete); // wire/rwf 9.1
        if (!reader.Good)
            return 0;
        byte first = reader.Rest[0];
        if ((first & BlankBit) != 0)
            return 1;
        int size = (first >> 6) + 1;
        return 1 + (type == DataType.Real4RB ? size : 2 * size);
    }

    private static int PrefixedSize(scoped ref RwfReader reader, DataType type) // wire/rwf 3.1
    {
        if (type is >= DataType.Int and <= DataType.Qos && DataTypes.IsPrimitive(type))
            return reader.ReadByte();
        if (DataTypes.IsPrimitive(type) || DataTypes.IsContainer(type))
            return reader.ReadU16ob();
        reader.Fail(DecodeResult.Invalid); // wire/rwf 3.1
        return 0;
    }
}

// Field lists and element lists have this in common: set data, then counted entries.
public ref partial struct RwfWriter
{
    /// <summary>Begins a set item of the type its definition gives; write its value next, as for a field.</summary>
    internal bool BeginSetItem(DataType type)
    {
        if (Failed)
            return false;
        _open.ContentType = type;
        _open.ItemLength = DataTypes.FixedSizeOf(type);
        if (DataTypes.IsSizedReal(type))
            return BeginEntryContent(PendingReal);

        // A short length is encoded alike in both of its forms.
        return BeginEntryContent(_open.ItemLength == 0 ? PendingBuf16 : PendingFixed); // wire/rwf 3.1
    }

    /// <summary>Ends the set data of a field list or element list; standard entries follow if the list has them.</summary>
    internal bool EndSetData()
    {
        if (Failed)
            return false;
        if (_open.SetDataAt == NoLength)
            ThrowMisuse("no set data is open");
        if (_open.StandardFollows)
            CloseBuf15(_open.SetDataAt);
        _open.SetDataAt = NoLength;
        _count = 0;
        BeginStandardEntries();
        return !Failed;
    }

    // wire/rwf 4.1
    private bool BeginSetAndEntries(int flags, int setId)
    {
        _open.StandardFollows = (flags & ListFlags.HasStandardData) != 0;
        if ((flags & ListFlags.HasSetData) != 0)
        {
            if ((flags & ListFlags.HasSetId) != 0)
                PutRb15(setId);
            _open.SetDataAt = _position;
            if (_open.StandardFollows)
                Reserve(ReservedBuf15);
            return !Failed;
        }

        BeginStandardEntries();
        return !Failed;
    }

    private void BeginStandardEntries()
    {
        if (!_open.StandardFollows)
            return;
        _open.CountAt = _position;
        Reserve(sizeof(ushort));
    }

    private bool EndList(FrameKind kind)
    {
        if (!CheckOpen(kind))
            return false;
        if (_open.SetDataAt != NoLength)
            ThrowMisuse("set data is still open");
        if (_open.CountAt != NoLength)
            PatchUInt16(_open.CountAt, _count);
        return Pop();
    }
}
