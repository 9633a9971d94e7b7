namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    /// <summary>
    /// Opens room for messages: up to the high-water mark, the output buffers left, or the number asked for; for one message with a
    /// compressor, or above the largest body.
    /// </summary>
    public bool TryBeginRun(int maxBytes, int maxMessages, out MessageRun run)
    {
        FrameQueue queue = _queue;
        int frames = Math.Min(_frameLimit - queue.Frames, maxMessages);
        bool isPlain = (uint)(maxBytes - 1) < (uint)_maxBody && compressor is null;
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

    public bool EndRun(in MessageRun run)
    {
        if (run.IsSingle)
            return EndSingle(run);
        if (_opened != RunOpen)
            throw new InvalidOperationException("No run is open.");
        _opened = NothingOpen;
        _queue.End += run.Bytes;
        _queue.Frames += run.Messages;
        _messagesWritten += run.Messages;
        return (_queuedBytes += run.Bytes) > _flushAboveBytes;
    }

    /// <summary>Opens what is left of the open pack as a run; hand it back by <see cref="EndPackRun"/>.</summary>
    public MessageRun BeginPackRun(int maxBytes, int maxMessages) =>
        new(_queue.Array.AsSpan(_packAt, _packEnd - _packAt), maxBytes, maxMessages, FrameLayout.PackedLengthBytes);

    public void EndPackRun(in MessageRun run)
    {
        _packAt += run.Bytes;
        _packMessages += run.Messages;
    }

    private bool TryBeginSingle(int maxBytes, out MessageRun run)
    {
        bool begun = TryBegin(maxBytes, out Span<byte> room);
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
