namespace PerfCommon.Transport;

/// <summary>Encoded bytes of a layer that wait for the pipe below it.</summary>
internal sealed class SendBuffer
{
    private byte[] _bytes = [];
    private int _start;
    private int _end;

    /// <summary>True when nothing waits.</summary>
    public bool IsEmpty => _start == _end;

    /// <summary>Bytes that wait.</summary>
    public int Waiting => _end - _start;

    /// <summary>Opens room behind what waits; follow with <see cref="Commit"/>.</summary>
    public Span<byte> Room(int bytes)
    {
        if (_bytes.Length - _end < bytes)
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _end + bytes));
        return _bytes.AsSpan(_end, bytes);
    }

    /// <summary>Adds bytes put into <see cref="Room"/>.</summary>
    public void Commit(int bytes) => _end += bytes;

    /// <summary>Adds bytes.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Room(bytes.Length));
        _end += bytes.Length;
    }

    /// <summary>Hands what waits to a pipe; Ready when nothing is left.</summary>
    public PipeStatus SendTo(BytePipe pipe)
    {
        if (IsEmpty)
            return PipeStatus.Ready;
        PipeStatus status = pipe.Send(_bytes.AsSpan(_start, _end - _start), out int count);
        _start += count;
        if (IsEmpty)
            _start = _end = 0;
        return status;
    }
}
