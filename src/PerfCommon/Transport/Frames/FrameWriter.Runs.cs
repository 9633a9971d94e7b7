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
