namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    /// <summary>
    /// Opens room for messages of equal rights: up to the high-water mark, the output buffers left, or the number asked for.
    /// </summary>
    /// <param name="maxBytes">Most bytes of one message.</param>
    /// <param name="maxMessages">Most messages, 1 or more.</param>
    /// <param name="run">The run; it has room for one message at least.</param>
    /// <returns>
    /// False when the output buffers are used up. With a compressor, or above the largest body, the run is of one message.
    /// </returns>
    public bool TryBeginRun(int maxBytes, int maxMessages, out MessageRun run)
    {
        FrameQueue queue = _current;
        int frames = Math.Min(_currentFrameLimit - queue.Frames, maxMessages);
        bool isPlain = (uint)(maxBytes - 1) < (uint)_maxBody && _currentPriority == WritePriority.Medium && _compressor is null;
        if (!isPlain || frames <= 0 || _opened != NothingOpen)
            return TryBeginSingle(maxBytes, out run);

        int frameBytes = FrameLayout.HeaderBytes + maxBytes;
        long untilFlush = _flushAboveBytes - _queuedBytes;
        if (untilFlush < 0)
            untilFlush = _highWaterMark; // passed already: the socket takes no more now
        int runBytes = (int)Math.Min(untilFlush + frameBytes, (long)frames * frameBytes);
        queue.Reserve(runBytes);
        _opened = RunOpen;
        run = new MessageRun(queue.Array.AsSpan(queue.End, runBytes), maxBytes, frames, FrameLayout.HeaderBytes);
        return true;
    }

    /// <summary>Queues the messages of a run.</summary>
    /// <returns>True when more than the high-water mark is queued.</returns>
    public bool EndRun(in MessageRun run)
    {
        if (run.IsSingle)
            return EndSingle(run);
        if (_opened != RunOpen)
            throw new InvalidOperationException("No run is open.");
        _opened = NothingOpen;
        _current.CommitRun(run.Bytes, run.Messages, run.BytesBeforeLast);
        _messagesWritten += run.Messages;
        return (_queuedBytes += run.Bytes) > _flushAboveBytes;
    }

    /// <summary>
    /// True when messages that were made elsewhere may go out as they are: nothing waits, nothing is open, and a run would take them all.
    /// </summary>
    /// <param name="made">They.</param>
    /// <param name="maxBytes">Most bytes of one message.</param>
    public bool MaySendMade(in MadeRun made, int maxBytes)
    {
        bool isFree = PendingBytes == 0 && _opened == NothingOpen && _currentPriority == WritePriority.Medium;
        bool isPlain = (uint)(maxBytes - 1) < (uint)_maxBody && made.HeadBytes == FrameLayout.HeaderBytes && _compressor is null;
        return isFree && isPlain && made.Messages <= _currentFrameLimit && made.BytesBeforeLast <= _highWaterMark;
    }

    /// <summary>Hands frames to the pipe that are not copied but for what it does not take.</summary>
    /// <param name="pipe">The pipe.</param>
    /// <param name="made">They; <see cref="MaySendMade"/> was true.</param>
    /// <returns>As <see cref="Flush(BytePipe)"/>.</returns>
    public PipeStatus SendMade(BytePipe pipe, in MadeRun made)
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
        _current.CommitRun(made.Bytes.Length, made.Messages, made.BytesBeforeLast);
        MarkSent(_current, sent);
        (_committedQueue, _committedBytes) = (_current, pipe.CommittedBytes);
        return status;
    }

    /// <summary>Opens what is left of the open pack as a run; hand it back by <see cref="EndPackRun"/>.</summary>
    public MessageRun BeginPackRun(int maxBytes, int maxMessages) =>
        new(_current.Array.AsSpan(_packAt, _packEnd - _packAt), maxBytes, maxMessages, FrameLayout.PackedLengthBytes);

    /// <summary>Adds the messages of a run to the open pack.</summary>
    public void EndPackRun(in MessageRun run)
    {
        _packAt += run.Bytes;
        _packMessages += run.Messages;
    }

    private bool TryBeginSingle(int maxBytes, out MessageRun run)
    {
        bool begun = TryBegin(maxBytes, WritePriority.Medium, out Span<byte> room);
        run = begun ? new MessageRun(room, maxBytes, maxMessages: 1, headBytes: 0) : default;
        return begun;
    }

    private bool EndSingle(in MessageRun run)
    {
        if (run.Messages > 0)
            return End(run.Bytes);
        Cancel();
        return false;
    }
}
