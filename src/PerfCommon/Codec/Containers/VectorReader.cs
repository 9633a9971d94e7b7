using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a vector.</summary>
internal static class VectorFlags
{
    public const int HasSetDefs = 0x01;
    public const int HasSummaryData = 0x02;
    public const int HasPerEntryPermData = 0x04; // entries may carry permission data
    public const int HasTotalCountHint = 0x08;
    public const int SupportsSorting = 0x10; // entries may be inserted and deleted by position
}

/// <summary>Action of a vector entry.</summary>
internal enum VectorAction : byte
{
    /// <summary>Changes the entry.</summary>
    Update = 1,

    /// <summary>Replaces the entry.</summary>
    Set = 2,

    /// <summary>Empties the entry; no payload.</summary>
    Clear = 3,

    /// <summary>Inserts before the index.</summary>
    Insert = 4,

    /// <summary>Removes the entry; no payload.</summary>
    Delete = 5,
}

/// <summary>One entry of a vector.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action} {Index}, {Content.Length} bytes")]
internal ref struct VectorEntry
{
    /// <summary>Bits of <see cref="EntryFlags"/>.</summary>
    internal byte Flags { get; set; }

    /// <summary>What to do; unknown actions are no error and have a payload.</summary>
    public VectorAction Action { get; set; }

    /// <summary>Index, at most 2^30 - 1.</summary>
    public int Index { get; set; }

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { get; set; }

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; set; }

    internal readonly bool HasPayload => Action is not (VectorAction.Clear or VectorAction.Delete);
}

/// <summary>Reads the entries of one vector, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
internal ref struct VectorReader
{
    private SummedEntries _shared;

    /// <summary>Definitions for the summary and the entries of this vector; default when it carries none.</summary>
    public readonly SetDefinitions SetDefinitions => _shared.SetDefinitions;

    /// <summary>Bits of <see cref="VectorFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Container type of summary and entries.</summary>
    public readonly DataType ContainerType => _shared.ContainerType;

    /// <summary>Summary data; empty when not carried.</summary>
    public readonly ReadOnlySpan<byte> Summary => _shared.Summary;

    /// <summary>About how many entries there are over all parts; 0 when not carried.</summary>
    public readonly int TotalCountHint => _shared.TotalCountHint;

    /// <summary>Number of entries the vector claims to have.</summary>
    public readonly int Count => _shared.Entries.Count;

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="VectorFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a vector and checks its set definitions.</summary>
    /// <param name="range">The vector and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out VectorReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // flags | containerType | the rest as in maps
        RwfReader head = new(range);
        reader.Flags = head.ReadByte();
        DataType containerType = DataTypes.FromScaled(head.ReadByte());
        return reader._shared.Open(
            head,
            containerType,
            reader.Has(VectorFlags.HasSetDefs),
            reader.Has(VectorFlags.HasSummaryData),
            reader.Has(VectorFlags.HasTotalCountHint));
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out VectorEntry entry)
    {
        entry = default;
        if (!_shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // flags 4 bits, action 4 bits | index rb30 | [permData, rb15 length] | [payload, u16ob length]
        ref RwfReader bytes = ref _shared.Entries.Bytes;
        byte first = bytes.ReadByte();
        VectorEntry read = new() { Flags = (byte)(first >> 4), Action = (VectorAction)(first & 0x0F), Index = bytes.ReadRb30() };
        if (Has(VectorFlags.HasPerEntryPermData) && (read.Flags & EntryFlags.HasPermData) != 0)
            read.PermData = bytes.ReadBuf15();
        if (read.HasPayload && ContainerType != DataType.NoData)
            read.Content = bytes.ReadBuf16();
        if (_shared.Entries.TryEnd(out result))
            entry = read;
        return result;
    }
}
