using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a filter list.</summary>
internal static class FilterListFlags // wire/rwf 4.3
{
    public const int HasPerEntryPermData = 0x01; // entries may carry permission data
    public const int HasTotalCountHint = 0x02;
}

/// <summary>Flag bits of a filter list entry.</summary>
internal static class FilterEntryFlags // wire/rwf 4.3
{
    public const int HasPermData = 0x1;
    public const int HasContainerType = 0x2; // names its container type itself
}

/// <summary>Action of a filter list entry.</summary>
internal enum FilterAction : byte // wire/rwf 4.3
{
    Update = 1,
    Set = 2, // adds or replaces the entry
    Clear = 3, // no payload
}

/// <summary>One entry of a filter list.</summary>
[DebuggerDisplay("{Action} {Id}, {ContainerType} of {Content.Length} bytes")]
internal ref struct FilterEntry
{
    public byte Flags; // bits of FilterEntryFlags
    public FilterAction Action; // wire/rwf 4.6
    public byte Id;
    public DataType ContainerType; // that of the entry, else that of the list
    public ReadOnlySpan<byte> PermData; // empty when not carried
    public ReadOnlySpan<byte> Content; // empty when there is none

    /// <summary>True when the entry carries a payload: not for Clear, nor for a container type of no data.</summary>
    public readonly bool HasPayload => Action != FilterAction.Clear && ContainerType != DataType.NoData; // wire/rwf 4.3
}

/// <summary>Reads the entries of one filter list, front to back.</summary>
internal ref struct FilterListReader
{
    public byte Flags;
    public DataType ContainerType; // of entries that name none themselves
    public byte TotalCountHint; // approximate number of entries over all parts; 0 when not carried
    private EntryReader _entries;

    public readonly bool Has(int flag) => (Flags & flag) != 0;

    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out FilterListReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // wire/rwf 4.3
        RwfReader head = new(range);
        reader.Flags = head.ReadByte();
        reader.ContainerType = DataTypes.FromScaled(head.ReadByte());
        if (reader.Has(FilterListFlags.HasTotalCountHint))
            reader.TotalCountHint = head.ReadByte();
        int count = head.ReadByte();
        reader._entries = new EntryReader(head, count);
        return head.Result;
    }

    public DecodeResult TryReadNext(out FilterEntry entry)
    {
        entry = default;
        if (!_entries.TryBegin(out DecodeResult result))
            return result;

        // wire/rwf 4.3
        ref RwfReader bytes = ref _entries.Bytes;
        byte first = bytes.ReadByte();
        FilterEntry read = new() { Flags = (byte)(first >> 4), Action = (FilterAction)(first & 0x0F), Id = bytes.ReadByte() };
        read.ContainerType = (read.Flags & FilterEntryFlags.HasContainerType) != 0
            ? DataTypes.FromScaled(bytes.ReadByte())
            : ContainerType;
        if (Has(FilterListFlags.HasPerEntryPermData) && (read.Flags & FilterEntryFlags.HasPermData) != 0)
            read.PermData = bytes.ReadBuf15();
        if (read.HasPayload)
            read.Content = bytes.ReadBuf16();
        if (_entries.TryEnd(out result))
            entry = read;
        return result;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a filter list, whose entries are of the container type unless they name another.</summary>
    internal bool BeginFilterList(DataType containerType, byte? totalCountHint = null)
    {
        // wire/rwf 4.3
        if (!Push(FrameKind.FilterList))
            return false;
        PutByte(totalCountHint is null ? 0 : FilterListFlags.HasTotalCountHint);
        PutByte(DataTypes.ToScaled(containerType));
        if (totalCountHint is byte hint)
            PutByte(hint);
        _open.ContentType = containerType;
        _open.CountAt = _position;
        PutByte(0);
        return !Failed;
    }

    internal bool EndFilterList()
    {
        if (!CheckOpen(FrameKind.FilterList))
            return false;
        PatchByte(_open.CountAt, _count);
        return Pop();
    }

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Clear has no payload.</summary>
    /// <param name="action">Action of the entry.</param>
    /// <param name="id">Id of the filter.</param>
    /// <param name="containerType">Null for that of the list.</param>
    /// <param name="permData">Empty for none.</param>
    internal bool BeginFilterEntry(
        FilterAction action,
        byte id,
        DataType? containerType = null,
        scoped ReadOnlySpan<byte> permData = default)
    {
        if (!CheckOpen(FrameKind.FilterList))
            return false;
        int flags = permData.IsEmpty ? 0 : FilterEntryFlags.HasPermData;
        flags |= containerType is null ? 0 : FilterEntryFlags.HasContainerType;
        PutByte((flags << 4) | ((int)action & 0x0F));
        PutByte(id);
        if (containerType is DataType own)
            PutByte(DataTypes.ToScaled(own));
        PutPermData(permData, FilterListFlags.HasPerEntryPermData);
        DataType effective = containerType ?? _open.ContentType;
        bool hasPayload = action != FilterAction.Clear && effective != DataType.NoData; // wire/rwf 4.3
        return BeginEntryContent(hasPayload ? PendingBuf16 : NoLength);
    }
}
