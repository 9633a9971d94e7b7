using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Queues messages on one channel, each in a buffer of its own or several packed into one.</summary>
/// <remarks>
/// Begin, encode, end; one message at a time. A pack stays open within a burst and is written when it is full, when
/// <see cref="EndBurst"/> says that no more come now, or before a message that needs a plain buffer. One owner thread.
/// </remarks>
/// <param name="channel">An active channel.</param>
/// <param name="maxPackCount">Most messages in one buffer; 1 does not pack.</param>
/// <param name="packBufferBytes">Size of a packed buffer, the 2-byte length of each message included; at most M of the channel.</param>
internal sealed class MessageOutput(RsslChannel channel, int maxPackCount, int packBufferBytes)
{
    private const int PackedLengthBytes = 2;

    private int _packed;
    private bool _inPack;
    private long _messages;
    private long _buffers;

    /// <summary>What was queued and what of it went out, by kind.</summary>
    public SendLedger Ledger { get; } = new();

    /// <summary>Messages written since the last call.</summary>
    public long TakeMessageCount() => Take(ref _messages);

    /// <summary>Buffers written since the last call.</summary>
    public long TakeBufferCount() => Take(ref _buffers);

    /// <summary>Opens room for one message; <see cref="End"/> or <see cref="Cancel"/> must follow a true.</summary>
    /// <param name="maxBytes">The most it may take.</param>
    /// <param name="room">At least that much; the message is encoded here.</param>
    /// <returns>False while no output buffer is free, or when the channel is over.</returns>
    public bool TryBegin(int maxBytes, out Span<byte> room)
    {
        if (maxPackCount > 1 && maxBytes + PackedLengthBytes <= packBufferBytes)
            return TryBeginPacked(maxBytes, out room);
        EndBurst();
        return channel.TryBeginMessage(maxBytes, out room) || (TryFreeBuffers() && channel.TryBeginMessage(maxBytes, out room));
    }

    /// <summary>Queues the message that was encoded into the room.</summary>
    /// <param name="bytes">Its length.</param>
    /// <param name="kind">What it counts as.</param>
    public void End(int bytes, MessageKind kind)
    {
        Ledger.Note(kind, 1);
        _messages++;
        if (!_inPack)
        {
            _buffers++;
            channel.EndMessage(bytes);
            return;
        }

        channel.EndPackedMessage(bytes);
        if (++_packed == maxPackCount)
            EndBurst();
    }

    /// <summary>Gives the room back unused.</summary>
    public void Cancel()
    {
        if (_inPack)
            return; // beginning again gives a packed message's room back
        channel.CancelMessage();
    }

    /// <summary>Writes what is packed: no message waits for the next burst.</summary>
    public void EndBurst()
    {
        if (!_inPack)
            return;
        _inPack = false;
        if (_packed > 0)
            _buffers++;
        _packed = 0;
        channel.EndPack();
    }

    // Used up does not mean that the socket takes no more: with few buffers they fill before anything was flushed.
    private bool TryFreeBuffers()
    {
        if (channel.IsBlocked)
            return false;
        channel.Flush();
        return true; // also when the socket took only a part: that part's buffers are free
    }

    private static long Take(ref long count)
    {
        long taken = count;
        count = 0;
        return taken;
    }

    private bool TryBeginPacked(int maxBytes, out Span<byte> room)
    {
        if (_inPack && channel.PackRoom < maxBytes + PackedLengthBytes)
            EndBurst();
        if (!_inPack)
        {
            if (!channel.TryBeginPack(packBufferBytes) && !(TryFreeBuffers() && channel.TryBeginPack(packBufferBytes)))
            {
                room = default;
                return false;
            }

            _inPack = true;
            _packed = 0;
        }

        return channel.TryBeginPackedMessage(maxBytes, out room);
    }
}
