using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>
/// Queues whole frames for the socket, contiguous in segments, first in first out; a segment is returned to the pool when it is sent.
/// </summary>
/// <remarks>
/// A frame never spans two segments. Most frames hold one message; only the others have an entry in the list of exceptions, so that a
/// plain write stores nothing but its bytes.
/// </remarks>
internal sealed class FrameQueue(BufferPool pool)
{
    private const int MinStartBytes = 2 * 1024;
    private const int MaxStartBytes = 128 * 1024;
    private const int SegmentBytes = 256 * 1024;
    private const int Growth = 4;
    private const int SpareShare = 8;
    private const int Unknown = -1;

    private readonly Queue<(byte[] Array, int End)> _full = new(); // segments before the current one
    private readonly Queue<(long Frame, int Messages)> _exceptions = new();
    private long _fullBytes;
    private long _headFrame;
    // of the first segment: the usual queue length, so that thousands of connections with short queues use little memory
    private int _startBytes = MinStartBytes;
    private int _headAt; // in the oldest segment: the first frame that is not completely sent
    private int _sendAt; // there: the first byte not sent
    private int _lastAt; // in the current segment: the last frame of the last batch
    private int _lastEnd = Unknown; // that frame's end, while nothing else has been added or moved

    /// <summary>The current segment; empty while nothing is queued.</summary>
    public byte[] Array = [];

    /// <summary>Offset of the end of its last frame.</summary>
    public int End;

    /// <summary>Number of frames that are not completely sent.</summary>
    public int Frames;

    public long Bytes => _fullBytes + End - _sendAt;

    /// <summary>True when the first frame is partly sent.</summary>
    public bool HeadIsCut => _sendAt > _headAt;

    /// <summary>The oldest bytes, as far as they are contiguous.</summary>
    public ReadOnlySpan<byte> Unsent
    {
        get
        {
            ReleaseSentSegments();
            (byte[] array, int end) = Head;
            return array.AsSpan(_sendAt, end - _sendAt);
        }
    }

    private (byte[] Array, int End) Head => _full.TryPeek(out (byte[] Array, int End) oldest) ? oldest : (Array, End);

    /// <summary>Reserves space after the last frame; in another segment where this one has too little.</summary>
    /// <param name="bytes">Bytes that must fit after the last frame.</param>
    /// <param name="openBytes">Those of them that are written already and must be moved along.</param>
    public void Reserve(int bytes, int openBytes = 0)
    {
        if (Array.Length - End >= bytes)
            return;
        if (Bytes > 0 && Array.Length < MaxStartBytes)
        {
            GrowFirst(bytes, openBytes);
            return;
        }

        byte[] next = pool.Rent(Math.Max(Bytes == 0 ? _startBytes : SegmentBytes, bytes));
        Array.AsSpan(End, openBytes).CopyTo(next);
        if (Bytes == 0)
        {
            pool.Return(Array);
            (_sendAt, _headAt) = (0, 0);
        }
        else
        {
            _full.Enqueue((Array, End));
            _fullBytes += End;
        }

        (Array, End, _lastEnd) = (next, 0, Unknown);
    }

    /// <summary>Adds the frames of a batch, one message each, that were written at the end.</summary>
    public void CommitBatch(int bytes, int frames, int bytesBeforeLast)
    {
        _lastAt = End + bytesBeforeLast;
        End += bytes;
        Frames += frames;
        _lastEnd = frames > 0 ? End : Unknown;
    }

    /// <summary>Adds the frame that was written at the end and holds more or less than one message.</summary>
    public void CommitSpecial(int bytes, int messages)
    {
        _exceptions.Enqueue((_headFrame + Frames, messages));
        End += bytes;
        Frames++;
    }

    /// <summary>Adds a copy of a frame, or of the rest of one.</summary>
    /// <param name="frame">The whole frame.</param>
    /// <param name="alreadySent">Bytes of it that are sent.</param>
    /// <param name="messages">Messages that are complete with it.</param>
    public void Append(ReadOnlySpan<byte> frame, int alreadySent, int messages)
    {
        Reserve(frame.Length);
        frame.CopyTo(Array.AsSpan(End));
        if (Frames == 0)
            _sendAt = End + alreadySent;
        CommitSpecial(frame.Length, messages);
    }

    /// <summary>Removes the first frame, so that it is sent through another queue.</summary>
    public ReadOnlySpan<byte> DequeueFrame(out int alreadySent, out int messages)
    {
        ReleaseSentSegments();
        ReadOnlySpan<byte> frame = Head.Array.AsSpan(_headAt);
        frame = frame[..BinaryPrimitives.ReadUInt16BigEndian(frame)];
        alreadySent = _sendAt - _headAt;
        _sendAt = _headAt + frame.Length;
        messages = AdvanceHead(frame.Length);
        return frame;
    }

    /// <summary>Records that the socket accepted the next bytes.</summary>
    /// <param name="bytes">Number of bytes.</param>
    /// <returns>Messages whose last byte is among them.</returns>
    public long MarkSent(int bytes)
    {
        long messages = 0;
        _sendAt += bytes;
        if (Bytes == 0 && _exceptions.Count == 0)
        {
            ReleaseSentSegments();
            (messages, _headFrame, _headAt, Frames) = (Frames, _headFrame + Frames, End, 0);
            return messages;
        }

        if (_lastEnd == End && _sendAt >= _lastAt && _full.Count == 0 && _exceptions.Count == 0)
        {
            // only a part of the last frame remains, as with a layer that accepts whole records: earlier frames need no iteration
            messages = Frames - 1;
            (_headFrame, _headAt, Frames) = (_headFrame + messages, _lastAt, 1);
            return messages;
        }

        ReadOnlySpan<byte> head = Head.Array;
        while (_headAt < _sendAt)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(head[_headAt..]);
            if (_headAt + length > _sendAt)
                break;
            messages += AdvanceHead(length);
        }

        ReleaseSentSegments();
        return messages;
    }

    /// <summary>Moves the queued bytes to the front: the next frames are then in memory that is still in the processor's cache.</summary>
    public void MoveToFront()
    {
        if (_full.Count > 0 || _headAt == 0)
            return;
        Array.AsSpan(_headAt, End - _headAt).CopyTo(Array);
        (_sendAt, End, _lastEnd) = (_sendAt - _headAt, End - _headAt, Unknown);
        _headAt = 0;
    }

    /// <summary>Returns all segments to the pool; nothing may be queued any more.</summary>
    public void Release()
    {
        if (_full.Count == 0 && End < _startBytes / SpareShare)
            _startBytes = Math.Max(_startBytes / 2, MinStartBytes);
        foreach ((byte[] segment, _) in _full)
            pool.Return(segment);
        _full.Clear();
        pool.Return(Array);
        Array = [];
        (_fullBytes, End, _sendAt, _headAt, Frames, _lastEnd) = (0, 0, 0, 0, 0, Unknown);
        _exceptions.Clear();
    }

    // Queued bytes keep their offset: there is another segment only beyond the maximum size of the first.
    private void GrowFirst(int bytes, int openBytes)
    {
        byte[] larger = pool.Rent(Math.Max(Math.Min(Array.Length * Growth, MaxStartBytes), End + bytes));
        Array.AsSpan(0, End + openBytes).CopyTo(larger);
        pool.Return(Array);
        Array = larger;
        _startBytes = Math.Clamp(larger.Length, _startBytes, MaxStartBytes);
    }

    private void ReleaseSentSegments()
    {
        if (_full.Count == 0 || _sendAt < _full.Peek().End)
            return;
        (byte[] sent, int end) = _full.Dequeue();
        pool.Return(sent);
        _fullBytes -= end;
        (_sendAt, _headAt) = (0, 0);
    }

    private int AdvanceHead(int length)
    {
        int messages = _exceptions.TryPeek(out (long Frame, int Messages) exception) && exception.Frame == _headFrame
            ? _exceptions.Dequeue().Messages
            : 1;
        _headAt += length;
        _headFrame++;
        Frames--;
        return messages;
    }
}
