using System.Globalization;

namespace PerfTools.Results.Comparison;

/// <summary>The figures of round trips, one of each for every size: <c>p99@64</c> is the p99 of packets of 64 bytes.</summary>
internal static class SizedFigures
{
    private const char SizeMark = '@';

    private static readonly (string Name, double Percentile)[] Percentiles = [("p50", 50), ("p90", 90), ("p99", 99)];

    /// <summary>Returns the figures of these sizes, one size after the other.</summary>
    public static IEnumerable<ComparedFigure> Of(IEnumerable<int> sizes) => sizes.Order().SelectMany(Of);

    /// <summary>True for the name of such a figure, of any size.</summary>
    public static bool IsName(string name) => name.Split(SizeMark) is [var figure, var size]
        && int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out int bytes) && bytes > 0
            && Of(bytes).Any(known => known.Name == $"{figure}{SizeMark}{size}");

    private static IEnumerable<ComparedFigure> Of(int bytes)
    {
        SampleSum Samples(SegmentSum sum) => sum.RoundTripsOf(bytes);
        yield return ComparedFigure.OfMean(NameOf("avg", bytes), TitleOf("average", bytes), Samples);
        foreach ((string name, double percentile) in Percentiles)
            yield return ComparedFigure.OfPercentile(NameOf(name, bytes), TitleOf(name, bytes), percentile, Samples);
    }

    private static string NameOf(string figure, int bytes) => string.Create(CultureInfo.InvariantCulture, $"{figure}{SizeMark}{bytes}");

    private static string TitleOf(string figure, int bytes) =>
        string.Create(CultureInfo.InvariantCulture, $"round trip {figure}, {bytes} bytes, us");
}
