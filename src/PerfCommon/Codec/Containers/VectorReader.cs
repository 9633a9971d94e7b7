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
    Update = 1,
    Set = 2, // replaces the entry
    Clear = 3, // no payload
    Insert = 4, // before the index
    Delete = 5, // no payload
}

/// <summary>One entry of a vector.</summary>
[DebuggerDisplay("{Action} {Index}, {Content.Length} bytes")]
internal ref struct VectorEntry
{
    public byte Flags; // bits of EntryFlags
    public VectorAction Action; // unknown actions are no error and have a payload
    public int Index; // at most 2^30 - 1
    public ReadOnlySpan<byte> PermData; // empty when not carried
    public ReadOnlySpan<byte> Content; // empty when there is none
}

/// <summary>Reads the entries of one vector, front to back.</summary>
internal ref struct VectorReader
{
    public SummedEntries Shared;

    /// <summary>Opens a vector and checks its set definitions.</summary>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out VectorReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // flags | containerType | the rest as in maps
        RwfReader head = new(range);
        reader.Shared.Flags = head.ReadByte();
        reader.Shared.ContainerType = DataTypes.FromScaled(head.ReadByte());
        return reader.Shared.Open(head, VectorFlags.HasTotalCountHint);
    }

    public DecodeResult TryReadNext(out VectorEntry entry)
    {
        entry = default;
        if (!Shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // flags 4 bits, action 4 bits | index rb30 | [permData, rb15 length] | [payload, u16ob length]
        ref RwfReader bytes = ref Shared.Entries.Bytes;
        byte first = bytes.ReadByte();
        VectorEntry read = new() { Flags = (byte)(first >> 4), Action = (VectorAction)(first & 0x0F), Index = bytes.ReadRb30() };
        if (Shared.Has(VectorFlags.HasPerEntryPermData) && (read.Flags & EntryFlags.HasPermData) != 0)
            read.PermData = bytes.ReadBuf15();
        if (read.Action is not (VectorAction.Clear or VectorAction.Delete) && Shared.ContainerType != DataType.NoData)
            read.Content = bytes.ReadBuf16();
        if (Shared.Entries.TryEnd(out result))
            entry = read;
        return result;
    }
}
