using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a map.</summary>
internal static class MapFlags
{
    public const int HasSetDefs = 0x01;
    public const int HasSummaryData = 0x02;
    public const int HasPerEntryPermData = 0x04; // entries may carry permission data
    public const int HasTotalCountHint = 0x08;
    public const int HasKeyFieldId = 0x10; // carries the field id of the key
}

/// <summary>Action of a map entry.</summary>
public enum MapAction : byte
{
    /// <summary>Changes the entry.</summary>
    Update = 1,

    /// <summary>Adds or replaces the entry.</summary>
    Add = 2,

    /// <summary>Removes the entry; no payload.</summary>
    Delete = 3,
}

/// <summary>One entry of a map.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action}, key of {Key.Length} bytes, {Content.Length} bytes")]
public ref struct MapEntry
{
    /// <summary>Bits of <see cref="EntryFlags"/>.</summary>
    internal byte Flags { get; set; }

    /// <summary>What to do; unknown actions are no error and have a payload.</summary>
    public MapAction Action { get; set; }

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { get; set; }

    /// <summary>Content of the key, of the key type of the map.</summary>
    public ReadOnlySpan<byte> Key { get; set; }

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; set; }
}

/// <summary>Reads the entries of one map, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct MapReader
{
    private SummedEntries _shared;

    /// <summary>Definitions for the summary and the entries of this map; default when it carries none.</summary>
    public readonly SetDefinitions SetDefinitions => _shared.SetDefinitions;

    /// <summary>Bits of <see cref="MapFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Type of the keys.</summary>
    public DataType KeyType { get; private set; }

    /// <summary>Container type of summary and entries.</summary>
    public readonly DataType ContainerType => _shared.ContainerType;

    /// <summary>Field the key stands for; 0 when not carried.</summary>
    public short KeyFieldId { get; private set; }

    /// <summary>Summary data; empty when not carried.</summary>
    public readonly ReadOnlySpan<byte> Summary => _shared.Summary;

    /// <summary>About how many entries there are over all parts; 0 when not carried.</summary>
    public readonly int TotalCountHint => _shared.TotalCountHint;

    /// <summary>Number of entries the map claims to have.</summary>
    public readonly int Count => _shared.Entries.Count;

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="MapFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a map and checks its set definitions.</summary>
    /// <param name="range">The map and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out MapReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // flags | keyType | containerType | [keyFieldId] | the rest as in vectors and series
        RwfReader head = new(range);
        reader.Flags = head.ReadByte();
        reader.KeyType = DataTypes.BaseOf(head.ReadByte());
        DataType containerType = DataTypes.FromScaled(head.ReadByte());
        if (head.Good && !DataTypes.IsSimple(reader.KeyType))
            head.Fail(DecodeResult.Invalid);
        if (reader.Has(MapFlags.HasKeyFieldId))
            reader.KeyFieldId = (short)head.ReadUInt16();
        return reader._shared.Open(
            head,
            containerType,
            reader.Has(MapFlags.HasSetDefs),
            reader.Has(MapFlags.HasSummaryData),
            reader.Has(MapFlags.HasTotalCountHint));
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out MapEntry entry)
    {
        entry = default;
        if (!_shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // flags 4 bits, action 4 bits | [permData, rb15 length] | key, rb15 length | [payload, u16ob length]
        ref RwfReader bytes = ref _shared.Entries.Bytes;
        byte first = bytes.ReadByte();
        MapEntry read = new() { Flags = (byte)(first >> 4), Action = (MapAction)(first & 0x0F) };
        if (Has(MapFlags.HasPerEntryPermData) && (read.Flags & EntryFlags.HasPermData) != 0)
            read.PermData = bytes.ReadBuf15();
        read.Key = bytes.ReadBuf15();
        if (read.Action != MapAction.Delete && ContainerType != DataType.NoData)
            read.Content = bytes.ReadBuf16();
        if (_shared.Entries.TryEnd(out result))
            entry = read;
        return result;
    }
}
