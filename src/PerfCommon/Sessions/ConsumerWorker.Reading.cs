using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

internal sealed partial class ConsumerWorker
{
    // Bounded, so that ticks and the end of the run get their turn in a flood.
    private const int MaxMessagesPerTurn = 4_096;
    private const int MessagesBetweenLooks = 64;

    private long _updatesInTurn;

    private void ReadMessages()
    {
        if (_channel is not { } channel || channel.State == ChannelState.Connecting)
            return;
        bool ticking = Stage == ConsumerStage.Images && _requested < _images.Count;
        int count = 0;
        while (count < MaxMessagesPerTurn && channel.TryRead(out ReadOnlySpan<byte> message))
        {
            Handle(message);
            if (++count % MessagesBetweenLooks == 0 && ticking && Clock.NowNanos >= _schedule.NextDueNanos)
                break;
        }

        if (count > 0 && Stage is ConsumerStage.Dictionary or ConsumerStage.Images)
            _lastHeardNanos = Clock.NowNanos;
        BookUpdates();
    }

    private void Handle(ReadOnlySpan<byte> message)
    {
        if (UpdateHeader.TryRead(message, out UpdateHeader update) && update.DomainType == DomainType.MarketPrice)
        {
            HandleUpdate(update.StreamId, update.ContainerType, update.Payload);
            return;
        }

        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
        {
            Fail(ConsumerFailureKind.BadMessage, "the provider sent a message that cannot be decoded");
            return;
        }

        // A status is matched by its stream: providers differ in the domain they put on it.
        if (msg.StreamId >= StreamIds.FirstItem)
            HandleItem(msg);
        else if (msg.DomainType == DomainType.Login || msg.StreamId == StreamIds.Login)
            HandleLogin(msg, message);
        else if (msg.DomainType == DomainType.Dictionary || msg.StreamId is StreamIds.FieldDictionary or StreamIds.EnumDictionary)
            HandleDictionary(msg);
        else if (msg.DomainType == DomainType.Source || msg.StreamId == StreamIds.Directory)
            HandleDirectory(msg);
        else
            Counters.MessagesDropped.Add(1);
    }

    private void HandleItem(scoped in RwfMsg msg)
    {
        int item = msg.StreamId - StreamIds.FirstItem;
        if (item >= _requested)
        {
            Counters.MessagesDropped.Add(1);
            return;
        }

        switch (msg.MsgClass)
        {
            case MsgClass.Refresh:
                Counters.RefreshesReceived.Add(1);
                if (DecodePayload(msg.ContainerType, msg.Payload))
                    HandleState(msg, item);
                break;
            case MsgClass.Status:
                Counters.StatusesReceived.Add(1);
                HandleState(msg, item);
                break;
            case MsgClass.Update:
                HandleUpdate(msg.StreamId, msg.ContainerType, msg.Payload);
                break;
            case MsgClass.Generic:
                Counters.GenericsReceived.Add(1);
                break;
            default:
                Counters.MessagesDropped.Add(1);
                break;
        }
    }

    private void HandleState(scoped in RwfMsg msg, int item)
    {
        ItemChange change = MarketPriceConsumer.Classify(msg);
        if (change == ItemChange.Image)
            NoteImage(item);
        else if (change == ItemChange.Closed && (msg.MsgClass == MsgClass.Status || _images.Missing > 0) && Stage < ConsumerStage.Draining)
            Fail(ConsumerFailureKind.ItemClosed, $"received unexpected final state for stream {msg.StreamId}: {Domains.WireText.Show(msg.State)}");
    }

    private void HandleUpdate(int streamId, DataType container, ReadOnlySpan<byte> payload)
    {
        if ((uint)(streamId - StreamIds.FirstItem) >= (uint)_requested)
        {
            Counters.MessagesDropped.Add(1);
            return;
        }

        if (_updatesInTurn++ == 0 && FirstUpdateNanos is null)
            Volatile.Write(ref _firstUpdateNanos, Clock.NowNanos);
        if (!DecodePayload(container, payload))
            return;
        ulong stamp = _decoder!.Kept(StampFields.UpdateIndex);
        if (stamp != 0)
            RecordLatency(stamp);
    }

    private bool DecodePayload(DataType container, ReadOnlySpan<byte> payload)
    {
        if (container != DataType.FieldList)
            return true; // nothing of ours
        DecodeResult result = _decoder!.Decode(payload);
        if (result is not (DecodeResult.Success or DecodeResult.NoData))
        {
            Fail(ConsumerFailureKind.BadMessage, "the provider sent a field list that cannot be decoded");
            return false;
        }

        if (_decoder.UnknownFields != Counters.FieldsSkipped.Value)
            NoteUnknownField();
        return true;
    }

    private void NoteUnknownField()
    {
        string what = $"field {_decoder!.FirstUnknownField} is not in the dictionary";
        if (_plan.StrictFields)
            Fail(ConsumerFailureKind.BadMessage, what);
        else if (Counters.FieldsSkipped.Value == 0)
            Notices.Add($"Warning: {what}; such fields are skipped and counted.");
        Counters.FieldsSkipped.Add(_decoder.UnknownFields - Counters.FieldsSkipped.Value);
    }

    private void RecordLatency(ulong stamp)
    {
        long nowNanos = Clock.NowNanos;
        long now = _plan.NanoStamps ? nowNanos : nowNanos / NanosPerMicro;
        long sent = (long)stamp;
        RunPhase own = PhaseOf(nowNanos, ImagesCompleteNanos ?? long.MaxValue);
        RunPhase overall = PhaseOf(nowNanos, _plan.ImageClock.CompleteNanos);
        UpdateLatency.Record(own, overall, now - sent);
        LatencyRecords?.TryWrite(new LatencyRecord(sent, now));
    }

    private RunPhase PhaseOf(long nowNanos, long imagesNanos)
    {
        if (nowNanos <= imagesNanos)
            return RunPhase.Startup;
        return nowNanos - imagesNanos > _plan.SteadyDelayNanos ? RunPhase.Steady : RunPhase.Between;
    }

    private void BookUpdates()
    {
        if (_updatesInTurn == 0)
            return;
        Tally tally = Stage switch
        {
            ConsumerStage.Draining or ConsumerStage.Ended => Counters.DrainedUpdates,
            ConsumerStage.Steady => Counters.SteadyUpdates,
            _ => Counters.StartupUpdates,
        };
        tally.Add(_updatesInTurn);
        _updatesInTurn = 0;
    }
}
