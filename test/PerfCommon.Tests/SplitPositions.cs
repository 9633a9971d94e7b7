namespace PerfCommon.Tests;

/// <summary>Where bytes are split in two: after every one at night, after every seventh in the usual tests.</summary>
internal static class SplitPositions
{
    public const int Every = 1;
    public const int Usual = 7; // frames have other lengths: over the vectors each place within a header has its turn

    /// <param name="length">How many bytes there are.</param>
    /// <param name="step"><see cref="Every"/> or <see cref="Usual"/>.</param>
    public static IEnumerable<int> Of(int length, int step)
    {
        for (int position = 0; position < length; position += step)
            yield return position;
    }
}
