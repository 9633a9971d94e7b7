using System.Collections.Concurrent;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;

namespace TransportPerf;

/// <summary>One connection of either side: sends numbered messages at a rate and checks those received, or sends them back.</summary>
/// <param name="options">The options of the run.</param>
/// <param name="messages">The messages of each tick; of the connection's worker.</param>
/// <param name="ended">Receives the connection when it has ended, for the main thread to dequeue.</param>
/// <param name="clock">The clock of the peer's host; null when it is this host's.</param>
internal sealed class TransportPeer(
    TransportPerfOptions options, BurstPlan messages, ConcurrentQueue<TransportPeer> ended, PeerClock? clock = null) : Connection
{
    private const long ProvenNanos = Clock.NanosPerSecond;
    private const long SettlingNanos = Clock.NanosPerSecond / 10;

    private Burst? _messages;
    private PeerStamps? _peerStamps;
    private bool _isJson;
    private long _expectedSequence;
    private long _messagesReceived;
    private bool _hasSettled;
    private string? _violation;

    // Received messages that wait to be sent back: one message, or JSON objects separated by commas.
    private byte[] _reflected = [];
    private int _reflectedAt;
    private int _reflectedEnd;

    /// <summary>Why the connection ended: how the peer broke the tool's rules, or the transport's reason. After the end.</summary>
    public string EndText => _violation ?? Closed!.Text;

    /// <summary>True when both sides ended their streams in good order. After the end.</summary>
    public bool IsOrderly => _violation is null && Closed!.Kind == CloseKind.PeerClosed;

    /// <summary>True when there was a gap in the sequence. After the end.</summary>
    public bool LostMessages { get; private set; }

    /// <summary>True when the peer took part in the test and kept its rules. After the end.</summary>
    public bool WasPartner { get; private set; }

    internal override Packing Packing { get; } = new(options.PackCount, (int)options.PackBytes);

    internal override bool WantsTicks => messages.IsOn && IsOpen;

    internal override bool IsBlocked => _messages is { IsBlocked: true };

    private bool Reflects => options.Reflect && !IsFinishing;

    private ReadOnlySpan<byte> Reflected => _reflected.AsSpan(_reflectedAt, _reflectedEnd - _reflectedAt);

    internal override void OnOpened(long nowNanos)
    {
        _isJson = Channel.Info.ProtocolType == RsslProtocol.Json;
        _messages = !_isJson ? CreateBurst<RawMessage>() : options.JsonObjects ? CreateBurst<JsonMessage>() : CreateBurst<RawJsonMessage>();
        _peerStamps = clock is null ? null : new PeerStamps(clock, LatencyUnit.Nanoseconds, Counters);
        Recording.Notices.Add(ConnectionNotices.Channel, ChannelText.Describe(Channel));

        // A packed buffer must fit into the negotiated maximum; a server's own maximum was checked with its options.
        if (Packing.IsOn && Packing.BufferBytes > Channel.Info.MaxMessageBytes)
            Reject($"-pack: a buffer of {Packing.BufferBytes} bytes exceeds the agreed fragment size {Channel.Info.MaxMessageBytes}");
    }

    internal override bool OnTick(in TickInfo tick) => _messages!.Begin(tick, Number);

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        if (_messages is { Left: > 0 })
            _messages.Send();
        TrySendBack();
    }

    internal override void OnReadable(long untilNanos)
    {
        if (Reflects && !TrySendBack())
            return; // read no more before the last messages are sent back
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
        receiver.CountReceived();
        if (Reflects)
            Channel.Flush();
    }

    internal override void OnFinishing() => _messages?.Discard();

    internal override void OnClosed(CloseReason reason)
    {
        _messages?.Discard();
        Counters.Add(Counter.MessagesNotSent, Reflected.IsEmpty ? 0 : _isJson ? JsonMessage.Count(Reflected) : 1);
        bool isProven = _messagesReceived > 0 || Channel.MessagesSent > 0 || Clock.NowNanos - OpenedNanos >= ProvenNanos;
        WasPartner = isProven && _violation is null;
        ended.Enqueue(this);
    }

    private Burst<TransportMessageEncoder<TMessage>> CreateBurst<TMessage>()
        where TMessage : struct, ITransportMessage => new(messages, Recording, Output, new(options.MsgBytes));

    private bool SendBack(ReadOnlySpan<byte> message)
    {
        if (!_isJson && Output.TrySend(message, MessageKind.Opaque))
            return true;
        KeepReflected(message); // valid only until the channel is used again
        return TrySendBack();
    }

    private void KeepReflected(ReadOnlySpan<byte> message)
    {
        if (_isJson)
            message = JsonMessage.InsideArray(message);
        if (_reflected.Length < message.Length)
            _reflected = new byte[Math.Max(message.Length, 2 * _reflected.Length)];
        message.CopyTo(_reflected);
        (_reflectedAt, _reflectedEnd) = (0, message.Length);
    }

    // Sends the messages that wait to be sent back; false when some still wait.
    private bool TrySendBack()
    {
        while (_reflectedAt < _reflectedEnd)
        {
            ReadOnlySpan<byte> message = Reflected;
            if (_isJson && JsonMessage.TryRead(message, out _, out _, out int bytes))
                message = message[..bytes];
            if (!Output.TrySend(message, MessageKind.Opaque))
                return false;
            _reflectedAt = Math.Min(_reflectedAt + message.Length + 1, _reflectedEnd); // past the comma
        }

        return true;
    }

    // Messages queued while both sides start arrive in a burst and count in no rate.
    private void Settle(long messages, long bytes)
    {
        long nowNanos = Clock.NowNanos;
        Recording.RecordFirst(Moment.FirstMessage, nowNanos);
        Counters.Add(Counter.StartupMessages, messages);
        Counters.Add(Counter.StartupBytes, bytes);
        _hasSettled = nowNanos - Recording.TimeOf(Moment.FirstMessage) >= SettlingNanos;
        if (_hasSettled)
            Recording.RecordFirst(Moment.ReceivingSettled, nowNanos);
    }

    private void RecordLatency(long stampNanos)
    {
        long nowNanos = Clock.NowNanos;
        Counters.Add(Counter.MessageStampsReceived, 1);
        long sentNanos = stampNanos;
        if (_peerStamps is { } stamps && !stamps.TryRead((ulong)stampNanos, nowNanos, out sentNanos))
            return;
        Recording[Series.Messages].Record(nowNanos - sentNanos);
        Recording.LatencyRecords?.TryWrite(new LatencyRecord(sentNanos, nowNanos));
    }

    private bool RejectSequence(long sequence, long expected)
    {
        LostMessages = true;
        return Reject($"sequence number {sequence} where {expected} was due");
    }

    private bool Reject(string violation)
    {
        _violation = violation;
        Channel.Close();
        return false;
    }

    // Checks the messages of a turn; per-message state is kept here and added to the counters once.
    private struct Receiver(TransportPeer peer) : IMessageReceiver
    {
        private readonly bool _isJson = peer._isJson;
        private readonly bool _reflects = peer.Reflects;
        private long _expected = peer._messagesReceived > 0 ? peer._expectedSequence : Unknown;
        private long _messages;
        private long _bytes;

        private const long Unknown = -1;

        public bool Receive(ReadOnlySpan<byte> message)
        {
            if (_isJson)
                return ReceiveJson(message);
            if (!RawMessage.TryRead(message, out long sequence, out long stampNanos))
                return peer.Reject($"a message of {message.Length} bytes is no message of this tool");
            return ReceiveOne(sequence, stampNanos, message.Length) && (!_reflects || peer.SendBack(message));
        }

        public readonly void CountReceived()
        {
            if (_messages == 0)
                return;
            if (!peer._hasSettled)
                peer.Settle(_messages, _bytes);
            peer._expectedSequence = _expected;
            peer._messagesReceived += _messages;
            CounterSet counters = peer.Counters;
            counters.Add(Counter.MessagesReceived, _messages);
            counters.Add(Counter.BytesReceived, _bytes);
            if (!peer.IsFinishing)
                return;
            counters.Add(Counter.DrainedMessages, _messages);
            counters.Add(Counter.DrainedBytes, _bytes);
        }

        private bool ReceiveOne(long sequence, long stampNanos, int bytes)
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

        // One message, or an array of packed ones: [{...},{...}]
        private bool ReceiveJson(ReadOnlySpan<byte> text)
        {
            ReadOnlySpan<byte> rest = JsonMessage.InsideArray(text);
            while (JsonMessage.TryRead(rest, out long sequence, out long stampNanos, out int bytes))
            {
                if (!ReceiveOne(sequence, stampNanos, bytes))
                    return false;
                if (bytes == rest.Length)
                    return !_reflects || peer.SendBack(text);
                rest = rest[bytes] == (byte)',' ? rest[(bytes + 1)..] : default;
            }

            return peer.Reject($"a text of {text.Length} bytes is no message of this tool");
        }
    }
}
