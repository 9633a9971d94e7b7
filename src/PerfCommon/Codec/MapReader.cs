namespace PerfCommon.Codec;

/// <summary>Reads the entries of one map, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct MapReader
{
    private RwfReader _reader;
    private int _left;
    private SetDefinitions _setDefinitions;

    /// <summary>Definitions for the summary and the entries of this map; default when it carries none.</summary>
    public readonly SetDefinitions SetDefinitions => _setDefinitions;

    /// <summary>Bits of <see cref="MapFlags"/>.</summary>
    internal byte Flags { get; private set; }

    /// <summary>Type of the keys.</summary>
    public DataType KeyType { get; private set; }

    /// <summary>Container type of summary and entries.</summary>
    public DataType ContainerType { get; private set; }

    /// <summary>Field the key stands for; 0 when not carried.</summary>
    public short KeyFieldId { get; private set; }

    /// <summary>Summary data; empty when not carried.</summary>
    public ReadOnlySpan<byte> Summary { get; private set; }

    /// <summary>About how many entries there are over all parts; 0 when not carried.</summary>
    public int TotalCountHint { get; private set; }

    /// <summary>Number of entries the map claims to have.</summary>
    public int Count { get; private set; }

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="MapFlags"/>.</param>
    internal readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a map and checks its set definitions.</summary>
    /// <param name="range">The map and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out MapReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;
        reader._reader = new RwfReader(range);
        return reader.Open();
    }

    // flags | keyType | containerType | [keyFieldId] | [set definitions] | [summary] | [totalCountHint rb30] | entryCount
    private DecodeResult Open()
    {
        Flags = _reader.ReadByte();
        KeyType = DataTypes.BaseOf(_reader.ReadByte());
        ContainerType = DataTypes.FromScaled(_reader.ReadByte());
        if (_reader.Good && !DataTypes.IsSimple(KeyType))
            _reader.Fail(DecodeResult.Invalid);
        if (Has(MapFlags.HasKeyFieldId))
            KeyFieldId = (short)_reader.ReadUInt16();
        if (Has(MapFlags.HasSetDefs))
            _setDefinitions.ReadFrom(ref _reader, ContainerType);
        if (Has(MapFlags.HasSummaryData))
            Summary = _reader.ReadBuf15();
        if (Has(MapFlags.HasTotalCountHint))
            TotalCountHint = _reader.ReadRb30();
        Count = _left = _reader.ReadUInt16();
        return _reader.Result;
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out MapEntry entry)
    {
        entry = default;
        if (!_reader.Good)
            return _reader.Result;
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        // flags 4 bits, action 4 bits | [permData, rb15 length] | key, rb15 length | [payload, u16ob length]
        byte first = _reader.ReadByte();
        MapEntry read = new() { Flags = (byte)(first >> 4), Action = (MapAction)(first & 0x0F) };
        if (Has(MapFlags.HasPerEntryPermData) && (read.Flags & EntryFlags.HasPermData) != 0)
            read.PermData = _reader.ReadBuf15();
        read.Key = _reader.ReadBuf15();
        if (read.Action != MapAction.Delete && ContainerType != DataType.NoData)
            read.Content = _reader.ReadBuf16();
        if (!_reader.Good)
            return _reader.Result;
        _left--;
        entry = read;
        return DecodeResult.Success;
    }
}
