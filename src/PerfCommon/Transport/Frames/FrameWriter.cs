using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>Writes the frames of a connection: frames encoded in place, priorities, packs, fragments, output-buffer accounting.</summary>
/// <remarks>
/// While all queued frames have one priority they are in one contiguous array that is sent unchanged. The first frame of
/// another priority makes it "mixed": frames are then gathered in flush order, until nothing is queued.
/// </remarks>
internal sealed partial class FrameWriter : IDisposable
{
    // the open write, as one number: bytes requested for a plain message, or one of these
    private const int NothingOpen = 0;
    private const int LargeOpen = -1;
    private const int PackOpen = -2;
    private const int BatchOpen = -3;

    private readonly BufferPool _pool;
    private readonly FrameQueue[] _queues;
    private readonly FrameQueue _gathered;
    private readonly FrameLimit _buffers;
    private readonly FrameCompressor? _compressor;
    private readonly string _flushOrder;
    private readonly int _maxBody;
    private readonly int _maxFrame;
    private readonly int _fragmentIdBytes;
    private int _highWaterMark;

    private FrameQueue _current;
    private WritePriority _currentPriority = WritePriority.Medium;
    private int _opened;
    private bool _isStopped;
    private int _frameLimit;
    private int _currentFrameLimit; // part of the limit that the other queues leave to the current one
    private long _messagesWritten;
    private long _messagesSent;
    private long _queuedBytes; // total queued, pings included
    private long _sentBytes; // total accepted by the socket
    private long _flushAboveBytes; // queued bytes at which the high-water mark is passed, less the bytes that compression saved
    private long _pingBytes;

    public FrameWriter(ChannelInfo info, ChannelOptions options, BufferPool pool, FrameCompressor? compressor, int recordBytes,
        SharedBuffers? shared = null)
    {
        _pool = pool;
        _queues = [new FrameQueue(pool), new FrameQueue(pool), new FrameQueue(pool)];
        _gathered = new FrameQueue(pool);
        _current = _queues[(int)_currentPriority];
        _compressor = compressor;
        _flushOrder = options.FlushOrder;
        _maxBody = FrameLayout.LargestBody(info.MaxMessageBytes);
        _maxFrame = _maxBody + FrameLayout.HeaderBytes;
        _fragmentIdBytes = info.FragmentIdBytes;
        _highWaterMark = options.EffectiveHighWaterMark(recordBytes);
        _buffers = new FrameLimit(options, shared);
        UpdateLimits();
    }

    /// <summary>Frames that may be queued regardless of other channels.</summary>
    public int GuaranteedFrames
    {
        get => _buffers.Guaranteed;
        set
        {
            _buffers.Guaranteed = value;
            UpdateLimits();
        }
    }

    /// <summary>Maximum frames that may be queued.</summary>
    public int MaxFrames
    {
        get => _buffers.Max;
        set
        {
            _buffers.Max = value;
            UpdateLimits();
        }
    }

    /// <summary>Queued bytes above which a write flushes; 0 when every write flushes.</summary>
    public int HighWaterMark
    {
        get => _highWaterMark;
        set
        {
            _highWaterMark = value;
            UpdateLimits();
        }
    }

    public int FramesInUse => _queues[0].Frames + _queues[1].Frames + _queues[2].Frames + _gathered.Frames;

    public int PendingBytes => (int)(Volatile.Read(ref _queuedBytes) - Volatile.Read(ref _sentBytes));

    public long MessagesWritten => Volatile.Read(ref _messagesWritten);

    public long MessagesSent => Volatile.Read(ref _messagesSent);

    public long BytesWritten => Volatile.Read(ref _queuedBytes) - Volatile.Read(ref _pingBytes);

    /// <summary>Total bytes passed to the socket, pings included; shows the ping timer that something was written.</summary>
    public long WireBytes => _sentBytes;

    /// <summary>Opens buffer space for one message.</summary>
    public bool TryBegin(int maxBytes, WritePriority priority, out Span<byte> room)
    {
        FrameQueue queue = _current;
        byte[] array = queue.Array;
        int bodyAt = queue.End + FrameLayout.HeaderBytes;
        if ((uint)(maxBytes - 1) < (uint)_maxBody && priority == _currentPriority && queue.Frames < _currentFrameLimit
            && maxBytes <= array.Length - bodyAt && _opened == NothingOpen)
        {
            _opened = maxBytes;
            room = array.AsSpan(bodyAt, maxBytes);
            return true;
        }

        return TryBeginSlowly(maxBytes, priority, out room);
    }

    /// <summary>Queues the message.</summary>
    /// <returns>True when more than the high-water mark is queued.</returns>
    public bool End(int bytes)
    {
        if (bytes < 1 || bytes > _opened || _compressor is not null)
            return EndSlowly(bytes);

        // wire/transport 2.1
        FrameQueue queue = _current;
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

    /// <summary>Releases the open message or pack.</summary>
    public void Cancel()
    {
        ReturnLarge();
        ClosePack();
    }

    /// <summary>Accepts no more messages; queued ones are kept, and so is the content of the open pack.</summary>
    public void Stop()
    {
        if (_opened == PackOpen)
            EndPack();
        Cancel();
        _isStopped = true;
        UpdateLimits();
    }

    /// <summary>Queues a ping when one is needed.</summary>
    public void AddPing() // wire/transport 6
    {
        if (PendingBytes > 0 || _opened != NothingOpen)
            return;
        _current.Reserve(FrameLayout.HeaderBytes);
        WriteHeader(_current, FrameLayout.HeaderBytes, FrameLayout.DataFlag);
        _pingBytes += FrameLayout.HeaderBytes;
        Commit(_current, FrameLayout.HeaderBytes, messages: 0);
    }

    /// <summary>Discards all frames and returns the arrays.</summary>
    public void Dispose()
    {
        Cancel();
        Stop();
        foreach (FrameQueue queue in _queues)
            queue.Release();
        _gathered.Release();
        _buffers.ReturnUnneeded(framesInUse: 0);
        _sentBytes = _queuedBytes; // nothing is queued any more; lost messages are visible in the message counts
    }

    private bool TryBeginSlowly(int maxBytes, WritePriority priority, out Span<byte> room)
    {
        // wire/transport 7
        ArgumentOutOfRangeException.ThrowIfLessThan(maxBytes, 1);
        ThrowIfOpen();
        room = default;
        if (!TryGetBuffers(FramesFor(maxBytes)))
            return false;
        Choose(priority);
        if (maxBytes > _maxBody)
        {
            room = OpenLarge(maxBytes);
            return true;
        }

        _current.Reserve(FrameLayout.HeaderBytes + maxBytes);
        _opened = maxBytes;
        room = _current.Array.AsSpan(_current.End + FrameLayout.HeaderBytes, maxBytes);
        return true;
    }

    private bool EndSlowly(int bytes)
    {
        if (_opened is NothingOpen or PackOpen or BatchOpen)
            throw new InvalidOperationException("No message is open.");
        if (bytes < 1 || bytes > (_opened == LargeOpen ? _largeBytes : _opened))
        {
            Cancel();
            throw new ArgumentOutOfRangeException(nameof(bytes), bytes,
                "A message must have 1 byte to the requested size.");
        }

        if (_opened == LargeOpen)
        {
            EndLarge(bytes);
        }
        else
        {
            _opened = NothingOpen;
            int frameBytes = CompressInPlace(_current, FrameLayout.HeaderBytes, bytes, FrameLayout.DataFlag);
            Commit(_current, frameBytes, messages: 1);
            _messagesWritten++;
        }

        return _queuedBytes > _flushAboveBytes;
    }

    /// <summary>Selects the queue of a priority as the current one; from the second priority on the frames are mixed.</summary>
    private void Choose(WritePriority priority)
    {
        if (priority == _currentPriority)
            return;
        ArgumentOutOfRangeException.ThrowIfGreaterThan((int)priority, (int)WritePriority.Low, nameof(priority));
        if (PendingBytes > 0)
            _mixed = true;
        _currentPriority = priority;
        _current = _queues[(int)priority];
        UpdateLimits();
    }

    private bool TryGetBuffers(int frames) => HasBuffers(frames) || (!_isStopped && TryBorrow(frames));

    private bool TryBorrow(int frames)
    {
        if (!_buffers.TryBorrow(FramesInUse + frames - _frameLimit))
            return false;
        UpdateLimits();
        return HasBuffers(frames);
    }

    private bool HasBuffers(int frames) => !_isStopped && FramesInUse + Math.Min(frames, _frameLimit) <= _frameLimit;

    /// <summary>Updates the limits that the quick path compares with; call it after every change outside that path.</summary>
    private void UpdateLimits()
    {
        _frameLimit = _isStopped ? 0 : _buffers.Limit;
        _currentFrameLimit = _mixed ? _frameLimit - (FramesInUse - _current.Frames) : _frameLimit;
        _flushAboveBytes = _sentBytes + _highWaterMark;
    }

    private void Commit(FrameQueue queue, int frameBytes, int messages)
    {
        if (messages == 1)
        {
            queue.End += frameBytes;
            queue.Frames++;
        }
        else
        {
            queue.CommitSpecial(frameBytes, messages);
        }

        _queuedBytes += frameBytes;
    }

    private static void WriteHeader(FrameQueue queue, int frameBytes, byte flags) // wire/transport 2.1
    {
        Span<byte> header = queue.Array.AsSpan(queue.End, FrameLayout.HeaderBytes);
        BinaryPrimitives.WriteUInt16BigEndian(header, (ushort)frameBytes);
        header[2] = flags;
    }

    private void ThrowIfOpen()
    {
        if (_opened != NothingOpen)
            throw new InvalidOperationException("A message or pack is open already.");
    }
}
