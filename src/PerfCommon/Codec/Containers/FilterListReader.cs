using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a filter list.</summary>
internal static class FilterListFlags
{
    public const int HasPerEntryPermData = 0x01; // entries may carry permission data
    public const int HasTotalCountHint = 0x02;
}

/// <summary>Flag bits of a filter list entry.</summary>
internal static class FilterEntryFlags
{
    public const int HasPermData = 0x1;
    public const int HasContainerType = 0x2; // names a container type of its own
}

/// <summary>Action of a filter list entry.</summary>
internal enum FilterAction : byte
{
    /// <summary>Changes the entry.</summary>
    Update = 1,

    /// <summary>Adds or replaces the entry.</summary>
    Set = 2,

    /// <summary>Empties the entry; no payload.</summary>
    Clear = 3,
}

/// <summary>One entry of a filter list.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action} {Id}, {ContainerType} of {Content.Length} bytes")]
internal ref struct FilterEntry
{
    /// <summary>Bits of <see cref="FilterEntryFlags"/>.</summary>
    internal byte Flags { get; set; }

    /// <summary>What to do; unknown actions are no error and have a payload.</summary>
    public FilterAction Action { get; set; }

    /// <summary>Id of the filter.</summary>
    public byte Id { get; set; }

    /// <summary>Container type of the payload: the entry's own, or that of the list.</summary>
    public DataType ContainerType { get; set; }

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { get; set; }

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; set; }

    /// <summary>True when a payload travels: not for Clear, nor for a container type of no data.</summary>
    public readonly bool HasPayload => Action != FilterAction.Clear && ContainerType != DataType.NoData;
}

/// <summary>Reads the entries of one filter list, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
internal ref struct FilterListReader
{
    private EntryReader _entries;

    /// <summary>Bits of <see cref="FilterListFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Container type of entries that name none of their own.</summary>
    public DataType ContainerType { get; private set; }

    /// <summary>About how many entries there are over all parts; 0 when not carried.</summary>
    public byte TotalCountHint { get; private set; }

    /// <summary>Number of entries the list claims to have.</summary>
    public readonly int Count => _entries.Count;

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="FilterListFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a filter list.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, or Incomplete.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out FilterListReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // flags | containerType | [totalCountHint] | entryCount
        RwfReader head = new(range);
        reader.Flags = head.ReadByte();
        reader.ContainerType = DataTypes.FromScaled(head.ReadByte());
        if (reader.Has(FilterListFlags.HasTotalCountHint))
            reader.TotalCountHint = head.ReadByte();
        int count = head.ReadByte();
        reader._entries = new EntryReader(head, count);
        return head.Result;
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out FilterEntry entry)
    {
        entry = default;
        if (!_entries.TryBegin(out DecodeResult result))
            return result;

        // flags 4 bits, action 4 bits | id | [containerType] | [permData, rb15 length] | [payload, u16ob length]
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
