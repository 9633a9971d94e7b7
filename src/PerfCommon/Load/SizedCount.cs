using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfCommon.Load;

/// <summary>
/// Reads the item's count and the stamp in messages of <see cref="SizedMessages"/>. It steps over the heads of entries, and decodes no
/// others.
/// </summary>
public static class SizedCount
{
    /// <summary>No valid count of an update.</summary>
    public const int None = 0;

    private const int ValueBytes = 4; // hint, number

    /// <summary>Reads the count of an image; <see cref="None"/> for one that <see cref="SizedMessages"/> did not create.</summary>
    /// <param name="list">Its field list.</param>
    public static int OfImage(ReadOnlySpan<byte> list)
    {
        int count = Read(list);
        if (count < SizedMessages.MinCount)
            return None; // the usual end for other images
        FieldListReader.TryOpen(list, out FieldListReader fields);
        while (fields.TryReadNext(out FieldEntry field) == DecodeResult.Success)
        {
            if (field.FieldId == SizedMessages.TextField)
                return field.Length > 0 && field.Content.IndexOfAnyExcept(SizedMessages.Filling) < 0 ? count : None;
        }

        return None;
    }

    /// <summary>Reads the count of an update from its first entry.</summary>
    /// <param name="list">Its field list.</param>
    /// <returns>The possible count; <see cref="None"/> where the entry cannot be one.</returns>
    public static int Read(ReadOnlySpan<byte> list)
    {
        FieldListReader.TryOpen(list, out FieldListReader fields);
        return fields.TryReadNext(out FieldEntry first) == DecodeResult.Success ? CountOf(first) : None;
    }

    /// <summary>Reads the stamp of a post from its last entry; 0 for none.</summary>
    public static ulong ReadPostStamp(ReadOnlySpan<byte> list)
    {
        FieldListReader.TryOpen(list, out FieldListReader fields);
        FieldEntry last = default;
        while (fields.TryReadNext(out FieldEntry next) == DecodeResult.Success)
            last = next;
        return last.FieldId == Domains.StampFields.Post ? ReadNumber(last.Content) : 0;
    }

    /// <summary>Reads the count and the stamp of an update from its first and its last entry.</summary>
    /// <param name="list">Its field list.</param>
    /// <param name="stamp">The stamp; 0 for none.</param>
    /// <returns>The possible count; <see cref="None"/> where the first entry cannot be one.</returns>
    public static int Read(ReadOnlySpan<byte> list, out ulong stamp)
    {
        stamp = 0;
        FieldListReader.TryOpen(list, out FieldListReader fields);
        if (fields.TryReadNext(out FieldEntry last) != DecodeResult.Success)
            return None;
        int count = CountOf(last);
        fields.SkipAllButLast();
        while (fields.TryReadNext(out FieldEntry next) == DecodeResult.Success)
            last = next;
        if (last.FieldId == Domains.StampFields.Update)
            stamp = ReadNumber(last.Content);
        return count;
    }

    private static int CountOf(in FieldEntry field) =>
        field.Length == ValueBytes ? (int)(BinaryPrimitives.ReadUInt32BigEndian(field.Content) & SizedMessages.MaxCount) : None;

    private static ulong ReadNumber(ReadOnlySpan<byte> content)
    {
        ulong number = 0;
        foreach (byte octet in content)
            number = (number << 8) | octet;
        return number;
    }
}
