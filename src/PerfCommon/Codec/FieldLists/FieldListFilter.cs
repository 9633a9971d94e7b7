using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Takes out of encoded field lists what a view has not; entries that stay keep their bytes and their order.</summary>
/// <remarks>No allocation. A list that is laid out by set definitions, or that cannot be decoded, stays whole.</remarks>
internal static class FieldListFilter // wire/rwf 4.1
{
    /// <summary>Filters a list in its place.</summary>
    /// <param name="list">The list and no byte more.</param>
    /// <param name="view">What stays.</param>
    /// <param name="kept">Entries that stay.</param>
    /// <returns>Its bytes afterwards.</returns>
    public static int Apply(Span<byte> list, FieldView view, out int kept) => Copy(list, list, view, out kept);

    /// <summary>Copies what stays of a list.</summary>
    /// <param name="list">The list and no byte more.</param>
    /// <param name="into">As long as the list; the list itself, or apart from it.</param>
    /// <param name="view">What stays.</param>
    /// <param name="kept">Entries that stay.</param>
    /// <returns>The bytes of the copy.</returns>
    public static int Copy(ReadOnlySpan<byte> list, Span<byte> into, FieldView view, out int kept)
    {
        DecodeResult result = FieldListReader.TryOpen(list, out FieldListReader reader);
        if (result != DecodeResult.Success || reader.Head.Has(ListFlags.HasSetData) || !IsWhole(reader))
            return CopyWhole(list, into, out kept);
        list[..reader.Head.EntriesAt].CopyTo(into);
        int from = reader.Head.EntriesAt, at = from;
        kept = 0;
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
        {
            ReadOnlySpan<byte> bytes = list[from..(entry.Start + entry.Length)];
            from += bytes.Length;
            if (!view.Contains(entry.FieldId))
                continue;
            bytes.CopyTo(into[at..]);
            at += bytes.Length;
            kept++;
        }

        if (reader.Head.Has(ListFlags.HasStandardData))
            BinaryPrimitives.WriteUInt16BigEndian(into[(reader.Head.EntriesAt - sizeof(ushort))..], (ushort)kept);
        return at;
    }

    private static bool IsWhole(FieldListReader reader)
    {
        DecodeResult result;
        while ((result = reader.TryReadNext(out _)) == DecodeResult.Success)
        {
        }

        return result == DecodeResult.EndOfContainer;
    }

    private static int CopyWhole(ReadOnlySpan<byte> list, Span<byte> into, out int kept)
    {
        list.CopyTo(into);
        kept = int.MaxValue;
        return list.Length;
    }
}
