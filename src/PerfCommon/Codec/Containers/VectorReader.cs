using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a vector.</summary>
internal static class VectorFlags // wire/rwf 4.5
{
    public const int HasSetDefs = 0x01;
    public const int HasSummaryData = 0x02;
    public const int HasPerEntryPermData = 0x04; // entries may carry permission data
    public const int HasTotalCountHint = 0x08;
    public const int SupportsSorting = 0x10; // entries may be inserted and deleted by position
}

/// <summary>Action of a vector entry.</summary>
internal enum VectorAction : byte // wire/rwf 4.5
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
    public VectorAction Action; // wire/rwf 4.6
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
        return SummedEntries.TryOpen(range, VectorFlags.HasTotalCountHint, out reader.Shared);
    }

    public DecodeResult TryReadNext(out VectorEntry entry)
    {
        entry = default;
        if (!Shared.Entries.TryBegin(out DecodeResult result))
            return result;

        // wire/rwf 4.5
        ref RwfReader bytes = ref Shared.Entries.Bytes;
        byte first = bytes.ReadByte();
        VectorEntry read = new() { Flags = (byte)(first >> 4), Action = (VectorAction)(first & 0x0F), Index = bytes.ReadRb30() };
        if (Shared.Has(VectorFlags.HasPerEntryPermData) && (read.Flags & EntryFlags.HasPermData) != 0)
            read.PermData = bytes.ReadBuf15();
        if (read.Action is not (VectorAction.Clear or VectorAction.Delete) && Shared.ContainerType != DataType.NoData) // wire/rwf 4.5
            read.Content = bytes.ReadBuf16();
        if (Shared.Entries.TryEnd(out result))
            entry = read;
        return result;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a vector; write definitions and summary next if there are any, then entries.</summary>
    internal bool BeginVector(DataType containerType, bool supportsSorting = false, int? totalCountHint = null)
    {
        int flags = totalCountHint is null ? 0 : VectorFlags.HasTotalCountHint;
        return BeginSummed(FrameKind.Vector, supportsSorting ? flags | VectorFlags.SupportsSorting : flags, containerType, totalCountHint);
    }

    internal bool EndVector() => EndCounted(FrameKind.Vector);

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Clear and Delete have no payload.</summary>
    /// <param name="action">Action of the entry.</param>
    /// <param name="index">At most 2^30 - 1.</param>
    /// <param name="permData">Empty for none.</param>
    internal bool BeginVectorEntry(VectorAction action, int index, scoped ReadOnlySpan<byte> permData = default)
    {
        if (!BeginCountedEntry(FrameKind.Vector))
            return false;
        PutActionByte((int)action, permData);
        PutRb30(index);
        PutPermData(permData, VectorFlags.HasPerEntryPermData);
        return BeginPayload(action is not (VectorAction.Clear or VectorAction.Delete)); // wire/rwf 4.5
    }
}
