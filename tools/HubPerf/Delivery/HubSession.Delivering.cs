using HubPerf.Rings;
using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <content>What a consumer gets.</content>
internal sealed partial class HubSession
{
    // How long a reader that is about to be cut may be behind: machines stall a process for 5 to 20 ms, and a burst comes in at once.
    private const long PatienceNanos = 100 * Clock.NanosPerMilli;
    private const int PatienceQueues = 8; // and by how many queues at most

    private Queue<(long Messages, PendingRuns Runs)>? _pending;
    private ConflatedUpdates? _conflated;
    private ImagesPutOff? _putOff;
    private bool _isCut;
    private long _behindSinceNanos; // 0 while its queue is not full

    /// <summary>True while it is among those that are flushed at the end of the run.</summary>
    public bool IsWritten { get; set; }

    private bool IsConflating => _conflated is { Count: > 0 };

    /// <summary>Queues messages.</summary>
    /// <param name="bytes">Their bytes.</param>
    /// <param name="noted">Them, in order.</param>
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

            int count = CountAlike(IsOwingImages ? rest[..1] : rest, out int maxBytes);
            if (!TryWrite(bytes, rest[..count], maxBytes, out int written))
                written = KeepOrGiveUp(bytes, rest[..count]);
            else if (IsOwingImages && rest[0].Kind == MessageKind.Refresh)
                _putOff!.Remove(rest[0].StreamId);
            rest = rest[written..];
        }
    }

    /// <summary>Sends what was queued in the run.</summary>
    public void FlushWritten()
    {
        IsWritten = false;
        if (IsOpen)
        {
            Output.EndBurst();
            if (Channel.BytesQueued > 0)
                Counters.Add(Counter.Sends, 1);
            Channel.Flush();
            _host.NoteQueued(Channel.BytesQueued);
            SettlePending();
        }

        if (IsInTurn || !IsOpen || IsBusy)
            Worker.Attend(this);
        else
            Settle(); // all is out: a turn would find nothing else to do
    }

    /// <summary>Tells these runs now, or once the socket has taken what is queued.</summary>
    /// <param name="runs">Them.</param>
    /// <param name="nowNanos">The time; 0 while it was not read.</param>
    public void Tell(PendingRuns runs, ref long nowNanos)
    {
        if (Channel.BytesQueued > 0)
        {
            Await(runs);
            return;
        }

        if (nowNanos == 0)
            nowNanos = Time.NowNanos;
        runs.NoteTaken(nowNanos);
    }

    /// <summary>Tells these runs once the socket has taken everything that is queued now.</summary>
    public void Await(PendingRuns runs) => (_pending ??= new()).Enqueue((Channel.MessagesWritten, runs));

    // The messages at the front that are counted alike, which go out in runs.
    private static int CountAlike(ReadOnlySpan<Delivery> rest, out int maxBytes)
    {
        MessageKind kind = rest[0].Kind;
        maxBytes = 0;
        for (int i = 0; i < rest.Length; i++)
        {
            if (rest[i].Kind != kind)
                return i;
            maxBytes = Math.Max(maxBytes, rest[i].Length);
        }

        return rest.Length;
    }

    private bool TryWrite(MessageBytes bytes, ReadOnlySpan<Delivery> alike, int maxBytes, out int written)
    {
        written = 0;
        MessageKind kind = alike[0].Kind;
        if (!IsOpen || _isCut || !MayQueue(kind))
            return false;
        if (IsConflating)
            MakeWay(alike, kind);
        if (!Output.TryBeginRun(maxBytes, alike.Length, out MessageRun run))
            return false;
        written = Fill(ref run, bytes, alike);
        Output.EndRun(run, kind);
        return true;
    }

    // As many as there is room for. The run lives in registers here.
    private static int Fill(ref MessageRun target, MessageBytes bytes, ReadOnlySpan<Delivery> alike)
    {
        MessageRun run = target;
        int written = 0;
        do
        {
            ref readonly Delivery one = ref alike[written++];
            Span<byte> room = run.Room;
            bytes.Of(one).CopyTo(room);
            MsgPatch.SetStreamId(room, one.StreamId);
            if (one.IsAnswer)
                MsgPatch.AddToWideFlags(room, RefreshFlags.Solicited);
            run.End(one.Length);
        }
        while (written < alike.Length && run.HasRoom);

        target = run;
        return written;
    }

    // Many images are no sign of slowness: they take half of the queue, and others come later, as the reader takes them. What an image has
    // need not be sent before it.
    private bool MustWait(MessageBytes bytes, in Delivery next)
    {
        if (next.Kind == MessageKind.Update && IsOwingImages && _putOff!.Owes(next.StreamId))
        {
            Count(Counter.UpdatesConflated);
            return true;
        }

        bool isTooEarly = next.Kind == MessageKind.Refresh && IsOpen && !_isCut && IsQueuedAbove(_host.Settings.MaxQueueBytes / 2)
            && _streams.Find(next.StreamId).State == StreamUse.Open;
        if (isTooEarly)
            PutOff(next, bytes.Of(next));
        return isTooEarly;
    }

    private void PutOff(in Delivery image, ReadOnlySpan<byte> message)
    {
        bool isAnswer = image.IsAnswer
            || (RwfMsg.TryDecode(message, out RwfMsg refresh) == DecodeResult.Success && refresh.Has(RefreshFlags.Solicited));
        (_putOff ??= new()).Add(image.StreamId, isAnswer);
    }

    // Where updates can be left out nothing else needs to be. A snapshot has no stream on which it could come later; requests are read no
    // faster than they are answered.
    private bool MayQueue(MessageKind kind)
    {
        HubSettings settings = _host.Settings;
        long limit = (long)settings.MaxQueueBytes * (kind == MessageKind.Refresh
            ? PatienceQueues : kind != MessageKind.Update && settings.Slow != SlowPolicy.Cut ? 2 : 1);
        if (IsQueuedAbove(limit))
            return settings.Slow == SlowPolicy.Cut && IsBehindForAMoment();
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

    // Order holds for each item: what waits for it goes first, or is replaced by its image.
    private void MakeWay(ReadOnlySpan<Delivery> alike, MessageKind kind)
    {
        foreach (ref readonly Delivery one in alike)
        {
            if (kind == MessageKind.Refresh && _conflated!.Remove(one.StreamId))
                Count(Counter.UpdatesConflated);
            else if (_conflated!.Has(one.StreamId))
                SendConflated(one.StreamId);
        }
    }

    // What cannot be queued now: counted, all of it.
    private int KeepOrGiveUp(MessageBytes bytes, ReadOnlySpan<Delivery> alike)
    {
        MessageKind kind = alike[0].Kind;
        if (!IsOpen || _isCut || Channel.HasFailedSending)
        {
            Counters.Add(kind.NotSent(), alike.Length);
        }
        else if (kind == MessageKind.Update && _host.Settings.Slow != SlowPolicy.Cut)
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
        bool isMerged = false;
        if (_host.Settings.Slow == SlowPolicy.Conflate && (_conflated ??= new(_host.Layouts)).TryAdd(streamId, update, out isMerged))
            Counters.Add(Counter.UpdatesConflated, isMerged ? 1 : 0);
        else if (_host.Settings.Slow == SlowPolicy.Conflate && MsgPatch.DomainOf(update) == DomainType.MarketByOrder)
            GetByImage(streamId);
        else
            Count(Counter.UpdatesDropped);
    }

    // Changes of an order book are not merged: the cache has them, and the reader gets it whole once it takes what is queued.
    private void GetByImage(int streamId)
    {
        (_putOff ??= new()).Add(streamId, isAnswer: false);
        Count(Counter.UpdatesConflated);
    }

    private void CutOff()
    {
        _isCut = true;
        Count(Counter.ConnectionsCut);
        Recording.Notices.Add(
            $"Connection of {ChannelText.DescribePeer(Channel)} cut: it reads too slowly, {Channel.BytesQueued} bytes wait for it, "
            + $"for {(Time.NowNanos - _behindSinceNanos) / Clock.NanosPerMilli} ms more than -maxQueue {_host.Settings.MaxQueueBytes}.");
        Channel.Abort("it read too slowly");
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
    }

    private bool SendConflated(int streamId)
    {
        if (!Output.TryBegin(_conflated!.MaxBytesOf(streamId), out Span<byte> room))
            return false;
        Output.End(_conflated.Take(streamId, room), MessageKind.Update);
        return true;
    }

    private void SettlePending()
    {
        while (_pending is not null && _pending.TryPeek(out (long Messages, PendingRuns Runs) first)
            && Channel.MessagesSent >= first.Messages)
        {
            _pending.Dequeue();
            first.Runs.NoteTaken(Time.NowNanos);
        }
    }

    private void GiveUpPending()
    {
        while (_pending is not null && _pending.TryDequeue(out (long Messages, PendingRuns Runs) first))
            first.Runs.NoteTaken(Time.NowNanos);
        Counters.Add(Counter.UpdatesNotSent, _conflated?.Count ?? 0);
        _conflated = null;
    }
}
