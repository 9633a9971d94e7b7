using System.Globalization;

namespace PerfCommon.Measurement;

/// <summary>Lists the values of a histogram by percentile, at levels that get finer towards 100 %, and writes them as a <c>.hgrm</c> file.</summary>
internal static class HistogramDistribution
{
    /// <summary>Number of levels between 0 and 50 %, and again between there and each further halving of the rest.</summary>
    public const int UsualTicks = 5;

    private const double Whole = 100.0;
    private const int LevelDecimals = 12;
    private const int RatioDecimals = 2;

    /// <summary>
    /// Returns the levels: percentile, the value that this share does not exceed, and its count; the last level is 100 %.
    /// </summary>
    /// <remarks>
    /// The formula and its order are those of the HdrHistogram family, since its readers compare texts. With values above the range, the levels
    /// end before the cell that counts them: that cell's value represents none of them.
    /// </remarks>
    public static IEnumerable<(long Value, double Percentile, long Count)> Levels(this LongHistogram histogram,
        int ticksPerHalfDistance = UsualTicks)
    {
        (double level, long seen, long total) = (0, 0, histogram.TotalCount);
        for (int i = histogram.FirstUsed; i <= histogram.LastUsed; i++)
        {
            if (histogram.CountAt(i) == 0)
                continue;
            if (histogram.OverflowCount > 0 && histogram.Layout.LowestOf(i) >= histogram.ClampedFrom())
                yield break;
            seen += histogram.CountAt(i);
            long value = histogram.Layout.HighestOf(i);
            while (Whole * seen / total >= level)
            {
                yield return (value, level, seen);
                if (seen == total)
                {
                    yield return (value, Whole, seen);
                    yield break;
                }

                double halvings = Math.Floor(Math.Log(Whole / (Whole - level)) / Math.Log(2)) + 1;
                level += Whole / (ticksPerHalfDistance * Math.Pow(2, halvings));
            }
        }
    }

    /// <summary>
    /// Writes the <c>.hgrm</c> file: the levels, and below them mean, deviation, maximum and count with the precision of the cells.
    /// </summary>
    /// <param name="histogram">The histogram.</param>
    /// <param name="writer">Receives lines that end with one line feed.</param>
    /// <param name="unitsPerValue">Divisor of the values; 1,000 prints microseconds as milliseconds.</param>
    /// <param name="ticksPerHalfDistance">As of <see cref="Levels"/>.</param>
    public static void WriteDistribution(
        this LongHistogram histogram, TextWriter writer, double unitsPerValue = 1, int ticksPerHalfDistance = UsualTicks)
    {
        int digits = histogram.Layout.Digits;
        writer.Write("       Value     Percentile TotalCount 1/(1-Percentile)\n\n");
        foreach ((long value, double level, long count) in histogram.Levels(ticksPerHalfDistance))
        {
            string ratio = level < Whole ? Fixed(RatioOf(level), RatioDecimals).PadLeft(15) : "";
            writer.Write(Format($"{Fixed(value / unitsPerValue, digits),12} {Fixed(level / Whole, LevelDecimals)} {count,10}{ratio}\n"));
        }

        string mean = Fixed(histogram.GetMean() / unitsPerValue, digits),
        deviation = Fixed(histogram.GetStdDeviation() / unitsPerValue, digits);
        string max = Fixed(histogram.GetMaxValue() / unitsPerValue, digits);
        writer.Write(Format($"#[Mean    = {mean,12}, StdDeviation   = {deviation,12}]\n"));
        writer.Write(Format($"#[Max     = {max,12}, Total count    = {histogram.TotalCount,12}]\n"));
        if (histogram.OverflowCount > 0)
            writer.Write(Format($"#[Above the range = {histogram.OverflowCount}: levels that would lie there are left out]\n"));
        writer.Write(Format($"#[Buckets = {histogram.Layout.BucketCount,12}, SubBuckets     = {histogram.Layout.SubBucketCount,12}]\n"));
    }

    /// <summary>Writes the levels as comma-separated values, with a header and without the lines below them.</summary>
    /// <inheritdoc cref="WriteDistribution"/>
    public static void WriteDistributionCsv(
        this LongHistogram histogram, TextWriter writer, double unitsPerValue = 1, int ticksPerHalfDistance = UsualTicks)
    {
        writer.Write("\"Value\",\"Percentile\",\"TotalCount\",\"1/(1-Percentile)\"\n");
        foreach ((long value, double level, long count) in histogram.Levels(ticksPerHalfDistance))
        {
            string ratio = level < Whole ? Fixed(RatioOf(level), RatioDecimals) : "Infinity";
            writer.Write(
                Format($"{Fixed(value / unitsPerValue, histogram.Layout.Digits)},{Fixed(level / Whole, LevelDecimals)},{count},{ratio}\n"));
        }
    }

    private static double RatioOf(double level) => 1 / (1 - (level / Whole));

    // Levels usually end in a 5 beyond the last decimal: it is rounded up, which .NET formats do not do.
    private static string Fixed(double value, int decimals)
    {
        decimal exact = decimal.Parse(value.ToString("R", CultureInfo.InvariantCulture), NumberStyles.Float, CultureInfo.InvariantCulture);
        return decimal.Round(exact, decimals, MidpointRounding.AwayFromZero).ToString($"F{decimals}", CultureInfo.InvariantCulture);
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
