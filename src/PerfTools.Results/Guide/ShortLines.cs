namespace PerfTools.Results.Guide;

/// <summary>Reads the lines of an external file that are not empty; a line longer than any valid one is left out.</summary>
internal sealed class ShortLines(Stream stream)
{
    private const int MaxLineBytes = 1_024;
    private const int BufferBytes = 64 * MaxLineBytes;

    private readonly byte[] _buffer = new byte[BufferBytes];
    private int _at;
    private int _end;
    private bool _isSkipping;

    /// <summary>Reads the next line, without its end; false after the last. Valid until the next call.</summary>
    public bool TryRead(out ReadOnlySpan<byte> line)
    {
        while (true)
        {
            int length = _buffer.AsSpan(_at, _end - _at).IndexOf((byte)'\n');
            bool isLast = length < 0 && !TryFill();
            if (isLast)
                length = _end - _at;
            if (length >= 0)
            {
                line = _buffer.AsSpan(_at, length).TrimEnd((byte)'\r');
                _at = Math.Min(_end, _at + length + 1);
                bool isWhole = !_isSkipping && length <= MaxLineBytes;
                _isSkipping = false;
                if (isWhole && line.Length > 0)
                    return true;
            }

            if (!isLast)
                continue;
            line = default;
            return false;
        }
    }

    // False at the end of the file.
    private bool TryFill()
    {
        int left = _end - _at;
        if (left > MaxLineBytes)
            (_isSkipping, left) = (true, 0);
        _buffer.AsSpan(_end - left, left).CopyTo(_buffer);
        int read = stream.Read(_buffer.AsSpan(left));
        (_at, _end) = (0, left + read);
        return read > 0;
    }
}
