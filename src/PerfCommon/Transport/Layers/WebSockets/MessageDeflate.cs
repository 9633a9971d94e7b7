using System.IO.Compression;

namespace PerfCommon.Transport.WebSockets;

/// <summary>permessage-deflate (RFC 7692) of one connection: raw deflate with a sync flush whose last four bytes do not travel.</summary>
internal sealed class MessageDeflate : IDisposable
{
    private readonly ByteSink _sink = new();
    private readonly ByteSource _source = new();
    private DeflateStream? _deflate;
    private DeflateStream? _inflate;
    private byte[] _joined = [];
    private byte[] _inflated = new byte[1024];

    /// <summary>Deflates a message.</summary>
    /// <param name="text">The message.</param>
    /// <param name="startsAfresh">True forgets the messages before it, as a server promised.</param>
    public ReadOnlySpan<byte> Deflate(ReadOnlySpan<byte> text, bool startsAfresh)
    {
        if (startsAfresh)
        {
            _deflate?.Dispose();
            _deflate = null;
        }
        _deflate ??= new DeflateStream(_sink, CompressionLevel.Optimal, leaveOpen: true);
        _sink.Clear();
        _deflate.Write(text);
        _deflate.Flush();
        return _sink.Written[..^FlushTail.Length];
    }

    /// <summary>Inflates a message; false for bad data or more than <paramref name="most"/> bytes.</summary>
    public bool TryInflate(ReadOnlySpan<byte> payload, int most, out ReadOnlySpan<byte> text)
    {
        text = default;
        _inflate ??= new DeflateStream(_source, CompressionMode.Decompress, leaveOpen: true);
        int bytes = payload.Length + FlushTail.Length;
        if (_joined.Length < bytes)
            _joined = new byte[bytes];
        payload.CopyTo(_joined);
        FlushTail.CopyTo(_joined.AsSpan(payload.Length));
        _source.Fill(_joined.AsSpan(0, bytes));
        try
        {
            int count = 0;
            int got;
            while ((got = _inflate.Read(_inflated.AsSpan(count))) > 0)
            {
                count += got;
                if (count > most)
                    return false;
                if (count == _inflated.Length)
                    Array.Resize(ref _inflated, _inflated.Length * 2);
            }
            text = _inflated.AsSpan(0, count);
            return true;
        }
        catch (Exception problem) when (problem is InvalidDataException or IOException)
        {
            return false;
        }
    }

    public void Dispose()
    {
        _deflate?.Dispose();
        _inflate?.Dispose();
        _sink.Dispose();
        _source.Dispose();
    }

    private static ReadOnlySpan<byte> FlushTail => [0, 0, 0xff, 0xff];
}
