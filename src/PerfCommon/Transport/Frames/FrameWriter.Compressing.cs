namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    /// <summary>Queues the frame whose body stands at the end of the queue, compressed where it helps.</summary>
    private void CommitBody(int headerBytes, int bodyBytes, byte flags, int messages)
    {
        int compressedBytes = compressor is null || bodyBytes < compressor.Threshold ? 0 : Compress(headerBytes, bodyBytes);
        if (compressedBytes > 0)
        {
            flags = (byte)(flags & ~FrameLayout.DataFlag | FrameLayout.CompressedFlag);
            bodyBytes = compressedBytes;
        }
        Commit(headerBytes + bodyBytes, flags, messages);
    }

    private int Compress(int headerBytes, int bodyBytes)
    {
        byte[] scratch = _pool.Rent(_maxFrame);
        Span<byte> body = _queue.Array.AsSpan(_queue.End + headerBytes);
        int compressedBytes = compressor!.Compress(body[..bodyBytes], scratch.AsSpan(0, _maxFrame - headerBytes));
        if (compressedBytes > bodyBytes)
        {
            _queue.Reserve(headerBytes + compressedBytes, openBytes: headerBytes);
            body = _queue.Array.AsSpan(_queue.End + headerBytes);
        }
        scratch.AsSpan(0, compressedBytes).CopyTo(body);
        _pool.Return(scratch);
        return compressedBytes;
    }
}
