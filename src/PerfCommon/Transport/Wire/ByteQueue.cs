namespace PerfCommon.Transport;

/// <summary>Queues bytes of a layer in one array: appended at the end, removed from the front. A span of it is valid until bytes are added.</summary>
/// <param name="pool">Lends the arrays, for a queue that returns its array when it is empty; null for one that keeps its array.</param>
internal sealed class ByteQueue(BufferPool? pool = null)
{
    private const int FirstReceiveBytes = 4 * 1024;
    private const int MostReceiveBytes = 64 * 1024;
    private const int LeastReceiveBytes = 20 * 1024; // in addition to bytes received before; a TLS record fits

    private BufferPool? _pool = pool;
    private byte[] _bytes = [];
    private bool _isLent; // the array is from the pool
    private int _start;
    private int _end;
    private bool _wasFilled; // more may have arrived than there was space for
    private int _lastBytes; // size of the array that was returned

    public int Count => _end - _start;

    /// <summary>Bytes of the array, used or not.</summary>
    public int HeldBytes => _bytes.Length;

    public bool IsEmpty => _start == _end;

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(_start, Count);

    /// <summary>Opens buffer space after the bytes; follow with <see cref="Commit"/>.</summary>
    public Span<byte> Room(int bytes)
    {
        if (_start == _end)
            _start = _end = 0;
        if (_bytes.Length - _end < bytes)
            MakeRoom(bytes);
        return _bytes.AsSpan(_end, bytes);
    }

    public void Commit(int bytes) => _end += bytes;

    public void Add(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Room(bytes.Length));
        _end += bytes.Length;
    }

    /// <summary>Moves the bytes that fit from the front.</summary>
    public int Dequeue(Span<byte> room)
    {
        int count = Math.Min(room.Length, Count);
        _bytes.AsSpan(_start, count).CopyTo(room);
        _start += count;
        return count;
    }

    public void Drop(int count) => _start += count;

    public void Clear() => _start = _end = 0;

    /// <summary>Uses arrays from a pool from now on: only the owner's thread uses the queue then.</summary>
    public void LendFrom(BufferPool pool) => _pool = pool;

    /// <summary>Returns the array to the pool while it is empty.</summary>
    public void Release()
    {
        if (_pool is null || !IsEmpty || _bytes.Length == 0)
            return;
        _lastBytes = _bytes.Length;
        ReturnLent(_bytes);
        _bytes = [];
        Clear();
    }

    /// <summary>Returns the array to the pool, where it is from there, with the bytes that are in it: the queue is not used any more.</summary>
    public void Discard()
    {
        if (!_isLent)
            return;
        Clear();
        Release();
    }

    /// <summary>Passes the bytes to a pipe; Ready when none is left.</summary>
    public PipeStatus SendTo(BytePipe pipe)
    {
        if (IsEmpty)
            return PipeStatus.Ready;
        PipeStatus status = pipe.Send(Bytes, out int count);
        _start += count;
        return status;
    }

    /// <summary>Receives once; the caller has left less than 64 KB.</summary>
    public PipeStatus ReceiveFrom(BytePipe pipe, out int gotBytes)
    {
        if (_start > 0 && (_start == _end || _bytes.Length - _end < LeastReceiveBytes))
            MoveToFront();
        if (_wasFilled || _end == _bytes.Length)
            Enlarge(Math.Clamp(_bytes.Length == 0 ? _lastBytes : _bytes.Length * 4, FirstReceiveBytes, MostReceiveBytes));
        PipeStatus status = pipe.Receive(_bytes.AsSpan(_end), out gotBytes);
        _end += gotBytes;
        _wasFilled = _end == _bytes.Length && _bytes.Length < MostReceiveBytes;
        return status;
    }

    private void MakeRoom(int bytes)
    {
        MoveToFront();
        if (_bytes.Length - _end < bytes)
            Enlarge(Math.Max(_bytes.Length == 0 ? _lastBytes : _bytes.Length * 2, _end + bytes));
    }

    private void Enlarge(int bytes)
    {
        byte[] smaller = _bytes;
        _bytes = _pool?.Rent(bytes) ?? new byte[bytes];
        smaller.AsSpan(0, _end).CopyTo(_bytes);
        ReturnLent(smaller);
        _isLent = _pool is not null;
    }

    private void ReturnLent(byte[] array)
    {
        if (_isLent)
            _pool!.Return(array);
        _isLent = false;
    }

    private void MoveToFront()
    {
        Bytes.CopyTo(_bytes);
        (_start, _end) = (0, Count);
    }
}
