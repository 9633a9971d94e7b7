namespace PerfCommon.Codec;

/// <summary>Reads the entries of one element list front to back, set-defined ones first, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct ElementListReader
{
    private RwfReader _reader;
    private RwfReader _set;
    private SetDefinitionReader _setEntries;
    private int _setLeft;
    private int _left;

    /// <summary>Bits of <see cref="ElementListFlags"/>.</summary>
    internal byte Flags { get; private set; }

    /// <summary>Number of the element list; 0 when not carried.</summary>
    public ushort ElementListNum { get; private set; }

    /// <summary>Id of the set; 0 when not carried.</summary>
    internal ushort SetId { get; private set; }

    /// <summary>Set data as it stands; empty when there is none.</summary>
    internal ReadOnlySpan<byte> SetData { get; private set; }

    /// <summary>True when a definition was at hand: the set entries are delivered, not skipped.</summary>
    internal bool IsSetDefined { get; private set; }

    /// <summary>Number of standard entries the list claims to have.</summary>
    public int StandardCount { get; private set; }

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="ElementListFlags"/>.</param>
    internal readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens an element list; set data, if there is any, is skipped.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out ElementListReader reader) =>
        TryOpen(range, default, out reader);

    /// <summary>Opens an element list whose set data is laid out by definitions of the container around it.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="definitions">Definitions of the map, vector or series; default for none.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(
        ReadOnlySpan<byte> range,
        scoped in SetDefinitions definitions,
        out ElementListReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;
        reader._reader = new RwfReader(range);
        return reader.Open(definitions);
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out ElementEntry entry)
    {
        entry = default;
        if (!_reader.Good)
            return _reader.Result;
        if (_setLeft != 0)
            return TryReadNextOfSet(out entry);
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        // name, rb15 length | type | content, u16ob length; NO_DATA has neither content nor length
        ReadOnlySpan<byte> name = _reader.ReadBuf15();
        DataType type = DataTypes.BaseOf(_reader.ReadByte());
        ReadOnlySpan<byte> content = type == DataType.NoData ? default : _reader.ReadBuf16();
        if (!_reader.Good)
            return _reader.Result;
        _left--;
        entry = new ElementEntry(name, type, content);
        return DecodeResult.Success;
    }

    private DecodeResult Open(scoped in SetDefinitions definitions)
    {
        // flags | [info] | [[setId] set data] | [entryCount uint16, entries]
        Flags = _reader.ReadByte();
        if (Has(ElementListFlags.HasInfo))
        {
            RwfReader info = new(_reader.ReadBuf8());
            ElementListNum = info.ReadUInt16();
            if (!info.Good)
                _reader.Fail(info.Result);
        }

        if (Has(ElementListFlags.HasSetData))
            OpenSet(definitions);
        if (Has(ElementListFlags.HasStandardData))
            StandardCount = _left = _reader.ReadUInt16();
        return _reader.Result;
    }

    private void OpenSet(scoped in SetDefinitions definitions)
    {
        if (Has(ElementListFlags.HasSetId))
            SetId = (ushort)_reader.ReadRb15();
        SetData = Has(ElementListFlags.HasStandardData) ? _reader.ReadBuf15() : _reader.ReadBytes(_reader.Left);
        if (definitions.ContainerType != DataType.ElementList || !definitions.TryFind(SetId, out SetDefinition definition))
            return;
        IsSetDefined = true;
        _set = new RwfReader(SetData);
        _setEntries = definition.OpenEntries();
        _setLeft = definition.EntryCount;
    }

    private DecodeResult TryReadNextOfSet(out ElementEntry entry)
    {
        entry = default;
        DecodeResult result = _setEntries.TryReadNext(out SetDefinitionEntry definition);
        (int start, int length) = SetItem.Read(ref _set, definition.Type);
        if (result == DecodeResult.Success)
            result = _set.Result;
        if (result != DecodeResult.Success)
        {
            _reader.Fail(result);
            return result;
        }

        _setLeft--;
        entry = new ElementEntry(definition.Name, DataTypes.BaseOf(definition.Type), SetData.Slice(start, length));
        return DecodeResult.Success;
    }
}
