namespace PerfCommon.Transport.Compression;

/// <summary>Hands the bytes it was filled with to an inflating stream; its end is only the end of this piece.</summary>
internal sealed class ByteSource : OneWayStream
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

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        int count = Math.Min(buffer.Length, _end - _start);
        _bytes.AsSpan(_start, count).CopyTo(buffer);
        _start += count;
        return count;
    }
}
