using System.IO.Compression;

namespace PerfCommon.Transport.Compression;

/// <summary>Reads bodies of one zlib stream that lives as long as the connection.</summary>
internal sealed class ZlibInflater : IDisposable
{
    private readonly ByteSource _source = new();
    private readonly ZLibStream _inflate;
    private readonly byte[] _beyond = new byte[1];
    private bool _failed;

    /// <summary>Starts the stream; its header comes with the first body.</summary>
    public ZlibInflater() => _inflate = new ZLibStream(_source, CompressionMode.Decompress, leaveOpen: false);

    /// <summary>Inflates one body; false for bad data, for more than <paramref name="room"/> and for nothing at all.</summary>
    /// <remarks>After a failure every further call fails.</remarks>
    public bool TryInflate(ReadOnlySpan<byte> body, Span<byte> room, out int written)
    {
        written = 0;
        if (_failed)
            return false;

        _source.Fill(body);
        try
        {
            int got;
            while ((got = _inflate.Read(room[written..])) > 0)
                written += got;
            // An empty span reads nothing and says nothing: ask for the byte that would be too many.
            if (written == room.Length && _inflate.Read(_beyond, 0, 1) > 0)
                _failed = true;
        }
        catch (Exception e) when (e is InvalidDataException or IOException)
        {
            _failed = true;
        }
        // Bytes left over stand behind the end of a stream that never ends.
        _failed |= written == 0 || !_source.IsEmpty;
        return !_failed;
    }

    /// <summary>Frees the native stream.</summary>
    public void Dispose()
    {
        _inflate.Dispose();
        _source.Dispose();
    }
}
