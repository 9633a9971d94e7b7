using System.Buffers.Binary;

namespace PerfCommon.Transport.Tls;

/// <summary>
/// The stream below SslStream: encrypted bytes that the owner has received, and a queue for those to be sent.
/// </summary>
/// <remarks>
/// Returns whole records only, one at a time, so that SslStream never keeps half of one. During the handshake it is used by a pool thread
/// (the asynchronous members) and the owner at the same time; afterwards by the owner alone (the synchronous ones).
/// </remarks>
/// <param name="below">The pipe that carries the records; its owner is woken when the handshake has bytes to send.</param>
/// <param name="unsent">Encrypted bytes that the pipe below has not accepted yet; used under the lock of this stream only.</param>
internal sealed class TlsRecordStream(BytePipe below, ByteQueue unsent) : Stream // wire/transport 8.1
{
    private const int HeaderBytes = 5;
    private const int LengthAt = 3;
    private const int MostRecordBytes = HeaderBytes + 16 * 1024 + 2048; // header, 16 KB of data, and the maximum that encryption adds
    private const int FirstContentType = 20;
    private const int LastContentType = 24;
    private const int MajorVersion = 3;

    private readonly Lock _lock = new();
    private readonly ByteQueue _received = new();
    private int _recordLeft; // bytes of the current record that were not returned yet
    private bool _ended;
    private TaskCompletionSource<int>? _waiting;
    private Memory<byte> _waitingRoom;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>True when a record is complete (or the bytes are no record, which SslStream will reject).</summary>
    public bool HasWholeRecord => _recordLeft > 0 || WholeRecordBytes > 0;

    /// <summary>True when a part of a record has arrived and its rest has not.</summary>
    public bool HasPart => !_received.IsEmpty;

    /// <summary>True when encrypted bytes wait to be sent.</summary>
    public bool HasUnsent
    {
        get
        {
            lock (_lock)
                return !unsent.IsEmpty;
        }
    }

    /// <summary>Number of encrypted bytes that wait to be sent; once the handshake is complete.</summary>
    public int UnsentBytes => unsent.Count;

    /// <summary>Encrypted bytes written since <see cref="BeginChunk"/>, and those of the first record among them.</summary>
    public (int Bytes, int RecordBytes) Chunk { get; private set; }

    /// <summary>Bytes of the arrays in use.</summary>
    public int HeldBytes => _received.HeldBytes + unsent.HeldBytes;

    /// <summary>Uses arrays from a pool from now on, when the handshake is complete.</summary>
    public void LendFrom(BufferPool pool)
    {
        _received.LendFrom(pool);
        unsent.LendFrom(pool);
    }

    /// <summary>Returns the empty arrays to the pool.</summary>
    public void Release()
    {
        _received.Release();
        unsent.Release();
    }

    /// <summary>Returns the arrays to the pool; the stream is not used any more.</summary>
    public void Discard()
    {
        _received.Discard();
        unsent.Discard();
    }

    /// <summary>Receives once, and wakes a handshake that waits for a record.</summary>
    public PipeStatus Receive(out int count)
    {
        lock (_lock)
        {
            PipeStatus status = _received.ReceiveFrom(below, out count);
            ServeWaiting();
            return status;
        }
    }

    /// <summary>Marks the end of the received bytes.</summary>
    public void EndReceived()
    {
        lock (_lock)
        {
            _ended = true;
            ServeWaiting();
        }
    }

    /// <summary>Starts to count written bytes; once the handshake is complete.</summary>
    public void BeginChunk() => Chunk = default;

    /// <summary>Passes waiting bytes to the pipe below; Ready when none is left.</summary>
    public PipeStatus SendUnsent()
    {
        lock (_lock)
            return unsent.SendTo(below);
    }

    public override int Read(Span<byte> buffer)
    {
        // An empty buffer only tests whether there is something to read.
        int count = Dequeue(buffer);
        return count > 0 || _ended || (buffer.IsEmpty && HasWholeRecord) ? count : throw new WouldBlockException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_lock)
        {
            int count = Dequeue(buffer.Span);
            if (count > 0 || _ended || buffer.IsEmpty)
                return new ValueTask<int>(count);
            // The rest of the handshake must not run on the owner's thread, which completes this, unless there is no other.
            _waiting = new TaskCompletionSource<int>(below.StaysOnThread ? default : TaskCreationOptions.RunContinuationsAsynchronously);
            _waitingRoom = buffer;
            return new ValueTask<int>(_waiting.Task);
        }
    }

    /// <summary>Sends encrypted bytes at once, on the owner's thread; only the bytes that the pipe below does not accept are kept.</summary>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        lock (_lock)
        {
            Chunk = (Chunk.Bytes + buffer.Length, Chunk.Bytes == 0 ? RecordBytes(buffer) : Chunk.RecordBytes);
            int sent = 0;
            if (unsent.IsEmpty)
                below.Send(buffer, out sent); // a failure occurs again when the rest is sent
            unsent.Add(buffer[sent..]);
        }
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_lock)
            unsent.Add(buffer.Span);
        below.WakeOwner();
        return ValueTask.CompletedTask;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private int WholeRecordBytes
    {
        get
        {
            ReadOnlySpan<byte> received = _received.Bytes;
            if (received.Length < HeaderBytes)
                return 0;
            // record: type u8 | version u8 u8 | length u16 | data
            int length = RecordBytes(received);
            if (received[0] is < FirstContentType or > LastContentType || received[1] != MajorVersion || length > MostRecordBytes)
                return received.Length;
            return received.Length >= length ? length : 0;
        }
    }

    private static int RecordBytes(ReadOnlySpan<byte> bytes) => HeaderBytes + BinaryPrimitives.ReadUInt16BigEndian(bytes[LengthAt..]);

    private int Dequeue(Span<byte> buffer)
    {
        if (_recordLeft == 0)
            _recordLeft = WholeRecordBytes;
        int count = _received.Dequeue(buffer[..Math.Min(_recordLeft, buffer.Length)]);
        _recordLeft -= count;
        return count;
    }

    private void ServeWaiting()
    {
        if (_waiting is not { } waiting)
            return;
        int count = Dequeue(_waitingRoom.Span);
        if (count == 0 && !_ended)
            return;
        _waiting = null;
        waiting.SetResult(count);
    }
}

/// <summary>
/// Ends a read of SslStream that needs a record which has not arrived (after a session ticket, for instance); the read is repeated later.
/// </summary>
/// <remarks>An IOException, because SslStream wraps all others.</remarks>
internal sealed class WouldBlockException : IOException;
