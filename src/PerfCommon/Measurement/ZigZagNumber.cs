namespace PerfCommon.Measurement;

/// <summary>Encodes and decodes a signed number in one to nine bytes, as in the payload of a histogram.</summary>
/// <remarks>
/// Zigzag ((n &lt;&lt; 1) ^ (n &gt;&gt; 63)), then seven bits a byte, the lowest first, with 0x80 where more follow; the ninth byte has
/// eight bits.
/// </remarks>
internal static class ZigZagNumber
{
    public const int MaxBytes = 9;
    public const int BitsPerByte = 7;
    public const byte MoreFollow = 0x80;

    public static void Write(Stream target, long value)
    {
        ulong rest = (ulong)((value << 1) ^ (value >> 63));
        for (int i = 1; i < MaxBytes && rest >= MoreFollow; i++)
        {
            target.WriteByte((byte)(rest | MoreFollow));
            rest >>= BitsPerByte;
        }

        target.WriteByte((byte)rest);
    }
}

/// <summary>Reads such numbers from a stream, a few kilobytes of it at a time.</summary>
/// <param name="source">The stream, which may end too early.</param>
/// <param name="bytes">Bytes that the numbers fill; none beyond them is read.</param>
internal sealed class ZigZagReader(Stream source, int bytes)
{
    private const int BufferBytes = 4096;

    private readonly byte[] _buffer = new byte[Math.Min(bytes, BufferBytes)];
    private int _unread = bytes; // bytes still in the source
    private int _position;
    private int _end;

    /// <summary>Reads the next number; false at the end of the bytes.</summary>
    /// <exception cref="HistogramFormatException">The source ends before the numbers, or the bytes end within a number.</exception>
    public bool TryRead(out long value)
    {
        value = 0;
        if (_position == _end && _unread == 0)
            return false;

        ulong sum = 0;
        for (int i = 0; ; i++)
        {
            byte next = ReadByte();
            bool isLast = i == ZigZagNumber.MaxBytes - 1 || next < ZigZagNumber.MoreFollow;
            sum |= (ulong)(isLast ? next : next & ~ZigZagNumber.MoreFollow) << (ZigZagNumber.BitsPerByte * i);
            if (isLast)
                break;
        }

        value = (long)(sum >> 1) ^ -(long)(sum & 1);
        return true;
    }

    private byte ReadByte()
    {
        if (_position == _end)
        {
            (_position, _end) = (0, source.Read(_buffer, 0, Math.Min(_unread, _buffer.Length)));
            _unread -= _end;
            if (_end == 0)
                throw new HistogramFormatException("the counts are cut");
        }

        return _buffer[_position++];
    }
}
