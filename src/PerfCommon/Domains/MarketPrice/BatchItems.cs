using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads the names that a batch request lists.</summary>
/// <remarks>Borrows the message.</remarks>
internal ref struct BatchItems // wire/domains 5.6
{
    private ArrayReader _names;
    private readonly bool _hasList;

    /// <param name="payload">Payload of the request.</param>
    public BatchItems(ReadOnlySpan<byte> payload)
    {
        DecodeResult result = ElementListReader.TryOpen(payload, out ElementListReader elements);
        while (result == DecodeResult.Success && (result = elements.TryReadNext(out ElementEntry element)) == DecodeResult.Success)
        {
            if (!element.Name.SequenceEqual(":ItemList"u8) || element.Type != DataType.Array)
                continue;
            _hasList = ArrayReader.TryOpen(element.Content, out _names) == DecodeResult.Success && _names.ItemType == DataType.AsciiString;
            return;
        }
    }

    /// <summary>Reads the next name.</summary>
    /// <returns>False at the end, or where the list cannot be decoded.</returns>
    public bool TryReadNext(out ReadOnlySpan<byte> name)
    {
        name = default;
        return _hasList && _names.TryReadNext(out name) == DecodeResult.Success && name.Length <= byte.MaxValue;
    }
}
