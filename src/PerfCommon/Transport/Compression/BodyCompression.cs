namespace PerfCommon.Transport.Compression;

/// <summary>The compression of one channel, both directions: what was agreed, what is made when it is first needed, and which bodies it is used for.</summary>
/// <remarks>Owned by the channel's thread.</remarks>
public sealed class BodyCompression : IDisposable
{
    private const int NoPriority = -1;

    private readonly int _level;
    private readonly int _mostInflatedBytes;
    private readonly int _thresholdBytes;
    private IBodyCompressor? _compressor;
    private IBodyInflater? _inflater;
    private byte[] _inflated = [];
    private int _priority = NoPriority;

    /// <summary>Takes what the connect ack said.</summary>
    /// <param name="type">Zlib or Lz4.</param>
    /// <param name="level">zlib level, 0 to 9.</param>
    /// <param name="mostInflatedBytes">The most a body may become: agreed maximum + 3.</param>
    /// <param name="thresholdBytes">Shortest body to compress; 0 for the type's own: zlib 30, lz4 300.</param>
    public BodyCompression(CompressionType type, int level, int mostInflatedBytes, int thresholdBytes = 0)
    {
        ArgumentOutOfRangeException.ThrowIfEqual((int)type, (int)CompressionType.None);
        Type = type;
        _level = level;
        _mostInflatedBytes = mostInflatedBytes;
        _thresholdBytes = Math.Max(thresholdBytes, DefaultThreshold(type));
    }

    /// <summary>The agreed type.</summary>
    public CompressionType Type { get; }

    /// <summary>True when a body of this length and priority is to be compressed.</summary>
    /// <remarks>Only the priority of the first compressed body is ever compressed: the flush order may let others overtake.</remarks>
    public bool Applies(int bodyBytes, int priority) =>
        bodyBytes >= _thresholdBytes && (_priority == priority || _priority == NoPriority);

    /// <summary>The longest piece of a message that is sure to fit into <paramref name="roomBytes"/> of a frame when compressed.</summary>
    public int LargestPiece(int roomBytes) => Compressor.LargestPiece(roomBytes);

    /// <summary>Compresses a body of this priority into <paramref name="room"/>; false: send it plain.</summary>
    public bool TryCompress(ReadOnlySpan<byte> body, int priority, Span<byte> room, out int written)
    {
        written = 0;
        if (!Applies(body.Length, priority) || !Compressor.TryCompress(body, room, out written))
            return false;
        _priority = priority;
        return true;
    }

    /// <summary>Inflates a body; false: the connection cannot go on.</summary>
    /// <param name="body">The compressed body, joined when it came in two frames.</param>
    /// <param name="inflated">The body; valid until the next call.</param>
    public bool TryInflate(ReadOnlySpan<byte> body, out ReadOnlySpan<byte> inflated)
    {
        if (_inflated.Length == 0)
            _inflated = GC.AllocateUninitializedArray<byte>(_mostInflatedBytes);
        _inflater ??= Type == CompressionType.Zlib ? new ZlibInflater() : new Lz4Inflater();
        bool inflates = _inflater.TryInflate(body, _inflated, out int written);
        inflated = inflates ? _inflated.AsSpan(0, written) : default;
        return inflates;
    }

    /// <summary>Frees the streams.</summary>
    public void Dispose()
    {
        _compressor?.Dispose();
        _inflater?.Dispose();
    }

    private IBodyCompressor Compressor =>
        _compressor ??= Type == CompressionType.Zlib ? new ZlibCompressor(_level) : new Lz4Compressor();

    private static int DefaultThreshold(CompressionType type) => type == CompressionType.Zlib ? 30 : 300;
}
