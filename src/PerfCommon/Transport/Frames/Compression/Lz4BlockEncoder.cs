using K4os.Compression.LZ4.Engine;

namespace PerfCommon.Transport.Compression;

/// <summary>Encodes lz4 blocks that do not refer to earlier ones, with one table of recent positions for all of them.</summary>
/// <remarks>
/// The package's one-shot encoder clears 16 KB for every block, 1.5 us of the 1.7 that 76 bytes need. Its streaming encoder keeps the table,
/// but refers to the block before; if that block has a single byte, it is too short to be referred to, and everything older is out of
/// reach. So a block of one byte follows each block. One thread; only the table is allocated, with the first block.
/// </remarks>
internal sealed unsafe class Lz4BlockEncoder : IDisposable // wire/transport 5.3
{
    private const int Acceleration = 1;
    private const int SeparatorRoom = 16;

    private Pubternal.FastContext? _table;

    // The byte between blocks, and the buffer of its block: our data never begins directly after that byte.
    private byte[]? _separator;

    /// <summary>Compresses <paramref name="source"/> into one block.</summary>
    /// <param name="source">The data, 1 byte or more.</param>
    /// <param name="target">Buffer for the block; its content is undefined after the block, and completely undefined after a failure.</param>
    /// <returns>Bytes of the block; -1 when <paramref name="target"/> is too small.</returns>
    public int Encode(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (_table is null)
        {
            _table = new Pubternal.FastContext();
            _separator = GC.AllocateArray<byte>(2 * SeparatorRoom, pinned: true);
        }

        fixed (byte* from = source, to = target, separator = _separator)
        {
            int written = Pubternal.CompressFast(_table, from, to, source.Length, target.Length, Acceleration);
            _ = Pubternal.CompressFast(_table, separator, separator + SeparatorRoom, 1, SeparatorRoom, Acceleration);
            return written > 0 ? written : -1;
        }
    }

    public void Dispose()
    {
        _table?.Dispose();
        _table = null;
    }
}
