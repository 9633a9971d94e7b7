using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Queues messages on one channel, each in its own buffer or several packed into one.</summary>
/// <remarks>
/// Accepts a batch at a time, or one message; on an active channel. A pack stays open within a burst and is written when it is full,
/// when <see cref="EndBurst"/> ends the burst, or before a message that needs a plain buffer. One owner thread.
/// </remarks>
/// <param name="channel">The channel that sends them.</param>
/// <param name="packing">How messages share buffers.</param>
/// <param name="counters">Counters of the connection.</param>
internal sealed class MessageOutput(RsslChannel channel, Packing packing, CounterSet counters)
{
    private int _packed;
    private bool _inPack;
    private bool _batchInPack;

    /// <summary>Counters of the connection.</summary>
    public CounterSet Counters => counters;

    /// <summary>The clock by which messages are stamped.</summary>
    public TimeSource Time { get; } = channel.Time;

    /// <summary>Messages queued and sent, by kind.</summary>
    public SendLedger Ledger { get; } = new();

    /// <summary>True once no queued message is sent any more.</summary>
    public bool HasFailedSending => channel.HasFailedSending;

    public long Messages { get; private set; }

    public long Buffers { get; private set; }

    /// <summary>Opens buffer space for a batch of messages; <see cref="EndBatch"/> must follow a true.</summary>
    /// <param name="maxBytes">Maximum bytes of one message.</param>
    /// <param name="maxMessages">1 or more.</param>
    /// <param name="run">The batch, with space for at least one message.</param>
    /// <returns>False while no output buffer is free, or when the channel is closed.</returns>
    public bool TryBeginBatch(int maxBytes, int maxMessages, out SendBatch run)
    {
        _batchInPack = packing.Holds(maxBytes);
        if (_batchInPack)
            return TryBeginPackBatch(maxBytes, maxMessages, out run);
        EndBurst();
        return channel.TryBeginBatch(maxBytes, maxMessages, out run)
            || (TryFreeBuffers() && channel.TryBeginBatch(maxBytes, maxMessages, out run));
    }

    /// <summary>Sends a batch that was encoded for another channel at once and unchanged.</summary>
    /// <param name="made">The encoded batch.</param>
    /// <param name="maxBytes">Maximum bytes of one message.</param>
    /// <param name="kind">Kind as which they are counted.</param>
    /// <returns>False, with nothing done, where that channel has other settings, or messages wait here.</returns>
    public bool TrySendMade(in EncodedBatch made, int maxBytes, MessageKind kind)
    {
        if (packing.Holds(maxBytes) || _inPack || !channel.MaySendMade(made, maxBytes))
            return false;
        Record(kind, made.Messages);
        Buffers += made.Messages;
        channel.SendMade(made);
        return true;
    }

    public void EndBatch(in SendBatch run, MessageKind kind)
    {
        Record(kind, run.Messages);
        if (!_batchInPack)
        {
            Buffers += run.Messages;
            channel.EndBatch(run);
            return;
        }

        channel.EndPackBatch(run);
        if ((_packed += run.Messages) == packing.MaxCount)
            EndBurst();
    }

    /// <summary>Opens buffer space for one message; <see cref="End"/> or <see cref="Cancel"/> must follow a true.</summary>
    /// <param name="maxBytes">Maximum bytes of the message.</param>
    /// <param name="room">The space, at least that large.</param>
    /// <returns>False while no output buffer is free, or when the channel is closed.</returns>
    public bool TryBegin(int maxBytes, out Span<byte> room)
    {
        if (packing.Holds(maxBytes))
        {
            room = default;
            return TryOpenPack(maxBytes) && channel.TryBeginPackedMessage(maxBytes, out room);
        }

        EndBurst();
        return channel.TryBeginMessage(maxBytes, out room) || (TryFreeBuffers() && channel.TryBeginMessage(maxBytes, out room));
    }

    /// <summary>Queues the message that was encoded into the buffer.</summary>
    public void End(int bytes, MessageKind kind)
    {
        Record(kind, 1);
        if (!_inPack)
        {
            Buffers++;
            channel.EndMessage(bytes);
            return;
        }

        channel.EndPackedMessage(bytes);
        if (++_packed == packing.MaxCount)
            EndBurst();
    }

    /// <summary>Releases the buffer unused.</summary>
    public void Cancel()
    {
        if (_inPack)
            return; // the next begin reuses a packed message's space
        channel.CancelMessage();
    }

    /// <summary>Queues one complete message.</summary>
    /// <returns>False while no output buffer is free, or when the channel is closed.</returns>
    public bool TrySend(ReadOnlySpan<byte> message, MessageKind kind)
    {
        if (!TryBegin(message.Length, out Span<byte> room))
            return false;
        message.CopyTo(room);
        End(message.Length, kind);
        return true;
    }

    /// <summary>Writes the open pack, so that no message waits for the next burst.</summary>
    public void EndBurst()
    {
        if (!_inPack)
            return;
        _inPack = false;
        if (_packed > 0)
            Buffers++;
        channel.EndPack();
    }

    private bool TryBeginPackBatch(int maxBytes, int maxMessages, out SendBatch run)
    {
        run = default;
        if (!TryOpenPack(maxBytes))
            return false;
        run = channel.BeginPackBatch(maxBytes, Math.Min(maxMessages, packing.MaxCount - _packed));
        return true;
    }

    // Opens a pack with space for one more message.
    private bool TryOpenPack(int maxBytes)
    {
        if (_inPack && channel.PackRoom < maxBytes)
            EndBurst();
        if (_inPack)
            return true;
        if (!channel.TryBeginPack(packing.BufferBytes) && !(TryFreeBuffers() && channel.TryBeginPack(packing.BufferBytes)))
            return false;
        _inPack = true;
        _packed = 0;
        return true;
    }

    private void Record(MessageKind kind, int messages)
    {
        Ledger.Record(kind, messages);
        Messages += messages;
    }

    // With all buffers in use the socket may still accept more: if there are few, they fill before anything was flushed.
    private bool TryFreeBuffers()
    {
        if (channel.IsBlocked)
            return false;
        channel.Flush();
        return true; // also when the socket accepted only a part: that part's buffers are free
    }
}
