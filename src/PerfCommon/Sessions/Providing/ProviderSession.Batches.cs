using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Sessions;

/// <content>Opens the items of requests that list many, a part at a time: a long list does not delay other connections, and its answers find
/// buffers.</content>
public sealed partial class ProviderSession
{
    private const int BatchItemsAtOnce = 1_000;

    private BatchCursor? _batch; // the request whose items are being opened; no other message is read meanwhile

    // wire/domains 5.6
    private bool TryBeginBatch(scoped in RwfMsg msg)
    {
        bool isBatch = msg.DomainType == DomainType.MarketPrice && msg.Has(RequestFlags.HasBatch) && BatchRequest.TryOpen(msg, out _);
        if (!isBatch || Items.FindStream(msg.StreamId) >= 0)
            return false; // an ordinary request, or one that is refused like one
        if (!IsFinishing) // nothing is answered any more then
            _batch = BatchCursor.Of(msg);
        return true;
    }

    // True when more could be opened now.
    private bool ContinueBatch()
    {
        if (_batch is not { } cursor)
            return false;
        RwfMsg batch = cursor.Decode();
        for (int i = 0; i < BatchItemsAtOnce && MayOpen && _batch is not null; i++)
            HandleBatchItem(batch, cursor);
        Output.EndBurst();
        Channel.HoldReading(!MayRead);
        return _batch is not null && MayOpen;
    }

    private bool MayOpen => !Replies.IsFull && !Items.IsFull;

    private void HandleBatchItem(scoped in RwfMsg batch, BatchCursor cursor)
    {
        int index = cursor.Index;
        DecodeResult result = cursor.TryReadNext(out ReadOnlySpan<byte> name);
        if (result == DecodeResult.Success && BatchRequest.TryMakeRequest(batch, index, name, out ItemRequest request))
        {
            HandleRequest(request);
            return;
        }

        _batch = null;
        if (result == DecodeResult.EndOfContainer)
            Reply(BatchRequest.EncodeEnd(Scratch, batch.StreamId));
        else
            Disconnect("a batch request whose list of names cannot be used");
    }
}
