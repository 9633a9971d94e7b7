using PerfCommon.Codec;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.Counting;
using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <content>Delivers messages to a consumer.</content>
internal sealed partial class HubSession
{
    private Queue<(long Messages, PendingLatencies Runs)>? _pending;
    private ConflatedUpdates? _conflated;
    private DeferredImages? _deferred;

    /// <summary>True while it is among the connections that are flushed at the end of the batch.</summary>
    public bool IsWritten { get; set; }

    /// <summary>Decides whether updates wait for more: not when other messages are sent anyway; see <see cref="FlushWait.MayWait"/>.</summary>
    /// <param name="settings">The limits of the wait.</param>
    /// <param name="ofThread">The common interval of all connections of the thread, where there is one.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="untilNanos">When the updates are sent; unchanged while others already wait.</param>
    public bool MayWait(BurstSettings settings, in BurstInterval ofThread, long nowNanos, out long untilNanos)
    {
        untilNanos = Wait.UntilNanos;
        return IsOpen && !Replies.IsWaiting && !IsConflating && !_isPaused && Wait.MayWait(settings, ofThread, SlotNumber, nowNanos, out untilNanos);
    }

    private bool IsConflating => _conflated is { Count: > 0 };

    /// <summary>Sends messages.</summary>
    /// <param name="bytes">The bytes of the messages.</param>
    /// <param name="noted">The messages, in order.</param>
    public void Send(MessageBytes bytes, ReadOnlySpan<Delivery> noted)
    {
        if (TrySendMade(noted))
            return;
        Deliver(bytes, noted);
        FlushWritten();
    }

    /// <summary>Queues messages.</summary>
    /// <param name="bytes">The bytes of the messages.</param>
    /// <param name="noted">The messages, in order.</param>
    public void Deliver(MessageBytes bytes, ReadOnlySpan<Delivery> noted)
    {
        ReadOnlySpan<Delivery> rest = noted;
        while (!rest.IsEmpty)
        {
            if (MustWait(bytes, rest[0]))
            {
                rest = rest[1..];
                continue;
            }

            AlikeMessages alike = _host.FanOut.Front(HasDeferredImages ? rest[..1] : rest);
            if (!TryWrite(bytes, alike, out int written))
                written = KeepOrDiscard(bytes, alike.Messages);
            else if (HasDeferredImages && rest[0].Kind == MessageKind.Refresh)
                _deferred!.Remove(rest[0].StreamId);
            rest = rest[written..];
        }
    }

    /// <summary>Sends the messages queued in the batch.</summary>
    public void FlushWritten()
    {
        IsWritten = false;
        if (IsOpen)
        {
            Output.EndBurst();
            if (Channel.BytesQueued > 0)
                FlushQueued();
            SettlePending();
        }

        if (IsInTurn || !IsOpen || IsBusy)
            Worker.Activate(this);
        else
            Settle(); // all is sent: a turn would have nothing else to do
    }

    /// <summary>Completes these batches now, or once the socket has accepted all queued bytes.</summary>
    /// <param name="runs">The batches.</param>
    /// <param name="nowNanos">The time; 0 while it was not read.</param>
    public void NotifySent(PendingLatencies runs, ref long nowNanos)
    {
        if (Channel.BytesQueued > 0)
        {
            Await(runs);
            return;
        }

        if (nowNanos == 0)
            nowNanos = Time.NowNanos;
        runs.CountSent(nowNanos);
    }

    /// <summary>Completes these batches once the socket has accepted all bytes that are queued now.</summary>
    public void Await(PendingLatencies runs) => (_pending ??= new()).Enqueue((Channel.MessagesWritten, runs));

    private void FlushQueued()
    {
        Counters.Add(HubCounter.Sends, 1);
        Channel.Flush();
        _host.RecordQueued(Channel.BytesQueued);
    }

    // Messages encoded for another connection are sent unchanged, without the output queue, when nothing else is pending. Most messages of most
    // connections take this path.
    private bool TrySendMade(ReadOnlySpan<Delivery> noted)
    {
        FanOutBatch runs = _host.FanOut;
        bool isPlain = runs.IsMade(noted) && IsOpen && !_isCut && !IsConflating && !HasDeferredImages;
        if (!isPlain || !Output.TrySendMade(runs.Made, runs.MadeMaxBytes, noted[0].Kind))
            return false;
        Counters.Add(HubCounter.Sends, 1);
        _behindSinceNanos = 0;
        int left = Channel.BytesQueued;
        if (left > 0)
            _host.RecordQueued(left);
        if (left > 0 || IsInTurn)
            Worker.Activate(this);
        else
            Settle(); // all is sent: a turn would have nothing else to do
        return true;
    }

    private bool TryWrite(MessageBytes bytes, in AlikeMessages alike, out int written)
    {
        written = 0;
        MessageKind kind = alike.Kind;
        if (!IsOpen || _isCut || !MayQueue(kind))
            return false;
        if (IsConflating)
            MakeWay(alike.Messages, kind);
        if (!Output.TryBeginBatch(alike.MaxBytes, alike.Messages.Length, out SendBatch run))
            return false;
        written = _host.FanOut.Fill(ref run, bytes, alike);
        Output.EndBatch(run, kind);
        return true;
    }

    // Many images do not make a consumer slow: they may fill half of the queue, and the rest is deferred until the consumer has read them. An update
    // whose values the deferred image will contain need not be sent before it.
    private bool MustWait(MessageBytes bytes, in Delivery next)
    {
        if (next.Kind == MessageKind.Update && HasDeferredImages && _deferred!.Contains(next.StreamId))
        {
            Count(IsCached(bytes.Of(next)) ? HubCounter.UpdatesConflated : HubCounter.UpdatesDropped);
            return true;
        }

        bool isTooEarly = next.Kind == MessageKind.Refresh && IsOpen && !_isCut && IsQueuedAbove(_host.Settings.MaxQueueBytes / 2)
            && Streams.Find(next.StreamId).State == StreamUse.Open && IsCached(bytes.Of(next));
        if (isTooEarly)
            Defer(next, bytes.Of(next));
        return isTooEarly;
    }

    private static bool IsCached(ReadOnlySpan<byte> message) => HubDomain.IsCached(MsgPatch.DomainOf(message));

    private void Defer(in Delivery image, ReadOnlySpan<byte> message)
    {
        bool isAnswer = image.IsAnswer
            || (RwfMsg.TryDecode(message, out RwfMsg refresh) == DecodeResult.Success && refresh.Has(RefreshFlags.Solicited));
        (_deferred ??= new()).Add(image.StreamId, isAnswer);
    }

    // Keeps the order of each item: its waiting update is sent first, or replaced by its image.
    private void MakeWay(ReadOnlySpan<Delivery> alike, MessageKind kind)
    {
        foreach (ref readonly Delivery one in alike)
        {
            if (kind == MessageKind.Refresh && _conflated!.Remove(one.StreamId))
                Count(HubCounter.UpdatesConflated);
            else if (_conflated!.Has(one.StreamId))
                SendConflated(one.StreamId);
        }
    }

    private void SettlePending()
    {
        while (_pending is not null && _pending.TryPeek(out (long Messages, PendingLatencies Runs) first)
            && Channel.MessagesSent >= first.Messages)
        {
            _pending.Dequeue();
            first.Runs.CountSent(Time.NowNanos);
        }
    }

    private void DiscardPending()
    {
        while (_pending is not null && _pending.TryDequeue(out (long Messages, PendingLatencies Runs) first))
            first.Runs.CountSent(Time.NowNanos);
        Counters.Add(Counter.UpdatesNotSent, _conflated?.Count ?? 0);
        _conflated = null;
    }
}
