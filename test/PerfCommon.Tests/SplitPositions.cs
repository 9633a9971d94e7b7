namespace PerfCommon.Tests;

/// <summary>Positions at which bytes are split in two: every one in nightly tests, every seventh in the usual tests.</summary>
internal static class SplitPositions
{
    public const int Every = 1;
    public const int Usual = 7; // frame lengths are different: over the vectors each position within a header occurs

    /// <param name="length">Number of bytes.</param>
    /// <param name="step"><see cref="Every"/> or <see cref="Usual"/>.</param>
    public static IEnumerable<int> Of(int length, int step)
    {
        for (int position = 0; position < length; position += step)
            yield return position;
    }
}
