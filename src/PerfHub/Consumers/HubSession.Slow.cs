using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Notices;

namespace PerfHub.Consumers;

/// <content>Handles a slow consumer: one that reads more slowly than messages arrive for it.</content>
internal sealed partial class HubSession
{
    // How long a slow consumer may exceed its queue limit before it is disconnected: machines stall a process for 5 to 20 ms, and a burst arrives at
    // once.
    private const long PatienceNanos = 100 * Clock.NanosPerMilli;
    private const int PatienceQueues = 8; // and the maximum queue, in multiples of the limit
    private const int MaxImagesAtOnce = 64; // of the deferred ones

    private bool _isCut;
    private long _behindSinceNanos; // 0 while its queue is not full

    // Where updates can be left out nothing else needs to be. A snapshot has no stream on which it could be sent later; requests are read no faster
    // than they are answered.
    private bool MayQueue(MessageKind kind)
    {
        HubSettings settings = _host.Settings;
        long limit = (long)settings.MaxQueueBytes * (kind == MessageKind.Refresh
            ? PatienceQueues : kind != MessageKind.Update && settings.Slow != SlowConsumerPolicy.Disconnect ? 2 : 1);
        if (IsQueuedAbove(limit))
            return settings.Slow == SlowConsumerPolicy.Disconnect && IsBehindForAMoment();
        _behindSinceNanos = 0;
        return kind != MessageKind.Update || !IsConflating;
    }

    // True when bytes stay queued after a flush: bytes that wait only to be sent together are no sign of a slow consumer.
    private bool IsQueuedAbove(long bytes)
    {
        if (Channel.BytesQueued <= bytes)
            return false;
        if (Channel.IsBlocked)
            return true;
        Output.EndBurst();
        Channel.Flush();
        return Channel.BytesQueued > bytes;
    }

    // A consumer that catches up is not slow.
    private bool IsBehindForAMoment()
    {
        long now = Time.NowNanos;
        if (_behindSinceNanos == 0)
            _behindSinceNanos = now;
        return now - _behindSinceNanos <= PatienceNanos && Channel.BytesQueued <= PatienceQueues * (long)_host.Settings.MaxQueueBytes;
    }

    // Handles messages that cannot be queued now, and counts all of them.
    private int KeepOrDiscard(MessageBytes bytes, ReadOnlySpan<Delivery> alike)
    {
        MessageKind kind = alike[0].Kind;
        if (HasLeft || Channel.Closed is { Kind: CloseKind.PeerClosed })
        {
            CountUnwatched(kind, alike.Length); // its streams are closed in later turns
        }
        else if (!IsOpen || _isCut || Channel.HasFailedSending)
        {
            Counters.Add(kind.NotSent(), alike.Length);
        }
        else if (kind == MessageKind.Update && _host.Settings.Slow != SlowConsumerPolicy.Disconnect)
        {
            foreach (ref readonly Delivery one in alike)
                DropOrConflate(one.StreamId, bytes.Of(one));
        }
        else
        {
            Counters.Add(kind.NotSent(), alike.Length);
            CutOff();
        }

        return alike.Length;
    }

    private void DropOrConflate(int streamId, ReadOnlySpan<byte> update)
    {
        if (_host.Settings.Slow != SlowConsumerPolicy.Conflate)
        {
            Count(HubCounter.UpdatesDropped);
            return;
        }

        if (!IsCached(update))
        {
            // the requested image may be older than the lost update
            (_deferred ??= new()).Add(streamId, isAnswer: false);
            Count(HubCounter.UpdatesDropped);
            return;
        }

        _conflated ??= new(_host.FieldLimit, _host.Settings.MaxQueueBytes);
        Conflation outcome = _conflated.Add(streamId, update, out bool hadWaited);
        if (hadWaited)
            Count(HubCounter.UpdatesConflated);
        if (outcome == Conflation.NoRoom || MsgPatch.DomainOf(update) == DomainType.MarketByOrder)
            GetByImage(streamId);
        else if (outcome == Conflation.NotMergeable)
            Count(HubCounter.UpdatesDropped);
    }

    // Changes of an order book, and updates beyond the limit, are not merged: the cache has them, and the consumer receives the image once it has
    // read the queued messages.
    private void GetByImage(int streamId)
    {
        (_deferred ??= new()).Add(streamId, isAnswer: false);
        Count(HubCounter.UpdatesConflated);
    }

    private void CutOff()
    {
        _isCut = true;
        Count(HubCounter.ConnectionsCut);
        Recording.Notices.Add(HubNotices.SlowConsumer, ChannelText.DescribePeer(Channel), Channel.BytesQueued,
            (Time.NowNanos - _behindSinceNanos) / Clock.NanosPerMilli, _host.Settings.MaxQueueBytes);
        Channel.Abort("it read too slowly");
    }

    /// <summary>Disconnects the consumer because memory is nearly used up and its connection uses most of it.</summary>
    public void CutForMemory(long bytes)
    {
        if (IsOpen)
            MemoryDisconnect.End(Channel, Counters, Recording, bytes);
    }

    // The cache still has the images: they are requested from it as the consumer reads the queued messages.
    private void RequestImages()
    {
        Span<byte> room = stackalloc byte[RequestedItem.MaxBytes];
        for (int asked = 0; asked < MaxImagesAtOnce && !IsFull && _deferred!.TryDequeueNext(out int streamId, out bool isAnswer); asked++)
        {
            StreamEntry entry = Streams.Find(streamId);
            RequestedItem item = new(Streams.AddressOf(streamId),
                ItemRequestMarks.Deferred | (isAnswer ? ItemRequestMarks.Solicited : 0), default);
            _host.To(entry.UpstreamIndex).Send(SessionRecord.Reissue, entry.Slot, room[..item.Write(room)]);
        }
    }

    // Sends as the consumer reads the queued messages.
    private void SendConflated()
    {
        while (MayQueueMore && _conflated!.TryPeek(out int streamId) && SendConflated(streamId))
        {
        }

        if (!IsConflating)
            _conflated = null; // including the capacity that many items needed
    }

    private bool SendConflated(int streamId)
    {
        if (!Output.TryBegin(_conflated!.MaxBytesOf(streamId), out Span<byte> room))
            return false;
        Output.End(_conflated.Dequeue(streamId, room), MessageKind.Update);
        return true;
    }
}
