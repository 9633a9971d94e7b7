using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a map.</summary>
internal static class MapFlags // wire/rwf 4.4
{
    public const int HasSetDefs = 0x01;
    public const int HasSummaryData = 0x02;
    public const int HasPerEntryPermData = 0x04; // entries may carry permission data
    public const int HasTotalCountHint = 0x08;
    public const int HasKeyFieldId = 0x10; // carries the field id of the key
}

/// <summary>Action of a map entry.</summary>
public enum MapAction : byte // wire/rwf 4.4
{
    /// <summary>Changes the fields that the content carries.</summary>
    Update = 1,

    /// <summary>Adds the entry, or replaces it.</summary>
    Add = 2,

    /// <summary>Removes the entry; without content.</summary>
    Delete = 3,
}

/// <summary>One entry of a map.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action}, key of {Key.Length} bytes, {Content.Length} bytes")]
public ref struct MapEntry
{
    internal byte Flags; // bits of EntryFlags

    /// <summary>What happens to the entry of this key; values that the protocol does not define are kept.</summary>
    public MapAction Action { readonly get; internal set; } // wire/rwf 4.6

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { readonly get; internal set; }

    /// <summary>The key, of <see cref="MapReader.KeyType"/>.</summary>
    public ReadOnlySpan<byte> Key { readonly get; internal set; }

    /// <summary>The content, a container of <see cref="MapReader.ContainerType"/>; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { readonly get; internal set; }
}

/// <summary>Reads the entries of one map, such as an order book, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct MapReader
{
    internal SummedEntries Shared;

    /// <summary>Base type of all keys.</summary>
    public DataType KeyType { readonly get; private set; }

    /// <summary>Id of the field that the key stands for; 0 when not carried.</summary>
    public short KeyFieldId { readonly get; private set; }

    /// <summary>Type of the summary data and of the content of every entry that has any.</summary>
    public readonly DataType ContainerType => Shared.ContainerType;

    /// <summary>The summary data, a container of <see cref="ContainerType"/>; empty when there is none.</summary>
    public readonly ReadOnlySpan<byte> Summary => Shared.Summary;

    /// <summary>Approximate number of entries over all parts of a refresh; 0 when not carried.</summary>
    public readonly int TotalCountHint => Shared.TotalCountHint;

    /// <summary>Opens a map and checks its set definitions.</summary>
    /// <param name="range">Exactly the bytes of the map, such as the payload of a message.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out MapReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // wire/rwf 4.4
        RwfReader head = new(range);
        reader.Shared.Flags = head.ReadByte();
        reader.KeyType = DataTypes.BaseOf(head.ReadByte());
        reader.Shared.ContainerType = DataTypes.FromScaled(head.ReadByte());
        if (head.Good && !DataTypes.IsSimple(reader.KeyType)) // wire/rwf 4.4
            head.Fail(DecodeResult.Invalid);
        if (reader.Shared.Has(MapFlags.HasKeyFieldId))
            reader.KeyFieldId = (short)head.ReadUInt16();
        return reader.Shared.Open(head, MapFlags.HasTotalCountHint);
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out MapEntry entry)
    {
        entry = default;
        if (!Shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // wire/rwf 4.4
        ref RwfReader bytes = ref Shared.Entries.Bytes;
        byte first = bytes.ReadByte();
        MapEntry read = new() { Flags = (byte)(first >> 4), Action = (MapAction)(first & 0x0F) };
        if (Shared.Has(MapFlags.HasPerEntryPermData) && (read.Flags & EntryFlags.HasPermData) != 0)
            read.PermData = bytes.ReadBuf15();
        read.Key = bytes.ReadBuf15();
        if (read.Action != MapAction.Delete && Shared.ContainerType != DataType.NoData) // wire/rwf 4.4
            read.Content = bytes.ReadBuf16();
        if (Shared.Entries.TryEnd(out result))
            entry = read;
        return result;
    }

    /// <summary>Opens the field list of the summary or of an entry, whose set data the definitions of this map lay out.</summary>
    /// <inheritdoc cref="FieldListReader.TryOpen(ReadOnlySpan{byte}, out FieldListReader)"/>
    public readonly DecodeResult TryOpenFieldList(ReadOnlySpan<byte> range, out FieldListReader reader) =>
        FieldListReader.TryOpen(range, Shared.SetDefinitions, out reader);

    /// <summary>Opens the element list of the summary or of an entry, whose set data the definitions of this map lay out.</summary>
    /// <inheritdoc cref="ElementListReader.TryOpen(ReadOnlySpan{byte}, out ElementListReader)"/>
    public readonly DecodeResult TryOpenElementList(ReadOnlySpan<byte> range, out ElementListReader reader) =>
        ElementListReader.TryOpen(range, Shared.SetDefinitions, out reader);
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a map; write definitions and summary next if there are any, then entries.</summary>
    /// <param name="keyType">A primitive base type other than Array.</param>
    /// <param name="containerType">Of summary and entries, as in vectors and series.</param>
    /// <param name="totalCountHint">Approximate number of entries over all parts; null for none. In vectors and series, too.</param>
    /// <param name="keyFieldId">Field the key stands for; null for none.</param>
    public bool BeginMap(DataType keyType, DataType containerType, int? totalCountHint = null, short? keyFieldId = null)
    {
        if (!Push(FrameKind.Map))
            return false;
        int flags = totalCountHint is null ? 0 : MapFlags.HasTotalCountHint;
        PutByte(keyFieldId is null ? flags : flags | MapFlags.HasKeyFieldId);
        PutByte((int)keyType);
        PutByte(DataTypes.ToScaled(containerType));
        if (keyFieldId is short fieldId)
            PutUInt16(fieldId);
        return SetContent(containerType, totalCountHint);
    }

    /// <summary>Ends the map.</summary>
    public bool EndMap() => EndCounted(FrameKind.Map);

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Delete has no payload.</summary>
    /// <param name="action">Action of the entry.</param>
    /// <param name="key">Content of the key; may not be blank.</param>
    /// <param name="permData">Empty for none, as in the entries of other containers.</param>
    public bool BeginMapEntry(MapAction action, scoped ReadOnlySpan<byte> key, scoped ReadOnlySpan<byte> permData = default)
    {
        if (!BeginCountedEntry(FrameKind.Map))
            return false;
        PutActionByte((int)action, permData);
        PutPermData(permData, MapFlags.HasPerEntryPermData);
        PutBuf15(key);
        return BeginPayload(action != MapAction.Delete); // wire/rwf 4.4
    }

    /// <summary>Begins an entry of a map whose keys are unsigned integers.</summary>
    public bool BeginMapEntry(MapAction action, ulong key)
    {
        Span<byte> content = stackalloc byte[sizeof(ulong)];
        int length = RwfContent.LengthOf(key);
        RwfContent.WriteLow(content, (long)key, length);
        return BeginMapEntry(action, content[..length]);
    }
}
