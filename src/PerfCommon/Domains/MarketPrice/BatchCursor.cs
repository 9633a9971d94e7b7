using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>A batch request whose items are opened some at a time: each name is looked at once, however often it goes on.</summary>
/// <remarks>It has the message of its own; one owner.</remarks>
internal sealed class BatchCursor // wire/domains 5.6
{
    private readonly byte[] _message;
    private readonly int _itemLength;
    private int _at; // where the next name begins
    private int _end; // of the list
    private int _left;

    private BatchCursor(scoped in RwfMsg msg)
    {
        _message = msg.Message.ToArray();
        if (!BatchRequest.TryOpen(Decode(), out ArrayReader names))
            return;
        _message.AsSpan().Overlaps(names.Rest, out _at);
        (_end, _itemLength, _left) = (_at + names.Rest.Length, names.ItemLength, names.Count);
    }

    /// <summary>Names that were read.</summary>
    public int Index { get; private set; }

    /// <summary>Of a request that lists many items; of one that lists none it is at its end.</summary>
    public static BatchCursor Of(scoped in RwfMsg msg) => new(msg);

    /// <summary>The request.</summary>
    public RwfMsg Decode()
    {
        RwfMsg.TryDecode(_message, out RwfMsg batch);
        return batch;
    }

    /// <summary>Reads the next name.</summary>
    /// <returns>Success, EndOfContainer, or why the list cannot be read further.</returns>
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
