namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    /// <summary>
    /// Opens buffer space for a batch of messages: up to the high-water mark, the free output buffers, or the requested number.
    /// </summary>
    /// <param name="maxBytes">Maximum bytes of one message.</param>
    /// <param name="maxMessages">Maximum messages, 1 or more.</param>
    /// <param name="run">The batch; it has space for one message at least.</param>
    /// <returns>
    /// False when the output buffers are used up. With a compressor, or above the largest body, the batch has one message.
    /// </returns>
    public bool TryBeginBatch(int maxBytes, int maxMessages, out SendBatch run)
    {
        FrameQueue queue = _current;
        int frames = Math.Min(_currentFrameLimit - queue.Frames, maxMessages);
        bool isPlain = (uint)(maxBytes - 1) < (uint)_maxBody && _currentPriority == WritePriority.Medium && _compressor is null;
        if (!isPlain || frames <= 0 || _opened != NothingOpen)
            return TryBeginSingle(maxBytes, out run);

        int frameBytes = FrameLayout.HeaderBytes + maxBytes;
        long untilFlush = _flushAboveBytes - _queuedBytes;
        if (untilFlush < 0)
            untilFlush = _highWaterMark; // exceeded already: the socket accepts no more now
        int runBytes = (int)Math.Min(untilFlush + frameBytes, (long)frames * frameBytes);
        queue.Reserve(runBytes);
        _opened = BatchOpen;
        run = new SendBatch(queue.Array.AsSpan(queue.End, runBytes), maxBytes, frames, FrameLayout.HeaderBytes);
        return true;
    }

    /// <summary>Queues the messages of a batch.</summary>
    /// <returns>True when more than the high-water mark is queued.</returns>
    public bool EndBatch(in SendBatch run)
    {
        if (run.IsSingle)
            return EndSingle(run);
        if (_opened != BatchOpen)
            throw new InvalidOperationException("No run is open.");
        _opened = NothingOpen;
        _current.CommitBatch(run.Bytes, run.Messages, run.BytesBeforeLast);
        _messagesWritten += run.Messages;
        return (_queuedBytes += run.Bytes) > _flushAboveBytes;
    }

    /// <summary>
    /// True when messages encoded for another channel may be sent unchanged: nothing is queued or open, and they fit into one batch.
    /// </summary>
    /// <param name="made">The encoded messages.</param>
    /// <param name="maxBytes">Maximum bytes of one message.</param>
    public bool MaySendMade(in EncodedBatch made, int maxBytes)
    {
        bool isFree = PendingBytes == 0 && _opened == NothingOpen && _currentPriority == WritePriority.Medium;
        bool isPlain = (uint)(maxBytes - 1) < (uint)_maxBody && made.HeadBytes == FrameLayout.HeaderBytes && _compressor is null;
        return isFree && isPlain && made.Messages <= _currentFrameLimit && made.BytesBeforeLast <= _highWaterMark;
    }

    /// <summary>Passes frames to the pipe without copying them; only the bytes that it does not accept are copied.</summary>
    /// <param name="pipe">The pipe.</param>
    /// <param name="made">The encoded messages, for which <see cref="MaySendMade"/> was true.</param>
    /// <returns>As <see cref="Flush(BytePipe)"/>.</returns>
    public PipeStatus SendMade(BytePipe pipe, in EncodedBatch made)
    {
        _messagesWritten += made.Messages;
        _queuedBytes += made.Bytes.Length;
        PipeStatus status = pipe.Send(made.Bytes, out int sent);
        if (sent == made.Bytes.Length)
        {
            _messagesSent += made.Messages;
            _sentBytes += sent;
            UpdateLimits();
            return status;
        }

        _current.Reserve(made.Bytes.Length);
        made.Bytes.CopyTo(_current.Array.AsSpan(_current.End));
        _current.CommitBatch(made.Bytes.Length, made.Messages, made.BytesBeforeLast);
        MarkSent(_current, sent);
        (_committedQueue, _committedBytes) = (_current, pipe.CommittedBytes);
        return status;
    }

    /// <summary>Opens the rest of the open pack as a batch; complete it by <see cref="EndPackBatch"/>.</summary>
    public SendBatch BeginPackBatch(int maxBytes, int maxMessages) =>
        new(_current.Array.AsSpan(_packAt, _packEnd - _packAt), maxBytes, maxMessages, FrameLayout.PackedLengthBytes);

    /// <summary>Adds the messages of a batch to the open pack.</summary>
    public void EndPackBatch(in SendBatch run)
    {
        _packAt += run.Bytes;
        _packMessages += run.Messages;
    }

    private bool TryBeginSingle(int maxBytes, out SendBatch run)
    {
        bool begun = TryBegin(maxBytes, WritePriority.Medium, out Span<byte> room);
        run = begun ? new SendBatch(room, maxBytes, maxMessages: 1, headBytes: 0) : default;
        return begun;
    }

    private bool EndSingle(in SendBatch run)
    {
        if (run.Messages > 0)
            return End(run.Bytes);
        Cancel();
        return false;
    }
}
