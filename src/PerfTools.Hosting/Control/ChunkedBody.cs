using System.Globalization;
using System.Text;

namespace PerfTools.Hosting.Control;

/// <summary>Reads a body sent in chunks: <c>size in hexadecimal CRLF, bytes, CRLF</c>, again and again until a size of 0.</summary>
internal sealed class ChunkedBody
{
    // sizes and line ends of chunks of a few bytes each need no more than the bytes
    private const int MaxRawBytes = 2 * ControlRequest.MaxBodyBytes;
    private const int MaxSizeBytes = 10; // eight digits and the end of their line

    private readonly byte[] _bytes = new byte[ControlRequest.MaxBodyBytes];
    private int _length;
    private int _consumed; // of the raw form: whole chunks

    /// <summary>Number of bytes examined so far.</summary>
    public long BytesExamined { get; private set; }

    public bool IsWhole { get; private set; }

    /// <summary>True for a body above the maximum of a request.</summary>
    public bool IsTooLarge { get; private set; }

    public string Text => Encoding.UTF8.GetString(_bytes, 0, _length);

    /// <summary>Continues where it stopped.</summary>
    /// <param name="raw">All bytes after the head so far.</param>
    /// <returns>The error in it, as a sentence; null when there is none.</returns>
    public string? TryRead(ReadOnlySpan<byte> raw)
    {
        while (!IsWhole && !IsTooLarge)
        {
            ReadOnlySpan<byte> rest = raw[_consumed..];
            ReadOnlySpan<byte> size = rest[..Math.Min(rest.Length, MaxSizeBytes)];
            BytesExamined += size.Length;
            int line = size.IndexOf("\r\n"u8);
            if (line < 0 && size.Length < MaxSizeBytes)
                return null;
            if (line < 0 || !int.TryParse(size[..line], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out int bytes)
                || bytes < 0)
            {
                return "the size of a chunk is no number";
            }

            IsTooLarge = raw.Length > MaxRawBytes || bytes > ControlRequest.MaxBodyBytes - _length;
            if (IsTooLarge)
                return null;
            int whole = line + 2 + bytes + 2;
            if (rest.Length < whole)
                return null;
            if (!rest[(whole - 2)..whole].SequenceEqual("\r\n"u8))
                return "a chunk is longer than its size";
            rest.Slice(line + 2, bytes).CopyTo(_bytes.AsSpan(_length));
            _length += bytes;
            _consumed += whole;
            IsWhole = bytes == 0;
            BytesExamined += whole;
        }

        return null;
    }
}
