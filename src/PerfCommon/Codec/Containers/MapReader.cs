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
internal enum MapAction : byte // wire/rwf 4.4
{
    Update = 1,
    Add = 2, // or replace
    Delete = 3, // no payload
}

/// <summary>One entry of a map.</summary>
[DebuggerDisplay("{Action}, key of {Key.Length} bytes, {Content.Length} bytes")]
internal ref struct MapEntry
{
    public byte Flags; // bits of EntryFlags
    public MapAction Action; // wire/rwf 4.6
    public ReadOnlySpan<byte> PermData; // empty when not carried
    public ReadOnlySpan<byte> Key; // of the key type of the map
    public ReadOnlySpan<byte> Content; // empty when there is none
}

/// <summary>Reads the entries of one map, front to back.</summary>
internal ref struct MapReader
{
    public SummedEntries Shared;
    public DataType KeyType;
    public short KeyFieldId; // field the key stands for; 0 when not carried

    /// <summary>Opens a map and checks its set definitions.</summary>
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
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a map; write definitions and summary next if there are any, then entries.</summary>
    /// <param name="keyType">A primitive base type other than Array.</param>
    /// <param name="containerType">Of summary and entries, as in vectors and series.</param>
    /// <param name="totalCountHint">Approximate number of entries over all parts; null for none. In vectors and series, too.</param>
    /// <param name="keyFieldId">Field the key stands for; null for none.</param>
    internal bool BeginMap(DataType keyType, DataType containerType, int? totalCountHint = null, short? keyFieldId = null)
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

    internal bool EndMap() => EndCounted(FrameKind.Map);

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Delete has no payload.</summary>
    /// <param name="action">Action of the entry.</param>
    /// <param name="key">Content of the key; may not be blank.</param>
    /// <param name="permData">Empty for none, as in the entries of other containers.</param>
    internal bool BeginMapEntry(MapAction action, scoped ReadOnlySpan<byte> key, scoped ReadOnlySpan<byte> permData = default)
    {
        if (!BeginCountedEntry(FrameKind.Map))
            return false;
        PutActionByte((int)action, permData);
        PutPermData(permData, MapFlags.HasPerEntryPermData);
        PutBuf15(key);
        return BeginPayload(action != MapAction.Delete); // wire/rwf 4.4
    }

    /// <summary>Begins an entry of a map whose keys are unsigned integers.</summary>
    internal bool BeginMapEntry(MapAction action, ulong key)
    {
        Span<byte> content = stackalloc byte[sizeof(ulong)];
        int length = RwfContent.LengthOf(key);
        RwfContent.WriteLow(content, (long)key, length);
        return BeginMapEntry(action, content[..length]);
    }
}
