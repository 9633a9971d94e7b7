using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Memory;

namespace PerfHub.Consumers;

/// <content>What a consumer gets that reads more slowly than there is something for it.</content>
internal sealed partial class HubSession
{
    // How long a reader that is about to be cut may be behind: machines stall a process for 5 to 20 ms, and a burst comes in at once.
    private const long PatienceNanos = 100 * Clock.NanosPerMilli;
    private const int PatienceQueues = 8; // and by how many queues at most

    private bool _isCut;
    private long _behindSinceNanos; // 0 while its queue is not full

    // Where updates can be left out nothing else needs to be. A snapshot has no stream on which it could come later; requests are read no
    // faster than they are answered.
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

    // Waits although it was sent: what waits only to be sent with more is no sign of a slow reader.
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

    // A reader that catches up is not slow.
    private bool IsBehindForAMoment()
    {
        long now = Time.NowNanos;
        if (_behindSinceNanos == 0)
            _behindSinceNanos = now;
        return now - _behindSinceNanos <= PatienceNanos && Channel.BytesQueued <= PatienceQueues * (long)_host.Settings.MaxQueueBytes;
    }

    // What cannot be queued now: counted, all of it.
    private int KeepOrGiveUp(MessageBytes bytes, ReadOnlySpan<Delivery> alike)
    {
        MessageKind kind = alike[0].Kind;
        if (!IsOpen || _isCut || Channel.HasFailedSending)
        {
            Counters.Add(kind.NotSent(), alike.Length);
        }
        else if (kind == MessageKind.Update && _host.Settings.Slow != SlowConsumerPolicy.Disconnect)
        {
            foreach (ref readonly Delivery one in alike)
                LeaveOut(one.StreamId, bytes.Of(one));
        }
        else
        {
            Counters.Add(kind.NotSent(), alike.Length);
            CutOff();
        }

        return alike.Length;
    }

    private void LeaveOut(int streamId, ReadOnlySpan<byte> update)
    {
        if (_host.Settings.Slow != SlowConsumerPolicy.Conflate)
        {
            Count(Counter.UpdatesDropped);
            return;
        }

        if (!IsCached(update))
        {
            // the image that is asked for may be older than what was lost
            (_putOff ??= new()).Add(streamId, isAnswer: false);
            Count(Counter.UpdatesDropped);
            return;
        }

        _conflated ??= new(_host.FieldLimit, _host.Settings.MaxQueueBytes);
        Conflation outcome = _conflated.Add(streamId, update, out bool hadWaited);
        if (hadWaited)
            Count(Counter.UpdatesConflated);
        if (outcome == Conflation.NoRoom || MsgPatch.DomainOf(update) == DomainType.MarketByOrder)
            GetByImage(streamId);
        else if (outcome == Conflation.NotMergeable)
            Count(Counter.UpdatesDropped);
    }

    // Changes of an order book are not merged, nor what takes too much: the cache has them, and the reader gets the image once it takes
    // what is queued.
    private void GetByImage(int streamId)
    {
        (_putOff ??= new()).Add(streamId, isAnswer: false);
        Count(Counter.UpdatesConflated);
    }

    private void CutOff()
    {
        _isCut = true;
        Count(Counter.ConnectionsCut);
        Recording.Notices.Add(LimitCauses.SlowConsumer,
            $"Connection of {ChannelText.DescribePeer(Channel)} cut: it reads too slowly, {Channel.BytesQueued} bytes wait for it, "
            + $"for {(Time.NowNanos - _behindSinceNanos) / Clock.NanosPerMilli} ms more than the limit of {_host.Settings.MaxQueueBytes}.");
        Channel.Abort("it read too slowly");
    }

    /// <summary>Ends it, as memory is nearly used up and most of it is kept for this one.</summary>
    public void CutForMemory(long bytes)
    {
        if (IsOpen)
            MemoryCut.End(Channel, Counters, Recording, bytes);
    }

    // The cache has them still: they are asked of it as the reader takes what is queued.
    private void AskForImages()
    {
        Span<byte> room = stackalloc byte[AskedItem.MaxBytes];
        for (int asked = 0; asked < MaxImagesAtOnce && !IsFull && _putOff!.TryTakeNext(out int streamId, out bool isAnswer); asked++)
        {
            StreamEntry entry = _streams.Find(streamId);
            AskedItem item = new(new StreamAddress(SlotNumber, streamId, _connectionSerial),
                Asked.PutOff | (isAnswer ? Asked.Solicited : 0), default);
            _host.To(entry.SourceHost).Send(SessionRecord.Reissue, entry.Slot, room[..item.Write(room)]);
        }
    }

    // As the reader takes what is queued.
    private void SendConflated()
    {
        while (MayQueueMore && _conflated!.TryPeek(out int streamId) && SendConflated(streamId))
        {
        }

        if (!IsConflating)
            _conflated = null; // with what many items had it take
    }

    private bool SendConflated(int streamId)
    {
        if (!Output.TryBegin(_conflated!.MaxBytesOf(streamId), out Span<byte> room))
            return false;
        Output.End(_conflated.Take(streamId, room), MessageKind.Update);
        return true;
    }
}
