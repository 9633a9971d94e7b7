using PerfCommon.Transport.Compression;

namespace Fuzz.Targets;

/// <summary>Two bodies of one zlib stream: the input in halves.</summary>
internal static class ZlibTarget
{
    private const int RoomBytes = 6_147;

    [ThreadStatic]
    private static GuardedBytes? _room;

    public static void Read(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        using ZlibFrameCompressor inflater = new(6);
        Span<byte> room = (_room ??= new GuardedBytes()).Room(RoomBytes);
        FuzzTurns.Demand(inflater.Inflate(input[..(input.Length / 2)], room) <= RoomBytes, "more came out than there is room for");
        FuzzTurns.Demand(inflater.Inflate(input[(input.Length / 2)..], room) <= RoomBytes, "more came out than there is room for");
    }

    public static IEnumerable<byte[]> CreateSamples()
    {
        byte[] room = new byte[10_000];
        foreach (int length in new[] { 5, 200, 4_000 })
        {
            using ZlibFrameCompressor compressor = new(6);
            byte[] body = [.. Enumerable.Range(0, length).Select(i => (byte)(i % 3 == 0 ? i * i : i))];
            int first = compressor.Compress(body, room);
            yield return [.. room.AsSpan(0, first), .. room.AsSpan(first, compressor.Compress(body, room.AsSpan(first)))];
        }
    }
}
