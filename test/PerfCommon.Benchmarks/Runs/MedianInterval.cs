namespace PerfCommon.Benchmarks.Runs;

/// <summary>The median of independent values, and an interval that contains the true median for any distribution.</summary>
/// <param name="Count">Number of values.</param>
/// <param name="Median">Their median.</param>
/// <param name="Low">Lower end of the interval; null below 6 values, which no interval of this kind can carry.</param>
/// <param name="High">Lower end of the interval; null below 6 values, too few for an interval of this kind.</param>
/// <param name="Coverage">The probability that the interval contains the true median, 0.95 or a little more; 0 without an interval.</param>
internal sealed record MedianInterval(int Count, double Median, double? Low, double? High, double Coverage)
{
    /// <summary>Minimum coverage of an interval.</summary>
    public const double MinCoverage = 0.95;

    /// <summary>Uses the k-th least and the k-th greatest value, with the greatest k whose coverage is sufficient.</summary>
    /// <returns>Null when there are no values.</returns>
    /// <remarks>Of 10 values: the second and the ninth, which contain the median with 97.9 %.</remarks>
    public static MedianInterval? Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        if (sorted.Length == 0)
            return null;
        (int rank, double coverage) = FindRank(sorted.Length);
        double median = MedianOfSorted(sorted);
        return rank == 0
            ? new(sorted.Length, median, null, null, 0)
            : new(sorted.Length, median, sorted[rank - 1], sorted[^rank], coverage);
    }

    /// <summary>Returns the value in the middle, or the mean of the two; null without values.</summary>
    public static double? MedianOf(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? null : MedianOfSorted(sorted);
    }

    private static double MedianOfSorted(double[] sorted) => (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;

    // The number of n values below the true median is binomial with p = 1/2: the interval of rank k misses it when fewer than k
    // are below it, or fewer than k above it.
    private static (int Rank, double Coverage) FindRank(int count)
    {
        double probability = Math.Pow(0.5, count); // that exactly `rank` values are below
        double covered = 1 - (2 * probability);
        int rank = 0;
        double coverage = 0;
        while (covered >= MinCoverage)
        {
            rank++;
            coverage = covered;
            probability *= (count - rank + 1) / (double)rank;
            covered -= 2 * probability;
        }

        return (rank, coverage);
    }
}
