namespace PerfCommon.Transport.Compression;

/// <summary>Undoes the compression of frame bodies of one direction of one connection, in the order they arrive.</summary>
public interface IBodyInflater : IDisposable
{
    /// <summary>Inflates one body.</summary>
    /// <param name="body">The compressed body, joined when it came in two frames.</param>
    /// <param name="room">The most it may become.</param>
    /// <param name="written">Bytes it became.</param>
    /// <returns>False for bad data, for more than <paramref name="room"/> and for nothing at all: the connection cannot go on.</returns>
    bool TryInflate(ReadOnlySpan<byte> body, Span<byte> room, out int written);
}
