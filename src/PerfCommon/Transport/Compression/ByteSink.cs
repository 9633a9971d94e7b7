namespace PerfCommon.Transport.Compression;

/// <summary>Collects what a compressing stream writes in one array that is used again and again.</summary>
internal sealed class ByteSink : OneWayStream
{
    private byte[] _bytes = new byte[256];
    private int _count;

    /// <summary>What was written since <see cref="Clear"/>; valid until the next write.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _count);

    public override bool CanWrite => true;

    public void Clear() => _count = 0;

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (buffer.Length > _bytes.Length - _count)
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _count + buffer.Length));
        buffer.CopyTo(_bytes.AsSpan(_count));
        _count += buffer.Length;
    }
}
