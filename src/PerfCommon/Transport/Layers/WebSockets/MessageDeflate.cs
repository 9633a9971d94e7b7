using System.IO.Compression;

namespace PerfCommon.Transport.WebSockets;

/// <summary>Compresses one connection by permessage-deflate (RFC 7692): raw deflate with a sync flush whose last four bytes are not sent.</summary>
internal sealed class MessageDeflate : IDisposable
{
    private const int MostReadBytes = 1024;

    private readonly MemoryStream _deflated = new();
    private readonly MemoryStream _received = new();
    private readonly ByteQueue _inflated = new();
    private DeflateStream? _deflate;
    private DeflateStream? _inflate;

    /// <summary>Deflates a message; a fresh start discards the context of earlier ones, where this side promised it.</summary>
    public ReadOnlySpan<byte> Deflate(ReadOnlySpan<byte> text, bool startsAfresh)
    {
        if (startsAfresh) // wire/transport 9.3
        {
            _deflate?.Dispose();
            _deflate = null;
        }

        _deflate ??= new DeflateStream(_deflated, CompressionLevel.Optimal, leaveOpen: true);
        _deflated.SetLength(0);
        _deflate.Write(text);
        _deflate.Flush();
        return _deflated.GetBuffer().AsSpan(0, (int)_deflated.Length - FlushTail.Length);
    }

    /// <summary>Inflates a message; false for bad data or more than <paramref name="most"/> bytes.</summary>
    public bool TryInflate(ReadOnlySpan<byte> payload, int most, out ReadOnlySpan<byte> text)
    {
        text = default;
        bool isFirst = _inflate is null;
        _inflate ??= CreateInflate();
        if (!TryInflate(_inflate, payload, most))
            return false;
        if (_inflated.IsEmpty && !isFirst && !TryInflateAfresh(payload, most))
            return false;
        text = _inflated.Bytes;
        return true;
    }

    public void Dispose()
    {
        _deflate?.Dispose();
        _inflate?.Dispose();
        _deflated.Dispose();
        _received.Dispose();
    }

    private DeflateStream CreateInflate() => new(_received, CompressionMode.Decompress, leaveOpen: true);

    // A final block ends the stream, and the next message is another (RFC 7692, 7.2.3.4): the one before returns nothing of it. It stays where the
    // message is empty.
    private bool TryInflateAfresh(ReadOnlySpan<byte> payload, int most)
    {
        DeflateStream fresh = CreateInflate();
        bool isInflated = TryInflate(fresh, payload, most);
        (_inflate, DeflateStream unused) = _inflated.IsEmpty ? (_inflate, fresh) : (fresh, _inflate!);
        unused.Dispose();
        return isInflated;
    }

    private bool TryInflate(DeflateStream inflate, ReadOnlySpan<byte> payload, int most)
    {
        _received.SetLength(0);
        _received.Write(payload);
        _received.Write(FlushTail);
        _received.Position = 0;
        _inflated.Clear();
        try
        {
            int got;
            while ((got = inflate.Read(_inflated.Room(MostReadBytes))) > 0)
            {
                _inflated.Commit(got);
                if (_inflated.Count > most)
                    return false;
            }

            return true;
        }
        catch (Exception problem) when (problem is InvalidDataException or IOException)
        {
            return false;
        }
    }

    private static ReadOnlySpan<byte> FlushTail => [0, 0, 0xff, 0xff]; // wire/transport 9.3
}
