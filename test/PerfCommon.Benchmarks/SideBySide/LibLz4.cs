using System.Runtime.InteropServices;

namespace PerfCommon.Benchmarks.SideBySide;

/// <summary>The system's liblz4, where it is installed.</summary>
internal static partial class LibLz4
{
    private const string Library = "liblz4.so.1";

    /// <summary>True when it can be loaded.</summary>
    public static bool IsHere { get; } = NativeLibrary.TryLoad(Library, out _);

    /// <summary>Compresses as our encoder does: the fast one, with its usual acceleration.</summary>
    /// <returns>Bytes of the block; 0 when they do not fit.</returns>
    public static int Encode(ReadOnlySpan<byte> source, Span<byte> target) =>
        LZ4_compress_default(source, target, source.Length, target.Length);

    /// <summary>Decompresses, with every check.</summary>
    /// <returns>Bytes of data; negative for a malformed block.</returns>
    public static int Decode(ReadOnlySpan<byte> source, Span<byte> target) =>
        LZ4_decompress_safe(source, target, source.Length, target.Length);

    // Called without a change of the thread's state, which would cost a small block half its time.
    [LibraryImport(Library)]
    [SuppressGCTransition]
    private static partial int LZ4_compress_default(ReadOnlySpan<byte> source, Span<byte> target, int sourceBytes, int targetBytes);

    [LibraryImport(Library)]
    [SuppressGCTransition]
    private static partial int LZ4_decompress_safe(ReadOnlySpan<byte> source, Span<byte> target, int sourceBytes, int targetBytes);
}
