namespace PerfTools.Results.Comparison;

/// <summary>A figure of a measurement and its uncertainty.</summary>
/// <param name="Value">The figure, of all pieces added up.</param>
/// <param name="LogVariance">Variance of its logarithm, as the pieces show it; null where it is not known.</param>
/// <param name="StepVariance">Variance of its logarithm that the resolution of the figure causes.</param>
/// <param name="Degrees">Degrees of freedom of <paramref name="LogVariance"/>.</param>
internal sealed record Estimate(double Value, double? LogVariance, double StepVariance, double Degrees)
{
    // The deviations between runs are from forty runs.
    private const double RunDegrees = 39;

    // A value somewhere in a step of width w has the variance w^2 / 12.
    private const double UniformVariance = 1 / 12.0;

    /// <summary>Estimates a figure by leaving out one piece after the other; null where it is not known or 0.</summary>
    /// <remarks>
    /// A percentile of three runs is the percentile of the sum of their histograms. Its uncertainty follows from its values without the first run,
    /// without the second, without the third (the jackknife), so no percentile is ever computed from percentiles.
    /// </remarks>
    /// <param name="figure">The figure.</param>
    /// <param name="sums">The sums of the pieces.</param>
    public static Estimate? Of(ComparedFigure figure, SegmentSums sums)
    {
        if (figure.Read(sums.Whole) is not ({ } value and > 0))
            return null;
        double step = figure.Samples?.Of(sums.Whole).StepMicros / value ?? 0;
        double? between = FindLogVariance(figure, sums);
        double runs = sums.IsOneRun ? figure.RunDeviation * figure.RunDeviation : 0;
        return new(value, between + runs, step * step * UniformVariance, AddDegrees(between ?? 0, sums.Without.Count - 1, runs));
    }

    // Welch and Satterthwaite: the parts of a run, and runs compared with each other.
    private static double AddDegrees(double variance, int degrees, double runVariance)
    {
        double weighed = (variance * variance / degrees) + (runVariance * runVariance / RunDegrees);
        return weighed > 0 ? (variance + runVariance) * (variance + runVariance) / weighed : degrees;
    }

    private static double? FindLogVariance(ComparedFigure figure, SegmentSums sums)
    {
        double?[] without = [.. sums.Without.Select(figure.Read)];
        int count = without.Length;
        if (count < 2 || figure.Read(sums.All) is not ({ } all and > 0) || without.Any(value => value is not > 0))
            return null;
        double whole = Math.Log(all);
        double[] pseudo = [.. without.Select(value => (count * whole) - ((count - 1) * Math.Log(value!.Value)))];
        double mean = pseudo.Average();
        return pseudo.Sum(value => (value - mean) * (value - mean)) / (count - 1) / count;
    }
}

/// <summary>The sums of a measurement's pieces: of all of them, and of all but each.</summary>
/// <param name="pieces">The pieces; none where the uncertainty is unknown.</param>
/// <param name="whole">The source of the figures' values; null for the sum of all pieces.</param>
internal sealed class SegmentSums(IReadOnlyList<MeasuredSegment> pieces, MeasuredSegment? whole = null)
{
    public int Count => pieces.Count;

    /// <summary>True when the pieces are parts of a run: they do not show how far runs differ from each other.</summary>
    public bool IsOneRun => whole is not null;

    public SegmentSum All { get; } = SegmentSum.Of(pieces);

    public SegmentSum Whole => whole is null ? All : field ??= SegmentSum.Of([whole]);

    /// <summary>Sums of all but the first, all but the second, and so on; empty for fewer than two pieces.</summary>
    public IReadOnlyList<SegmentSum> Without { get; } =
        pieces.Count < 2 ? [] : [.. Enumerable.Range(0, pieces.Count).Select(left => SegmentSum.Of([.. pieces.Where((_, i) => i != left)]))];
}
