namespace PerfCommon.Transport;

/// <summary>A stream without length and position; a derived one overrides the spans that it takes or gives.</summary>
internal abstract class ForwardStream : Stream
{
    public override bool CanRead => false;

    public override bool CanWrite => false;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(Span<byte> buffer) => throw new NotSupportedException();

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}

/// <summary>Collects what a compressing stream writes in one array that is used again and again.</summary>
internal sealed class ByteSink : ForwardStream
{
    private byte[] _bytes = new byte[256];
    private int _count;

    /// <summary>What was written since <see cref="Clear"/>; valid until the next write.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _count);

    public override bool CanWrite => true;

    public void Clear() => _count = 0;

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (buffer.Length > _bytes.Length - _count)
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _count + buffer.Length));
        buffer.CopyTo(_bytes.AsSpan(_count));
        _count += buffer.Length;
    }
}

/// <summary>Hands the bytes it was filled with to an inflating stream; its end is only the end of this piece.</summary>
internal sealed class ByteSource : ForwardStream
{
    private byte[] _bytes = new byte[256];
    private int _start;
    private int _end;

    /// <summary>True when every byte was taken.</summary>
    public bool IsEmpty => _start == _end;

    public override bool CanRead => true;

    /// <summary>Takes a copy of the next piece; what was left of the last one is dropped.</summary>
    public void Fill(ReadOnlySpan<byte> piece)
    {
        if (piece.Length > _bytes.Length)
            _bytes = new byte[Math.Max(piece.Length, _bytes.Length * 2)];
        piece.CopyTo(_bytes);
        _start = 0;
        _end = piece.Length;
    }

    public override int Read(Span<byte> buffer)
    {
        int count = Math.Min(buffer.Length, _end - _start);
        _bytes.AsSpan(_start, count).CopyTo(buffer);
        _start += count;
        return count;
    }
}
