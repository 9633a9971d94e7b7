namespace PerfCommon.Codec;

/// <content>Maps of field lists.</content>
public sealed partial class FieldListDecoder
{
    /// <summary>Decodes the map that ends a message: the list of its summary, then that of each entry.</summary>
    /// <param name="message">The message.</param>
    /// <param name="mapAt">Offset of the map in the message.</param>
    /// <returns>Success, NoData for an empty map, or the error; the entries before the error were decoded.</returns>
    internal DecodeResult DecodeMap(ReadOnlySpan<byte> message, int mapAt)
    {
        DiscardKept();
        DecodeResult result = MapReader.TryOpen(message[mapAt..], out MapReader map);
        if (result != DecodeResult.Success)
            return result;
        if (map.Shared.ContainerType is not (DataType.FieldList or DataType.NoData))
            return DecodeResult.Invalid;
        result = DecodePart(message, map.Shared.Summary, map.Shared.SetDefinitions);
        while (result == DecodeResult.Success && (result = map.TryReadNext(out MapEntry entry)) == DecodeResult.Success)
            result = DecodePart(message, entry.Content, map.Shared.SetDefinitions);
        return result == DecodeResult.EndOfContainer ? DecodeResult.Success : result;
    }

    private DecodeResult DecodePart(ReadOnlySpan<byte> message, ReadOnlySpan<byte> list, scoped in SetDefinitions definitions)
    {
        if (list.IsEmpty)
            return DecodeResult.Success; // not carried, or deleted
        message.Overlaps(list, out int listAt);
        ReadOnlySpan<byte> untilEnd = message[..(listAt + list.Length)];
        return HasWindow(untilEnd, listAt) ? DecodeByWindow(untilEnd, listAt) : DecodeSlowly(list, definitions);
    }
}
