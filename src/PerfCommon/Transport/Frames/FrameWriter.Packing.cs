using System.Buffers.Binary;

namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    private int _packAt;
    private int _packEnd; // 0 while no pack is open
    private int _packMessages;
    private int _packMessageBytes;

    /// <summary>Maximum bytes of the next message of the pack.</summary>
    public int PackRoom => Math.Max(0, _packEnd - _packAt - FrameLayout.PackedLengthBytes);

    /// <summary>Opens a pack.</summary>
    public bool TryBeginPack(int packBytes, WritePriority priority)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(packBytes, FrameLayout.PackedLengthBytes + 1);
        // wire/transport 3
        ArgumentOutOfRangeException.ThrowIfGreaterThan(packBytes, _maxBody);
        ThrowIfOpen();
        if (!TryGetBuffers(1))
            return false;
        Choose(priority);
        _current.Reserve(FrameLayout.HeaderBytes + packBytes);
        _opened = PackOpen;
        _packAt = _current.End + FrameLayout.HeaderBytes;
        _packEnd = _packAt + packBytes;
        _packMessages = 0;
        _packMessageBytes = 0;
        return true;
    }

    /// <summary>Opens buffer space for one message of the pack.</summary>
    public bool TryBeginPacked(int maxBytes, out Span<byte> room)
    {
        int at = _packAt + FrameLayout.PackedLengthBytes;
        if (maxBytes > 0 && maxBytes <= _packEnd - at)
        {
            _packMessageBytes = maxBytes;
            room = _current.Array.AsSpan(at, maxBytes);
            return true;
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(maxBytes, 1);
        room = default;
        return false;
    }

    /// <summary>Adds the message.</summary>
    public void EndPacked(int bytes) // wire/transport 3
    {
        if ((uint)(bytes - 1) >= (uint)_packMessageBytes)
            ThrowNotPacked(bytes);
        BinaryPrimitives.WriteUInt16BigEndian(_current.Array.AsSpan(_packAt), (ushort)bytes);
        _packAt += FrameLayout.PackedLengthBytes + bytes;
        _packMessages++;
        _packMessageBytes = 0;
    }

    /// <summary>Queues the pack, unless the end of the channel has closed it meanwhile.</summary>
    /// <returns>True when more than the high-water mark is queued.</returns>
    public bool EndPack()
    {
        if (_opened != PackOpen)
            return _isStopped ? false : throw new InvalidOperationException("No pack is open.");
        ClosePack();
        if (_packMessages == 0)
            return false;
        int bodyBytes = _packAt - _current.End - FrameLayout.HeaderBytes;
        int frameBytes = CompressInPlace(_current, FrameLayout.HeaderBytes, bodyBytes, FrameLayout.DataFlag | FrameLayout.PackedFlag);
        Commit(_current, frameBytes, _packMessages);
        _messagesWritten += _packMessages;
        return _queuedBytes > _flushAboveBytes;
    }

    private void ClosePack()
    {
        _opened = NothingOpen;
        _packEnd = 0;
        _packMessageBytes = 0;
    }

    private void ThrowNotPacked(int bytes)
    {
        if (_packMessageBytes == 0)
            throw new InvalidOperationException("No packed message is open.");
        throw new ArgumentOutOfRangeException(nameof(bytes), bytes, "A packed message must have 1 byte to the requested size.");
    }
}
