using PerfCommon.Codec;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>All items by one request, without a watchlist.</content>
public sealed partial class ConsumerSession
{
    private bool _isTogether; // the batch is asked for, or its streams are

    // Null where each item has a request of its own.
    private int? FindBatchNameBytes()
    {
        _isTogether = _options is { AsksTogether: true, ItemCount: > 1 } && TakesBatches;
        int bytes = 0;
        for (int item = 0; item < _options.ItemCount && _isTogether; item++)
        {
            bytes += NameOf(item).Length;
            _isTogether = bytes <= MaxBatchNameBytes && IsUsual(FlagsOf(item));
        }

        return _isTogether ? bytes : null;
    }

    // A batch has one domain, and asks for updates of all its items or of none.
    private bool IsUsual(ItemFlags flags) =>
        (flags & ItemFlags.MarketByOrder) == 0 && _options.Streams(flags) == _options.Streams(ItemFlags.None);

    // Counted like a request each: so many images are to come.
    private void NoteTogether(int before)
    {
        if (_isTogether && before < _asked)
            Counters.Add(Counter.RequestsSent, _asked - before - 1);
    }

    // wire/domains 5.6
    private void HandleBatchEnd(scoped in RwfMsg msg)
    {
        if (!_isTogether || !IsAtItems || msg.MsgClass != MsgClass.Status)
        {
            Drop();
            return;
        }

        if (msg.State.Code != StateCode.UnableToRequestAsBatch)
            return;
        _isTogether = false;
        _requests = CreateRequests(primes: false, batchNameBytes: null);
        Counters.Add(Counter.RequestsSent, -_asked);
        Array.Clear(_isAnswered);
        (_asked, _answered, _requested) = (0, 0, 0);
    }
}
