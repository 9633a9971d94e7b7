using K4os.Compression.LZ4;
using PerfCommon.Transport.Compression;

namespace Fuzz.Targets;

/// <summary>A block of LZ4, decompressed into buffers of several sizes that end at the end of accessible memory.</summary>
internal static class Lz4Target
{
    private static readonly int[] Rooms = [0, 1, 17, 300, 6_147];

    [ThreadStatic]
    private static GuardedBytes? _room;

    public static void Read(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        _room ??= new GuardedBytes();
        foreach (int bytes in Rooms)
            FuzzTurns.Demand(Lz4BlockDecoder.Decode(input, _room.Room(bytes)) <= bytes, "more came out than there is room for");
    }

    public static IEnumerable<byte[]> CreateSamples()
    {
        foreach (int length in new[] { 20, 300, 3_000 })
        {
            byte[] data = [.. Enumerable.Range(0, length).Select(i => (byte)(i % 76 < 40 ? i % 5 : i * i))];
            byte[] block = new byte[LZ4Codec.MaximumOutputSize(length)];
            yield return block[..LZ4Codec.Encode(data, block)];
        }
    }
}
