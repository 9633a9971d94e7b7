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
public enum VectorAction : byte // wire/rwf 4.5
{
    /// <summary>Changes the fields that the content carries.</summary>
    Update = 1,

    /// <summary>Sets the entry, or replaces it.</summary>
    Set = 2,

    /// <summary>Empties the entry, which keeps its index; without content.</summary>
    Clear = 3,

    /// <summary>Inserts the entry before the one of its index; that one and all later ones get the next index.</summary>
    Insert = 4,

    /// <summary>Removes the entry; all later ones get the previous index. Without content.</summary>
    Delete = 5,
}

/// <summary>One entry of a vector.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action} {Index}, {Content.Length} bytes")]
public ref struct VectorEntry
{
    internal byte Flags; // bits of EntryFlags

    /// <summary>What happens to the entry of this index; values that the protocol does not define are kept.</summary>
    public VectorAction Action { readonly get; internal set; } // wire/rwf 4.6

    /// <summary>Index of the entry, 0 to 2^30 - 1.</summary>
    public int Index { readonly get; internal set; }

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { readonly get; internal set; }

    /// <summary>The content, a container of <see cref="VectorReader.ContainerType"/>; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { readonly get; internal set; }
}

/// <summary>Reads the entries of one vector, front to back, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct VectorReader
{
    internal SummedEntries Shared;

    /// <summary>True when entries may be inserted and deleted by their index.</summary>
    public readonly bool SupportsSorting => Shared.Has(VectorFlags.SupportsSorting);

    /// <summary>Type of the summary data and of the content of every entry that has any.</summary>
    public readonly DataType ContainerType => Shared.ContainerType;

    /// <summary>The summary data, a container of <see cref="ContainerType"/>; empty when there is none.</summary>
    public readonly ReadOnlySpan<byte> Summary => Shared.Summary;

    /// <summary>Approximate number of entries over all parts of a refresh; 0 when not carried.</summary>
    public readonly int TotalCountHint => Shared.TotalCountHint;

    /// <summary>Opens a vector and checks its set definitions.</summary>
    /// <param name="range">Exactly the bytes of the vector.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out VectorReader reader)
    {
        reader = default;
        return SummedEntries.TryOpen(range, VectorFlags.HasTotalCountHint, out reader.Shared);
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
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

    /// <summary>Opens the field list of the summary or of an entry, whose set data the definitions of this vector lay out.</summary>
    /// <inheritdoc cref="FieldListReader.TryOpen(ReadOnlySpan{byte}, out FieldListReader)"/>
    public readonly DecodeResult TryOpenFieldList(ReadOnlySpan<byte> range, out FieldListReader reader) =>
        FieldListReader.TryOpen(range, Shared.SetDefinitions, out reader);

    /// <summary>Opens the element list of the summary or of an entry, whose set data the definitions of this vector lay out.</summary>
    /// <inheritdoc cref="ElementListReader.TryOpen(ReadOnlySpan{byte}, out ElementListReader)"/>
    public readonly DecodeResult TryOpenElementList(ReadOnlySpan<byte> range, out ElementListReader reader) =>
        ElementListReader.TryOpen(range, Shared.SetDefinitions, out reader);
}

public ref partial struct RwfWriter
{
    /// <summary>Begins a vector; write definitions and summary next if there are any, then entries.</summary>
    public bool BeginVector(DataType containerType, bool supportsSorting = false, int? totalCountHint = null)
    {
        int flags = totalCountHint is null ? 0 : VectorFlags.HasTotalCountHint;
        return BeginSummed(FrameKind.Vector, supportsSorting ? flags | VectorFlags.SupportsSorting : flags, containerType, totalCountHint);
    }

    /// <summary>Ends the vector.</summary>
    public bool EndVector() => EndCounted(FrameKind.Vector);

    /// <summary>Begins an entry; write its payload, then <see cref="EndEntry"/>. Clear and Delete have no payload.</summary>
    /// <param name="action">Action of the entry.</param>
    /// <param name="index">At most 2^30 - 1.</param>
    /// <param name="permData">Empty for none.</param>
    public bool BeginVectorEntry(VectorAction action, int index, scoped ReadOnlySpan<byte> permData = default)
    {
        if (!BeginCountedEntry(FrameKind.Vector))
            return false;
        PutActionByte((int)action, permData);
        PutRb30(index);
        PutPermData(permData, VectorFlags.HasPerEntryPermData);
        return BeginPayload(action is not (VectorAction.Clear or VectorAction.Delete)); // wire/rwf 4.5
    }
}
