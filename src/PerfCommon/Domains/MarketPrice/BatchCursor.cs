using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads a batch request in portions: each name is read once, however often reading is resumed.</summary>
/// <remarks>It holds a copy of the message; one owner.</remarks>
internal sealed class BatchCursor // wire/domains 5.6
{
    private readonly byte[] _message;
    private readonly int _itemLength;
    private int _at; // position of the next name
    private int _end; // end of the list
    private int _left;

    private BatchCursor(scoped in RwfMsg msg)
    {
        _message = msg.Message.ToArray();
        if (!BatchRequest.TryOpen(Decode(), out ArrayReader names))
            return;
        _message.AsSpan().Overlaps(names.Rest, out _at);
        (_end, _itemLength, _left) = (_at + names.Rest.Length, names.ItemLength, names.Count);
    }

    /// <summary>Number of names read.</summary>
    public int Index { get; private set; }

    /// <summary>Creates the cursor of a request; for a request that lists no items it is at its end.</summary>
    public static BatchCursor Of(scoped in RwfMsg msg) => new(msg);

    /// <summary>Returns the request.</summary>
    public RwfMsg Decode()
    {
        RwfMsg.TryDecode(_message, out RwfMsg batch);
        return batch;
    }

    /// <summary>Reads the next name.</summary>
    /// <returns>Success, EndOfContainer, or the reason why the list cannot be read further.</returns>
    public DecodeResult TryReadNext(out ReadOnlySpan<byte> name)
    {
        ArrayReader names = ArrayReader.OfItems(_message.AsSpan(_at, _end - _at), _itemLength, _left);
        DecodeResult result = names.TryReadNext(out name);
        if (result != DecodeResult.Success)
            return result;
        _at += names.Position;
        _left--;
        Index++;
        return DecodeResult.Success;
    }
}
