namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    private WritePriority? _compressedPriority;

    /// <summary>
    /// Writes the header of the frame at the end of the queue and compresses its body in place, when there is a compressor and it saves
    /// bytes.
    /// </summary>
    /// <param name="queue">The queue.</param>
    /// <param name="headerBytes">Bytes before the body; those after the first three are kept.</param>
    /// <param name="bodyBytes">Bytes of the body.</param>
    /// <param name="flags">Flags of the frame with <see cref="FrameLayout.DataFlag"/>.</param>
    /// <returns>Bytes of the frame.</returns>
    private int CompressInPlace(FrameQueue queue, int headerBytes, int bodyBytes, byte flags)
    {
        // wire/transport 5.1
        int compressedBytes = _compressor is null || bodyBytes < _compressor.Threshold ? 0 : TryCompress(queue, headerBytes, bodyBytes);
        if (compressedBytes > 0)
        {
            // Bytes count before they shrink: a burst that compresses well would otherwise be queued here until its end.
            _flushAboveBytes -= bodyBytes - compressedBytes;
            flags = (byte)(flags & ~FrameLayout.DataFlag | FrameLayout.CompressedFlag);
            bodyBytes = compressedBytes;
        }

        WriteHeader(queue, headerBytes + bodyBytes, flags);
        return headerBytes + bodyBytes;
    }

    private int TryCompress(FrameQueue queue, int headerBytes, int bodyBytes)
    {
        // wire/transport 5.1
        _compressedPriority ??= _currentPriority;
        if (_compressedPriority != _currentPriority)
            return 0;

        byte[] scratch = _pool.Rent(_maxFrame);
        Span<byte> body = queue.Array.AsSpan(queue.End + headerBytes);
        int compressedBytes = _compressor!.Compress(body[..bodyBytes], scratch.AsSpan(0, _maxFrame - headerBytes));
        if (compressedBytes > bodyBytes)
        {
            queue.Reserve(headerBytes + compressedBytes, openBytes: headerBytes);
            body = queue.Array.AsSpan(queue.End + headerBytes);
        }

        scratch.AsSpan(0, compressedBytes).CopyTo(body);
        _pool.Return(scratch);
        return compressedBytes;
    }
}
