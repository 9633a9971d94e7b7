using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Handles one element of a list; false when it has the wrong type or value. Unknown elements are ignored.</summary>
internal delegate bool ElementHandler<T>(scoped in ElementEntry element, ref T into);

/// <summary>Reads element lists by the names of their elements, in any order.</summary>
internal static class ElementLists
{
    private const int ListHeadBytes = 3; // flags, and the number of entries

    /// <summary>Passes every element to <paramref name="take"/>; an empty range is a list without elements.</summary>
    /// <returns>False when the bytes cannot be decoded or an element was refused; elements handled before it remain.</returns>
    public static bool TryRead<T>(ReadOnlySpan<byte> list, scoped in SetDefinitions definitions, ref T into, ElementHandler<T> take)
    {
        DecodeResult result = ElementListReader.TryOpen(list, definitions, out ElementListReader elements);
        while (result == DecodeResult.Success)
        {
            result = elements.TryReadNext(out ElementEntry element);
            if (result == DecodeResult.Success && !take(element, ref into)) // wire/domains 1
                return false;
        }

        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }

    /// <summary>Merges a list into another: its elements replace those of the same names.</summary>
    /// <returns>Standard data alone; the changes where either list cannot be decoded, or there is no other.</returns>
    public static ReadOnlyMemory<byte> Merge(ReadOnlyMemory<byte> known, ReadOnlySpan<byte> changes)
    {
        HashSet<string> changed = [];
        bool isGood = !known.IsEmpty && TryRead(changes, default, ref changed,
            static (scoped in element, ref names) => names.Add(Encoding.Latin1.GetString(element.Name)) || true);
        byte[] room = new byte[known.Length + changes.Length + ListHeadBytes];
        RwfWriter writer = new(room);
        writer.BeginElementList();
        isGood = isGood && TryCopy(known.Span, changed, ref writer) && TryCopy(changes, [], ref writer) && writer.EndElementList();
        return isGood ? room.AsMemory(0, writer.Written) : changes.ToArray();
    }

    private static bool TryCopy(ReadOnlySpan<byte> list, HashSet<string> without, ref RwfWriter writer)
    {
        DecodeResult result = ElementListReader.TryOpen(list, out ElementListReader elements);
        while (result == DecodeResult.Success && (result = elements.TryReadNext(out ElementEntry element)) == DecodeResult.Success)
        {
            if (without.Contains(Encoding.Latin1.GetString(element.Name)))
                continue;
            writer.BeginElement(element.Name, element.Type);
            if (element.Type != DataType.NoData)
                writer.WriteContent(element.Content);
        }

        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }

    /// <summary>Reads an element of type UINT; blank is 0.</summary>
    public static bool TryReadUInt(scoped in ElementEntry element, out ulong value) =>
        RwfPrimitives.TryReadUInt(element.Content, out value) <= DecodeResult.Blank && element.Type == DataType.UInt; // wire/domains 1
}
