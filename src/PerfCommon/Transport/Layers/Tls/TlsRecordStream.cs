using System.Buffers.Binary;

namespace PerfCommon.Transport.Tls;

/// <summary>What SslStream takes for its connection: encrypted bytes that the owner has received, and a place for those to be sent.</summary>
/// <remarks>
/// Hands out whole records only, one at a time, so that SslStream never keeps half of one. While shaking hands it is used by a pool thread
/// (the asynchronous members) and the owner at the same time; afterwards by the owner alone (the synchronous ones).
/// </remarks>
internal sealed class TlsRecordStream : ForwardStream
{
    /// <summary>Most bytes of one record: header, 16 KB of data, what encryption may add.</summary>
    public const int MostRecordBytes = HeaderBytes + 16 * 1024 + 2048;

    private const int HeaderBytes = 5;
    private const int MostReceiveBytes = 64 * 1024;
    private const int FirstContentType = 20;
    private const int LastContentType = 24;
    private const int MajorVersion = 3;

    private readonly Lock _lock = new();
    private readonly Action _progress;
    private readonly SendBuffer _unsent = new();
    private byte[] _received = new byte[1024];
    private int _receivedStart;
    private int _receivedEnd;
    private int _recordLeft; // bytes of the record being handed out
    private bool _wasFilled; // more may have come than there was room for
    private bool _ended;
    private TaskCompletionSource<int>? _waiting;
    private Memory<byte> _waitingRoom;

    /// <param name="progress">Called from any thread when the handshake has bytes to send.</param>
    public TlsRecordStream(Action progress) => _progress = progress;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    /// <summary>True when a record is whole (or what came is none, so that SslStream shall judge it).</summary>
    public bool HasWholeRecord => _recordLeft > 0 || WholeRecordBytes > 0;

    /// <summary>True when a part of a record has arrived and its rest has not.</summary>
    public bool HasPart => _receivedEnd > _receivedStart;

    /// <summary>True when encrypted bytes wait to be sent.</summary>
    public bool HasUnsent
    {
        get
        {
            lock (_lock)
                return !_unsent.IsEmpty;
        }
    }

    /// <summary>Room for bytes to receive; never empty while no whole record is there. Follow with <see cref="AddReceived"/>.</summary>
    public Span<byte> ReceiveRoom
    {
        get
        {
            lock (_lock)
            {
                MakeReceiveRoom();
                return _received.AsSpan(_receivedEnd);
            }
        }
    }

    /// <summary>Takes bytes put into <see cref="ReceiveRoom"/> and wakes a handshake that waits for a record.</summary>
    public void AddReceived(int count)
    {
        lock (_lock)
        {
            _receivedEnd += count;
            _wasFilled = _receivedEnd == _received.Length && _received.Length < MostReceiveBytes;
            ServeWaiting();
        }
    }

    /// <summary>No more bytes will come.</summary>
    public void EndReceived()
    {
        lock (_lock)
        {
            _ended = true;
            ServeWaiting();
        }
    }

    /// <summary>Hands waiting bytes to the pipe below; Ready when none is left.</summary>
    public PipeStatus SendTo(BytePipe pipe)
    {
        lock (_lock)
            return _unsent.SendTo(pipe);
    }

    public override int Read(Span<byte> buffer)
    {
        // An empty buffer asks only whether there is something to read.
        int count = Take(buffer);
        return count > 0 || _ended || (buffer.IsEmpty && HasWholeRecord) ? count : throw new WouldBlockException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_lock)
        {
            int count = Take(buffer.Span);
            if (count > 0 || _ended || buffer.IsEmpty)
                return new ValueTask<int>(count);
            // The rest of the handshake must not run on the owner's thread, which completes this.
            _waiting = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
            _waitingRoom = buffer;
            return new ValueTask<int>(_waiting.Task);
        }
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        lock (_lock)
            _unsent.Add(buffer);
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        _progress();
        return ValueTask.CompletedTask;
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private int WholeRecordBytes
    {
        get
        {
            ReadOnlySpan<byte> received = _received.AsSpan(_receivedStart, _receivedEnd - _receivedStart);
            if (received.Length < HeaderBytes)
                return 0;
            // record: type u8 | version u8 u8 | length u16 | data
            int length = HeaderBytes + BinaryPrimitives.ReadUInt16BigEndian(received[3..]);
            if (received[0] is < FirstContentType or > LastContentType || received[1] != MajorVersion || length > MostRecordBytes)
                return received.Length;
            return received.Length >= length ? length : 0;
        }
    }

    private int Take(Span<byte> buffer)
    {
        if (_recordLeft == 0)
            _recordLeft = WholeRecordBytes;
        int count = Math.Min(_recordLeft, buffer.Length);
        _received.AsSpan(_receivedStart, count).CopyTo(buffer);
        _receivedStart += count;
        _recordLeft -= count;
        return count;
    }

    private void ServeWaiting()
    {
        if (_waiting is not { } waiting)
            return;
        int count = Take(_waitingRoom.Span);
        if (count == 0 && !_ended)
            return;
        _waiting = null;
        waiting.SetResult(count);
    }

    private void MakeReceiveRoom()
    {
        if (_receivedStart == _receivedEnd)
            _receivedStart = _receivedEnd = 0;
        if (_receivedStart > 0 && _received.Length - _receivedEnd < MostRecordBytes)
        {
            _received.AsSpan(_receivedStart, _receivedEnd - _receivedStart).CopyTo(_received);
            (_receivedStart, _receivedEnd) = (0, _receivedEnd - _receivedStart);
        }
        if (_receivedEnd == _received.Length || _wasFilled)
            Array.Resize(ref _received, Math.Min(_received.Length * 4, MostReceiveBytes));
        _wasFilled = false;
    }
}

/// <summary>Ends a read of SslStream that needs a record which has not arrived (behind a session ticket, say); the read is made again later.</summary>
/// <remarks>An IOException, because SslStream wraps all others.</remarks>
internal sealed class WouldBlockException : IOException
{
}
