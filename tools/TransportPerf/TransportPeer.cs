using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>One connection of TransportPerf: sends numbered messages at a rate, checks those that come, or sends them back.</summary>
internal sealed class TransportPeer(TransportPlan plan) : Connection
{
    private const long ProvenNanos = Clock.NanosPerSecond;

    private readonly Reflection _reflection = new();
    private Burst? _messages;
    private bool _isJson;
    private long _expectedSequence;
    private long _messagesReceived;
    private string? _violation;
    private bool _lostMessages;

    internal override Packing Packing => plan.Packing;

    internal override bool WantsTicks => plan.Messages.IsOn && IsOpen;

    internal override bool IsBlocked => _messages is { IsBlocked: true };

    private bool Reflects => plan.Options.Reflect && !IsFinishing;

    internal override void OnOpened(long nowNanos)
    {
        _isJson = Channel.Info.ProtocolType == RsslProtocol.Json;
        _messages = _isJson
            ? new Burst<JsonMessageEncoder>(plan.Messages, Recording, Output, new JsonMessageEncoder(plan.Options.MsgBytes))
            : new Burst<RawMessageEncoder>(plan.Messages, Recording, Output, new RawMessageEncoder(plan.Options.MsgBytes));
        Recording.Notices.Add(ChannelText.Describe(Channel));

        // A packed buffer must fit into what was agreed; a server's own offer was checked with its options.
        if (Packing.IsOn && Packing.BufferBytes > Channel.Info.MaxMessageBytes)
            Reject($"-pack: a buffer of {Packing.BufferBytes} bytes exceeds the agreed fragment size {Channel.Info.MaxMessageBytes}");
    }

    internal override bool OnTick(in TickInfo tick)
    {
        if (!IsOpen)
            return false;
        bool sends = _messages!.Begin(tick, Number);
        OnContinue();
        return sends;
    }

    internal override void OnContinue()
    {
        if (_messages is { Left: > 0 } && IsOpen)
            _messages.Send();
        if (!_reflection.IsEmpty && IsOpen)
            TrySendBack();
    }

    internal override void OnReadable(long untilNanos)
    {
        if (Reflects && !TrySendBack())
            return; // no further reading before what was read is on its way
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
        receiver.Book();
        if (Reflects)
            Channel.Flush();
    }

    internal override void OnFinishing() => _messages?.GiveUp();

    internal override void OnClosed(CloseReason reason)
    {
        _messages?.GiveUp();
        Recording.Counters.Add(Counter.MessagesNotSent, _reflection.Count);
        if (WasCut)
        {
            plan.NoteCut();
            return;
        }

        bool isProven = _messagesReceived > 0 || Channel.MessagesSent > 0 || Clock.NowNanos - OpenedNanos >= ProvenNanos;
        plan.Ends.Enqueue(new ConnectionEnd(reason, _violation, _lostMessages, isProven));
    }

    // Sends what waits to be sent back; false when something still waits.
    private bool TrySendBack()
    {
        while (!_reflection.IsEmpty)
        {
            ReadOnlySpan<byte> message = _reflection.Next;
            if (!Output.TrySend(message, MessageKind.Opaque))
                return false;
            _reflection.Drop(message.Length);
        }

        return true;
    }

    private bool SendBack(ReadOnlySpan<byte> message)
    {
        if (!_isJson && Output.TrySend(message, MessageKind.Opaque))
            return true;
        _reflection.Keep(message, _isJson); // valid only until the channel is touched again
        return TrySendBack();
    }

    private void RecordLatency(long stampNanos)
    {
        long nowNanos = Clock.NowNanos;
        Recording.Counters.Add(Counter.MessageStampsReceived, 1);
        Recording[Series.Messages].Record(nowNanos - stampNanos);
        Recording.LatencyRecords?.TryWrite(new LatencyRecord(stampNanos, nowNanos));
    }

    private bool RejectSequence(long sequence, long expected)
    {
        _lostMessages = true;
        return Reject($"sequence number {sequence} where {expected} was due");
    }

    private bool Reject(string violation)
    {
        _violation = violation;
        Channel.Close();
        return false;
    }

    // Checks the messages of a turn; what is per message lives here and is booked once.
    private struct Receiver(TransportPeer peer) : IMessageReceiver
    {
        private readonly bool _isJson = peer._isJson;
        private readonly bool _reflects = peer.Reflects;
        private long _expected = peer._messagesReceived > 0 ? peer._expectedSequence : Unknown;
        private long _messages;
        private long _bytes;

        private const long Unknown = -1;

        public bool Take(ReadOnlySpan<byte> message)
        {
            if (_isJson)
                return TakeJson(message);
            if (!RawMessage.TryRead(message, out long sequence, out long stampNanos))
                return peer.Reject($"a message of {message.Length} bytes is no message of this tool");
            return TakeOne(sequence, stampNanos, message.Length) && (!_reflects || peer.SendBack(message));
        }

        public readonly void Book()
        {
            if (_messages == 0)
                return;
            peer._expectedSequence = _expected;
            peer._messagesReceived += _messages;
            CounterSet counters = peer.Recording.Counters;
            counters.Add(Counter.MessagesReceived, _messages);
            counters.Add(Counter.BytesReceived, _bytes);
            if (!peer.IsFinishing)
                return;
            counters.Add(Counter.DrainedMessages, _messages);
            counters.Add(Counter.DrainedBytes, _bytes);
        }

        private bool TakeOne(long sequence, long stampNanos, int bytes)
        {
            if (sequence != _expected && _expected != Unknown)
                return peer.RejectSequence(sequence, _expected);
            _expected = sequence + 1;
            _messages++;
            _bytes += bytes;
            if (stampNanos > 0)
                peer.RecordLatency(stampNanos);
            return true;
        }

        // One object, or an array of those that were packed: [{...},{...}]
        private bool TakeJson(ReadOnlySpan<byte> text)
        {
            ReadOnlySpan<byte> rest = JsonMessage.InsideArray(text);
            while (JsonMessage.TryRead(rest, out long sequence, out long stampNanos, out int bytes))
            {
                if (!TakeOne(sequence, stampNanos, bytes))
                    return false;
                if (bytes == rest.Length)
                    return !_reflects || peer.SendBack(text);
                rest = rest[bytes] == (byte)',' ? rest[(bytes + 1)..] : default;
            }

            return peer.Reject($"a text of {text.Length} bytes is no message of this tool");
        }
    }
}
