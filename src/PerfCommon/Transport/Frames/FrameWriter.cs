using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>The write side of a connection: frames made in place, packs, fragments, output-buffer accounting.</summary>
/// <remarks>What queues messages answers true when more than the high-water mark is queued.</remarks>
internal sealed partial class FrameWriter(ChannelInfo info, ChannelOptions options, BufferPool pool, FrameCompressor? compressor)
    : IDisposable
{
    // what is open, in one number: bytes asked for by a plain message, or one of these
    private const int NothingOpen = 0;
    private const int LargeOpen = -1;
    private const int PackOpen = -2;
    private const int RunOpen = -3;

    private readonly BufferPool _pool = pool;
    private readonly FrameQueue _queue = new(pool);
    private readonly int _maxBody = FrameLayout.LargestBody(info.MaxMessageBytes);
    private readonly int _maxFrame = FrameLayout.LargestBody(info.MaxMessageBytes) + FrameLayout.HeaderBytes;
    private readonly int _fragmentIdBytes = info.FragmentIdBytes;
    private readonly int _highWaterMark = options.EffectiveHighWaterMark;

    private int _opened;
    private int _frameLimit = options.OutputBufferLimit;
    private long _messagesWritten;
    private long _messagesSent;
    private long _queuedBytes; // ever queued, pings included
    private long _sentBytes; // ever taken by the socket
    private long _flushAboveBytes = options.EffectiveHighWaterMark; // queued bytes at which the high-water mark is passed
    private long _pingBytes;

    public int FramesInUse => _queue.Frames;

    public int PendingBytes => (int)(Volatile.Read(ref _queuedBytes) - Volatile.Read(ref _sentBytes));

    public long MessagesWritten => Volatile.Read(ref _messagesWritten);

    public long MessagesSent => Volatile.Read(ref _messagesSent);

    public long BytesWritten => Volatile.Read(ref _queuedBytes) - Volatile.Read(ref _pingBytes);

    /// <summary>Bytes handed to the socket at all, pings included; tells the ping timer that something was written.</summary>
    public long WireBytes => _sentBytes;

    public bool TryBegin(int maxBytes, out Span<byte> room)
    {
        FrameQueue queue = _queue;
        byte[] array = queue.Array;
        int bodyAt = queue.End + FrameLayout.HeaderBytes;
        if ((uint)(maxBytes - 1) < (uint)_maxBody && queue.Frames < _frameLimit
            && maxBytes <= array.Length - bodyAt && _opened == NothingOpen)
        {
            _opened = maxBytes;
            room = array.AsSpan(bodyAt, maxBytes);
            return true;
        }
        return TryBeginSlowly(maxBytes, out room);
    }

    public bool End(int bytes)
    {
        if (bytes < 1 || bytes > _opened || compressor is not null)
            return EndSlowly(bytes);

        // frame: length u16 | flags u8 = data | body
        FrameQueue queue = _queue;
        int at = queue.End;
        int frameBytes = bytes + FrameLayout.HeaderBytes;
        Span<byte> header = queue.Array.AsSpan(at, FrameLayout.HeaderBytes);
        header[2] = FrameLayout.DataFlag;
        BinaryPrimitives.WriteUInt16BigEndian(header, (ushort)frameBytes);
        queue.End = at + frameBytes;
        queue.Frames++;
        _opened = NothingOpen;
        _messagesWritten++;
        return (_queuedBytes += frameBytes) > _flushAboveBytes;
    }

    /// <summary>Gives the open message or pack back.</summary>
    public void Cancel()
    {
        ReturnLarge();
        ClosePack();
    }

    /// <summary>Hands what is queued to the pipe.</summary>
    /// <returns>Ready when nothing is left, Wait when the pipe takes no more now, Failed.</returns>
    public PipeStatus Flush(BytePipe pipe)
    {
        while (PendingBytes > 0)
        {
            PipeStatus status = pipe.Send(_queue.Unsent, out int sent);
            _sentBytes += sent;
            _messagesSent += _queue.MarkSent(sent);
            _flushAboveBytes = _sentBytes + _highWaterMark;
            if (PendingBytes == 0 && _opened == NothingOpen)
                _queue.Release();
            if (status != PipeStatus.Ready)
                return status;
        }
        return PipeStatus.Ready;
    }

    /// <summary>Takes no more messages; what is queued stays.</summary>
    public void Stop()
    {
        Cancel();
        _frameLimit = 0;
    }

    /// <summary>Queues a ping, unless something is queued that serves as well.</summary>
    public void AddPing()
    {
        if (PendingBytes > 0 || _opened != NothingOpen)
            return;
        _queue.Reserve(FrameLayout.HeaderBytes);
        _pingBytes += FrameLayout.HeaderBytes;
        Commit(FrameLayout.HeaderBytes, FrameLayout.DataFlag, messages: 0);
    }

    /// <summary>Drops everything and gives the arrays back.</summary>
    public void Dispose()
    {
        Stop();
        _queue.Release();
        _sentBytes = _queuedBytes; // nothing waits any more; what was lost shows in the messages
    }

    private bool TryBeginSlowly(int maxBytes, out Span<byte> room)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxBytes, 1);
        ThrowIfOpen();
        room = default;
        if (!HasBuffers(FramesFor(maxBytes)))
            return false;
        if (maxBytes > _maxBody)
        {
            room = OpenLarge(maxBytes);
            return true;
        }
        _queue.Reserve(FrameLayout.HeaderBytes + maxBytes);
        _opened = maxBytes;
        room = _queue.Array.AsSpan(_queue.End + FrameLayout.HeaderBytes, maxBytes);
        return true;
    }

    private bool EndSlowly(int bytes)
    {
        if (_opened is NothingOpen or PackOpen or RunOpen)
            throw new InvalidOperationException("No message is open.");
        if (bytes < 1 || bytes > (_opened == LargeOpen ? _largeBytes : _opened))
        {
            Cancel();
            throw new ArgumentOutOfRangeException(nameof(bytes), bytes, "An open message must end with 1 byte to as many as were asked for.");
        }
        if (_opened == LargeOpen)
        {
            EndLarge(bytes);
        }
        else
        {
            _opened = NothingOpen;
            CommitBody(FrameLayout.HeaderBytes, bytes, FrameLayout.DataFlag, messages: 1);
            _messagesWritten++;
        }
        return _queuedBytes > _flushAboveBytes;
    }

    private bool HasBuffers(int frames) => _frameLimit > 0 && FramesInUse + Math.Min(frames, _frameLimit) <= _frameLimit;

    /// <summary>Writes the header of the frame that stands at the end of the queue, and queues it.</summary>
    private void Commit(int frameBytes, byte flags, int messages)
    {
        Span<byte> header = _queue.Array.AsSpan(_queue.End, FrameLayout.HeaderBytes);
        BinaryPrimitives.WriteUInt16BigEndian(header, (ushort)frameBytes);
        header[2] = flags;
        _queue.Commit(frameBytes, messages);
        _queuedBytes += frameBytes;
    }

    private void ThrowIfOpen()
    {
        if (_opened != NothingOpen)
            throw new InvalidOperationException("A message or pack is open already.");
    }
}
