using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Handles one element of a list; false when it has the wrong type or value. Unknown elements are ignored.</summary>
internal delegate bool ElementHandler<T>(scoped in ElementEntry element, ref T into);

/// <summary>Reads element lists by the names of their elements, in any order.</summary>
internal static class ElementLists
{
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

    /// <summary>Reads an element of type UINT; blank is 0.</summary>
    public static bool TryReadUInt(scoped in ElementEntry element, out ulong value) =>
        RwfPrimitives.TryReadUInt(element.Content, out value) <= DecodeResult.Blank && element.Type == DataType.UInt; // wire/domains 1
}
