namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    private bool _isBlocked; // the socket did not accept everything: the waiter waits until it is writable
    private string? _sendFailure;
    private long _addedByHandshake;

    /// <summary>
    /// Bytes on the wire of all frames of the messages written, headers included, queued ones too, pings not. Any thread.
    /// </summary>
    /// <remarks>The bytes that WebSocket adds to a message are counted once it leaves the queue.</remarks>
    public long BytesWritten => _writer is { } writer ? writer.BytesWritten + _pipe!.AddedBytes - _addedByHandshake : 0;

    /// <summary>Messages written, queued ones included. Any thread.</summary>
    public long MessagesWritten => _writer?.MessagesWritten ?? 0;

    /// <summary>Messages whose last byte the socket has accepted. Any thread.</summary>
    public long MessagesSent => _writer?.MessagesSent ?? 0;

    /// <summary>Frames that wait for the socket. Any thread.</summary>
    public int OutputBuffersInUse => _writer?.FramesInUse ?? 0;

    /// <summary>Maximum frames that may wait for the socket.</summary>
    public int OutputBufferLimit => _writer?.MaxFrames ?? _options.OutputBufferLimit;

    /// <summary>Settings that may be changed while the channel is open.</summary>
    /// <exception cref="InvalidOperationException">Before the handshake is complete.</exception>
    public ChannelSettings Settings => new(Writer, _compressor, _pipe!);

    /// <summary>Bytes that wait for the socket. Any thread.</summary>
    public int BytesQueued => _writer?.PendingBytes ?? 0;

    /// <summary>Bytes of the arrays of the layers; 0 while no bytes are in transit, except for TLS.</summary>
    internal int LayerBytesHeld => _pipe?.HeldBytes ?? 0;

    internal bool IsBlocked => _isBlocked;

    private FrameWriter Writer => _writer ?? throw new InvalidOperationException("The channel is not active.");

    /// <summary>
    /// Opens buffer space for one message; follow with <see cref="EndMessage"/> or <see cref="CancelMessage"/>, with no other call of this
    /// channel in between.
    /// </summary>
    /// <param name="maxBytes">Maximum bytes of the message, 1 or more. A message longer than M is fragmented, at the cost of a copy.</param>
    /// <param name="room">Buffer of exactly that length.</param>
    /// <param name="priority">The queue of the message.</param>
    /// <returns>False when the output buffers are used up (flush, or wait until writable), or the channel accepts no more writes.</returns>
    public bool TryBeginMessage(int maxBytes, out Span<byte> room, WritePriority priority = WritePriority.Medium)
    {
        if (_writer is not null)
            return _writer.TryBegin(maxBytes, priority, out room);
        room = default;
        return false;
    }

    /// <summary>
    /// Queues the message, of 1 byte to the requested size; flushes when the high-water mark is passed, over TLS only whole
    /// records.
    /// </summary>
    public void EndMessage(int bytes)
    {
        if (Writer.End(bytes))
            FlushUnlessBlocked();
    }

    /// <summary>
    /// Opens buffer space for a batch of messages; follow with <see cref="EndBatch(in SendBatch)"/>, with no other call of this channel in
    /// between.
    /// </summary>
    /// <returns>True with a batch that has space for one message at least; false as with <see cref="TryBeginMessage"/>.</returns>
    internal bool TryBeginBatch(int maxBytes, int maxMessages, out SendBatch run)
    {
        if (_writer is not null)
            return _writer.TryBeginBatch(maxBytes, maxMessages, out run);
        run = default;
        return false;
    }

    internal void EndBatch(in SendBatch run)
    {
        if (Writer.EndBatch(run))
            FlushUnlessBlocked();
    }

    /// <summary>
    /// True when messages that were encoded for another channel may be sent at once and unchanged: nothing is queued or open here, and
    /// they would be encoded alike for this channel.
    /// </summary>
    internal bool MaySendMade(in EncodedBatch made, int maxBytes) =>
        State == ChannelState.Active && !_isBlocked && _writer!.MaySendMade(made, maxBytes);

    /// <summary>Sends such messages; those that the socket does not accept now are queued.</summary>
    internal void SendMade(in EncodedBatch made) => RecordFlush(_writer!.SendMade(_pipe!, made));

    /// <summary>Opens the rest of the open pack for a batch of messages.</summary>
    internal SendBatch BeginPackBatch(int maxBytes, int maxMessages) => Writer.BeginPackBatch(maxBytes, maxMessages);

    internal void EndPackBatch(in SendBatch run) => Writer.EndPackBatch(run);

    /// <summary>Releases the buffer of an open message or pack; nothing is sent.</summary>
    public void CancelMessage() => _writer?.Cancel();

    /// <summary>Opens a packed frame for several messages.</summary>
    /// <param name="packBytes">Maximum bytes of all messages with 2 bytes of length each, 3 to M.</param>
    /// <param name="priority">The queue of the pack.</param>
    /// <returns>False as with <see cref="TryBeginMessage"/>.</returns>
    public bool TryBeginPack(int packBytes, WritePriority priority = WritePriority.Medium) =>
        _writer is not null && _writer.TryBeginPack(packBytes, priority);

    /// <summary>Maximum bytes of the next message of the open pack; 0 when it is full or none is open.</summary>
    public int PackRoom => _writer?.PackRoom ?? 0;

    /// <summary>
    /// Opens buffer space for one message in the open pack; follow with <see cref="EndPackedMessage"/>, or begin again to release it.
    /// </summary>
    /// <param name="maxBytes">Maximum bytes of the message.</param>
    /// <param name="room">Buffer of exactly that length.</param>
    /// <returns>False when <paramref name="maxBytes"/> is more than <see cref="PackRoom"/>.</returns>
    public bool TryBeginPackedMessage(int maxBytes, out Span<byte> room) => Writer.TryBeginPacked(maxBytes, out room);

    /// <summary>Adds the message, of 1 byte to the requested size, to the pack.</summary>
    public void EndPackedMessage(int bytes) => Writer.EndPacked(bytes);

    /// <summary>
    /// Queues the pack; one without a message is discarded. Flushes when the high-water mark is passed. Without effect once the channel
    /// accepts no more writes: the pack's messages were queued at that time if our stream was still to end, and are lost with the channel
    /// otherwise.
    /// </summary>
    public void EndPack()
    {
        if (Writer.EndPack())
            FlushUnlessBlocked();
    }

    /// <summary>Shows the peer that we are alive: passes queued bytes to the system, or sends a ping when none are queued.</summary>
    public void SendPing()
    {
        if (State != ChannelState.Active || SendingFinished)
            return;
        _writer!.AddPing(); // wire/transport 6
        Flush();
    }

    /// <summary>Passes queued bytes to the system, in flush order; never waits.</summary>
    /// <returns>True when nothing is left. False: the rest is kept, and the poller's wait sends it when the socket is writable.</returns>
    public bool Flush() =>
        _writer is null || State is not (ChannelState.Active or ChannelState.Closing) || RecordFlush(_writer.Flush(_pipe!));

    private bool RecordFlush(PipeStatus status)
    {
        switch (status)
        {
            case PipeStatus.Wait:
                SetBlocked(true);
                return false;
            case PipeStatus.Ready:
                if (_ending != Ending.None && BytesQueued == 0)
                    EndOurStream();
                FlushLayers();
                return true;
            default:
                FailSending();
                return true;
        }
    }

    private void FlushUnlessBlocked()
    {
        if (!_isBlocked && State == ChannelState.Active)
            RecordFlush(Writer.FlushRecords(_pipe!));
    }

    /// <summary>Sends bytes of the layers themselves: pongs, the closing messages of TLS and WebSocket.</summary>
    private void FlushLayers()
    {
        if (State == ChannelState.Closed)
            return;
        bool hasUnsent = _pipe!.HasUnsent;
        if (hasUnsent && _pipe.Send([], out _) == PipeStatus.Failed)
            FailSending();
        else
            SetBlocked(hasUnsent && _pipe.HasUnsent);
    }

    private void SetBlocked(bool isBlocked)
    {
        if (_isBlocked == isBlocked)
            return;
        _isBlocked = isBlocked;
        UpdateInterest();
    }
}
