using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Queues messages on one channel, each in a buffer of its own or several packed into one.</summary>
/// <remarks>
/// A run at a time, or one message at a time; on an active channel. A pack stays open within a burst and is written when it is full,
/// when <see cref="EndBurst"/> says that no more come now, or before a message that needs a plain buffer. One owner thread.
/// </remarks>
/// <param name="channel">Where they go.</param>
/// <param name="packing">How they share buffers.</param>
/// <param name="counters">Those of the connection.</param>
internal sealed class MessageOutput(RsslChannel channel, Packing packing, CounterSet counters)
{
    private int _packed;
    private bool _inPack;
    private bool _runInPack;

    /// <summary>What the connection counts.</summary>
    public CounterSet Counters => counters;

    /// <summary>The time by which messages are stamped.</summary>
    public TimeSource Time { get; } = channel.Time;

    /// <summary>What was queued and what of it went out, by kind.</summary>
    public SendLedger Ledger { get; } = new();

    /// <summary>True once nothing that is queued goes out any more.</summary>
    public bool HasFailedSending => channel.HasFailedSending;

    public long Messages { get; private set; }

    public long Buffers { get; private set; }

    /// <summary>Opens room for a run of messages; <see cref="EndRun"/> must follow a true.</summary>
    /// <param name="maxBytes">Most bytes of one message.</param>
    /// <param name="maxMessages">1 or more.</param>
    /// <param name="run">It has room for one message at least.</param>
    /// <returns>False while no output buffer is free, or when the channel is over.</returns>
    public bool TryBeginRun(int maxBytes, int maxMessages, out MessageRun run)
    {
        _runInPack = packing.Holds(maxBytes);
        if (_runInPack)
            return TryBeginPackRun(maxBytes, maxMessages, out run);
        EndBurst();
        return channel.TryBeginRun(maxBytes, maxMessages, out run)
            || (TryFreeBuffers() && channel.TryBeginRun(maxBytes, maxMessages, out run));
    }

    /// <summary>Sends messages at once that were made for another channel, as they are.</summary>
    /// <param name="made">They, as they stood there.</param>
    /// <param name="maxBytes">Most bytes of one message.</param>
    /// <param name="kind">As what they are counted.</param>
    /// <returns>False, with nothing done, where that channel has another shape, or something waits here.</returns>
    public bool TrySendMade(in MadeRun made, int maxBytes, MessageKind kind)
    {
        if (packing.Holds(maxBytes) || _inPack || !channel.MaySendMade(made, maxBytes))
            return false;
        Note(kind, made.Messages);
        Buffers += made.Messages;
        channel.SendMade(made);
        return true;
    }

    public void EndRun(in MessageRun run, MessageKind kind)
    {
        Note(kind, run.Messages);
        if (!_runInPack)
        {
            Buffers += run.Messages;
            channel.EndRun(run);
            return;
        }

        channel.EndPackRun(run);
        if ((_packed += run.Messages) == packing.MaxCount)
            EndBurst();
    }

    /// <summary>Opens room for one message; <see cref="End"/> or <see cref="Cancel"/> must follow a true.</summary>
    /// <param name="maxBytes">The most it may take.</param>
    /// <param name="room">At least that much.</param>
    /// <returns>False while no output buffer is free, or when the channel is over.</returns>
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

    /// <summary>Queues the message that was encoded into the room.</summary>
    public void End(int bytes, MessageKind kind)
    {
        Note(kind, 1);
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

    /// <summary>Gives the room back unused.</summary>
    public void Cancel()
    {
        if (_inPack)
            return; // beginning again gives a packed message's room back
        channel.CancelMessage();
    }

    /// <summary>Queues one whole message.</summary>
    /// <returns>False while no output buffer is free, or when the channel is over.</returns>
    public bool TrySend(ReadOnlySpan<byte> message, MessageKind kind)
    {
        if (!TryBegin(message.Length, out Span<byte> room))
            return false;
        message.CopyTo(room);
        End(message.Length, kind);
        return true;
    }

    /// <summary>Writes what is packed: no message waits for the next burst.</summary>
    public void EndBurst()
    {
        if (!_inPack)
            return;
        _inPack = false;
        if (_packed > 0)
            Buffers++;
        _packed = 0;
        channel.EndPack();
    }

    private bool TryBeginPackRun(int maxBytes, int maxMessages, out MessageRun run)
    {
        run = default;
        if (!TryOpenPack(maxBytes))
            return false;
        run = channel.BeginPackRun(maxBytes, Math.Min(maxMessages, packing.MaxCount - _packed));
        return true;
    }

    // A pack with room for one more message.
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

    private void Note(MessageKind kind, int messages)
    {
        Ledger.Note(kind, messages);
        Messages += messages;
    }

    // Used up does not mean that the socket takes no more: with few buffers they fill before anything was flushed.
    private bool TryFreeBuffers()
    {
        if (channel.IsBlocked)
            return false;
        channel.Flush();
        return true; // also when the socket took only a part: that part's buffers are free
    }
}
