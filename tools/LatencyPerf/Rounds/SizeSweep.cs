namespace LatencyPerf.Rounds;

/// <summary>Lists the sizes of a test: the minimum, doubled while it fits, and the maximum.</summary>
internal static class SizeSweep
{
    public static IReadOnlyList<int> Of(int minBytes, int maxBytes)
    {
        List<int> sizes = [];
        for (long size = minBytes; size <= maxBytes; size *= 2)
            sizes.Add((int)size);
        if (sizes[^1] != maxBytes)
            sizes.Add(maxBytes);
        return sizes;
    }
}
