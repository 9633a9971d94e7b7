namespace PerfCommon.Transport.Compression;

/// <summary>Compresses frame bodies of one direction of one connection. Used by the thread that owns the channel; no allocation per body.</summary>
public interface IBodyCompressor : IDisposable
{
    /// <summary>The longest piece of a message whose compressed form is sure to fit into <paramref name="roomBytes"/>.</summary>
    int LargestPiece(int roomBytes);

    /// <summary>Compresses one body, or decides not to.</summary>
    /// <param name="body">The body as it would be sent plain.</param>
    /// <param name="room">What the frame has for it.</param>
    /// <param name="written">Bytes of the compressed body.</param>
    /// <returns>False: send it plain. Nothing has happened then; true: it must be sent, and in this order.</returns>
    bool TryCompress(ReadOnlySpan<byte> body, Span<byte> room, out int written);
}
