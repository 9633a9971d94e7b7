using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Removes the fields that a view lacks from encoded field lists; entries that remain keep their bytes and their order.</summary>
/// <remarks>No allocation. A list that is laid out by set definitions, or that cannot be decoded, stays unchanged.</remarks>
internal static class FieldListFilter // wire/rwf 4.1
{
    /// <summary>Filters a list in place.</summary>
    /// <param name="list">Exactly the bytes of the list.</param>
    /// <param name="view">The fields that remain.</param>
    /// <param name="kept">Number of entries that remain.</param>
    /// <returns>Its length afterwards.</returns>
    public static int Apply(Span<byte> list, FieldView view, out int kept) => Copy(list, list, view, out kept);

    /// <summary>Copies the entries of a list that remain.</summary>
    /// <param name="list">Exactly the bytes of the list.</param>
    /// <param name="into">As long as the list; either the list itself, or a buffer that does not overlap it.</param>
    /// <param name="view">The fields that remain.</param>
    /// <param name="kept">Number of entries that remain.</param>
    /// <returns>The length of the copy.</returns>
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
