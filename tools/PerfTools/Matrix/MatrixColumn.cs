using PerfTools.Results.Comparison;

namespace PerfTools.Matrix;

/// <summary>A figure of one combination over its rounds.</summary>
/// <param name="Mean">The geometric mean of its rounds.</param>
/// <param name="Low">The lower end of its 95 % confidence interval; the mean where the spread of rounds is unknown.</param>
/// <param name="High">The upper end.</param>
/// <param name="Rounds">The number of rounds that have the figure.</param>
internal sealed record MatrixValue(double Mean, double Low, double High, int Rounds);

/// <summary>One figure of all combinations, and which of them are the best and the worst beyond noise.</summary>
/// <remarks>
/// The spread of rounds is estimated from all combinations together, in logarithms: three rounds of one combination alone would not show it. The best
/// is better than each of the others by more than chance gives in one of twenty matrices, and by one percent at least.
/// </remarks>
internal sealed class MatrixColumn
{
    private const double Doubt = 0.05; // the complement of 95 % confidence
    private const double LeastDifference = 0.01;

    private readonly double[][] _logs;
    private readonly double _variance;
    private readonly int _degrees;

    /// <param name="values">The values of each combination, one for each round that has the figure; none below 0.</param>
    /// <param name="isLowerBetter">True for a figure that is better low.</param>
    public MatrixColumn(IEnumerable<IEnumerable<double?>> values, bool isLowerBetter)
    {
        _logs = [.. values.Select(rounds => (double[])[.. rounds.OfType<double>().Where(value => value > 0).Select(value => Math.Log(value))])];
        _degrees = _logs.Sum(rounds => Math.Max(rounds.Length - 1, 0));
        _variance = _degrees == 0 ? 0 : _logs.Where(rounds => rounds.Length > 0).Sum(SquaresOf) / _degrees;
        Values = [.. _logs.Select(CreateValue)];
        int[] known = [.. Enumerable.Range(0, _logs.Length).Where(i => _logs[i].Length > 0).OrderBy(i => isLowerBetter ? Values[i]!.Mean : -Values[i]!.Mean)];
        Best = FindApart(known);
        Worst = FindApart([.. known.Reverse()]);
        (double low, double high) = known.Length == 0 ? (0, 0) : (known.Min(i => Values[i]!.Mean), known.Max(i => Values[i]!.Mean));
        Heat = [.. Values.Select(value => value is null || high <= low * (1 + LeastDifference) ? (double?)null
            : isLowerBetter ? (value.Mean - low) / (high - low) : (high - value.Mean) / (high - low))];
    }

    /// <summary>The figure of each combination; null where no round has it.</summary>
    public IReadOnlyList<MatrixValue?> Values { get; }

    /// <summary>The position of each between the best, 0, and the worst, 1; null where it has none, or all are within one percent.</summary>
    public IReadOnlyList<double?> Heat { get; }

    /// <summary>The number of the best; null where none differs beyond noise.</summary>
    public int? Best { get; }

    /// <summary>The number of the worst; null where none differs beyond noise.</summary>
    public int? Worst { get; }

    private static double SquaresOf(double[] rounds)
    {
        double mean = rounds.Average();
        return rounds.Sum(log => (log - mean) * (log - mean));
    }

    private MatrixValue? CreateValue(double[] rounds)
    {
        if (rounds.Length == 0)
            return null;
        double mean = rounds.Average();
        double half = _degrees == 0 ? 0 : StudentDistribution.Quantile(Doubt, _degrees) * Math.Sqrt(_variance / rounds.Length);
        return new(Math.Exp(mean), Math.Exp(mean - half), Math.Exp(mean + half), rounds.Length);
    }

    // The first of an order, when it differs from every other. It is compared with each of the others, so each comparison must be surer.
    private int? FindApart(int[] order)
    {
        if (order.Length < 2 || _degrees == 0)
            return null;
        int first = order[0];
        double quantile = StudentDistribution.Quantile(Doubt / (order.Length - 1), _degrees);
        return order.Skip(1).All(other => IsApart(first, other, quantile)) ? first : null;
    }

    private bool IsApart(int one, int other, double quantile)
    {
        double difference = Math.Abs(_logs[one].Average() - _logs[other].Average());
        double chance = quantile * Math.Sqrt(_variance * ((1.0 / _logs[one].Length) + (1.0 / _logs[other].Length)));
        return difference > Math.Max(chance, LeastDifference);
    }
}
