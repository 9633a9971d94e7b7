using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Writes the names of a service's items as an item: a map whose keys are the names, without further content.</summary>
internal static class SymbolList // wire/domains 5.10
{
    /// <summary>Maximum entries of one part; other programs expect no more.</summary>
    private const int MaxEntries = 150;

    // action | length of the key, two bytes of it for a long one
    private const int EntryBytes = 3;

    // flags, types of keys and contents, count
    private const int MapHeadBytes = 8;

    /// <summary>Returns a name of the list.</summary>
    internal delegate ReadOnlySpan<byte> NameAt(int index);

    /// <summary>Returns the maximum bytes of the payload of an update about one name.</summary>
    public static int MaxUpdateBytes(int nameBytes) => MapHeadBytes + EntryBytes + nameBytes;

    /// <summary>Writes the names that fit into one part.</summary>
    /// <param name="writer">Positioned after the header.</param>
    /// <param name="roomBytes">Bytes available for the part.</param>
    /// <param name="nameAt">Returns the names.</param>
    /// <param name="from">Index of the first name.</param>
    /// <param name="count">Number of names.</param>
    /// <returns>Index of the first name of the next part.</returns>
    public static int WritePart(ref RwfWriter writer, int roomBytes, NameAt nameAt, int from, int count)
    {
        Begin(ref writer);
        int left = roomBytes - MapHeadBytes;
        int next = from;
        for (; next < count && next - from < MaxEntries; next++)
        {
            ReadOnlySpan<byte> name = nameAt(next);
            left -= EntryBytes + name.Length;
            if (left < 0 && next > from)
                break;
            WriteEntry(ref writer, MapAction.Add, name);
        }

        writer.EndMap();
        return next;
    }

    /// <summary>Writes the payload of an update about one name.</summary>
    public static void WriteChange(ref RwfWriter writer, MapAction action, ReadOnlySpan<byte> name)
    {
        Begin(ref writer);
        WriteEntry(ref writer, action, name);
        writer.EndMap();
    }

    private static void Begin(ref RwfWriter writer) => writer.BeginMap(DataType.AsciiString, DataType.NoData);

    private static void WriteEntry(ref RwfWriter writer, MapAction action, ReadOnlySpan<byte> name)
    {
        writer.BeginMapEntry(action, name);
        writer.EndEntry();
    }
}
