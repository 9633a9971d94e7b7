using PerfTools.Results.Comparison;

namespace PerfTools.Results.History;

/// <summary>Finds where the level of a series changes: each split of nested intervals is a comparison of two sides by Student's t.</summary>
/// <remarks>
/// Noise is measured between runs. An outlier is first moved towards its neighbours, so that a single run neither makes nor hides a change. The error
/// is the greater of that within both sides and that between neighbours, and grows where neighbours are alike. Of all splits that are large enough,
/// the most certain one is a change if it holds against the number of splits tested in the whole history; then both sides are searched.
/// </remarks>
internal sealed class ChangePoints
{
    /// <summary>Minimum runs of a level.</summary>
    public const int MinSide = 3;

    private const int HalfWindow = 3;
    private const double OutlierDeviations = 3;
    private const double KeptDifferences = 0.9;

    // Mean of |x - y| of normal values of deviation 1 without its highest tenth.
    private const double TrimmedMean = 0.9296;

    // Minimum noise, as a part of the minimum change: a figure may be constant between its steps.
    private const double MinNoisePart = 0.125;
    private const double MaxLikeness = 0.6;
    private const int MaxRounds = 5;

    private readonly double[] _sums;
    private readonly double[] _squares;
    private readonly double[] _logs;
    private readonly double _between;
    private readonly double _deviation;
    private readonly double _minChange;
    private readonly double _limit;

    /// <summary>Prepares a search.</summary>
    /// <param name="logs">Logarithms of the values in the order of time.</param>
    /// <param name="minChange">Minimum change, as a part of the value.</param>
    /// <param name="chance">The probability with which one test may mistake chance for a change.</param>
    public ChangePoints(IReadOnlyList<double> logs, double minChange, double chance)
    {
        _minChange = Math.Log(1 + minChange);
        _between = FindDeviation(logs);
        _deviation = Math.Max(_between, MinNoisePart * _minChange);
        _logs = DrawOutliersIn(logs, OutlierDeviations * _deviation);
        _sums = new double[logs.Count + 1];
        _squares = new double[logs.Count + 1];
        for (int i = 0; i < _logs.Length; i++)
            (_sums[i + 1], _squares[i + 1]) = (_sums[i] + (_logs[i] - _logs[0]), _squares[i] + ((_logs[i] - _logs[0]) * (_logs[i] - _logs[0])));
        // The deviation between neighbours is worth about half as many degrees of freedom as there are runs.
        _limit = StudentDistribution.Quantile(chance, Math.Max(logs.Count / 2, 2));
    }

    /// <summary>Counts the splits that are tested in a series of this length.</summary>
    public static long CountLooks(int runs) =>
        Intervals(0, runs).Sum(interval => (long)(interval.End - interval.Begin - (2 * MinSide) + 1));

    /// <summary>Finds the first runs of new levels, ascending.</summary>
    public IReadOnlyList<int> Find()
    {
        List<int> found = [];
        Search(0, _logs.Length, found);
        found.Sort();
        for (int round = 0; round < MaxRounds; round++)
        {
            int[] placed = [.. PlaceAgain(found)];
            if (placed.SequenceEqual(found))
                break;
            found = [.. placed];
        }

        return found;
    }

    /// <summary>Returns the level of some runs, as a logarithm.</summary>
    public double LevelOf(int begin, int end) => _logs[0] + ((_sums[end] - _sums[begin]) / (end - begin));

    /// <summary>Returns the deviation of single runs from their levels, as a logarithm.</summary>
    public double DeviationAround(IReadOnlyList<int> changes)
    {
        int[] ends = [0, .. changes, _logs.Length];
        double squares = Enumerable.Range(0, ends.Length - 1).Sum(i => SquaresOf(ends[i], ends[i + 1]));
        return Math.Max(_between, Math.Sqrt(squares / Math.Max(_logs.Length - ends.Length + 1, 1)));
    }

    /// <summary>Returns the change that chance alone can cause between two neighbouring levels, as a logarithm.</summary>
    public double NoiseAt(int begin, int split, int end) => _limit * ErrorAt(begin, split, end) * Likeness(begin, split, end);

    private void Search(int begin, int end, List<int> found)
    {
        (double Sureness, int Begin, int Split, int End) best = default;
        foreach ((int from, int to) in Intervals(begin, end))
        {
            if (FindBest(from, to) is { } split && split.Sureness > best.Sureness)
                best = (split.Sureness, from, split.At, to);
        }

        if (best.Sureness <= _limit * Likeness(best.Begin, best.Split, best.End))
            return;
        found.Add(best.Split);
        Search(begin, best.Split, found);
        Search(best.Split, end, found);
    }

    // Each change is moved to its most certain place between its neighbours, or removed.
    private IEnumerable<int> PlaceAgain(List<int> changes)
    {
        int begin = 0;
        for (int i = 0; i < changes.Count; i++)
        {
            int end = i + 1 < changes.Count ? changes[i + 1] : _logs.Length;
            if (FindBest(begin, end) is { } best && best.Sureness > _limit * Likeness(begin, best.At, end))
                yield return begin = best.At;
        }
    }

    private (double Sureness, int At)? FindBest(int begin, int end)
    {
        (double Sureness, int At)? best = null;
        for (int split = begin + MinSide; split <= end - MinSide; split++)
        {
            double change = Math.Abs(LevelOf(split, end) - LevelOf(begin, split));
            if (change >= _minChange && change / ErrorAt(begin, split, end) is var sureness && !(best?.Sureness >= sureness))
                best = (sureness, split);
        }

        return best;
    }

    private double ErrorAt(int begin, int split, int end)
    {
        double within = Math.Sqrt((SquaresOf(begin, split) + SquaresOf(split, end)) / Math.Max(end - begin - 2, 1));
        return Math.Max(within, _deviation) * Math.Sqrt((1.0 / (split - begin)) + (1.0 / (end - split)));
    }

    // Consecutive runs on a busy machine are alike: they are worth less than the same number of independent ones.
    private double Likeness(int begin, int split, int end)
    {
        double products = 0, squares = 0, last = 0;
        double before = split > begin ? LevelOf(begin, split) : 0, after = end > split ? LevelOf(split, end) : 0;
        for (int i = begin; i < end; i++)
        {
            double rest = _logs[i] - (i < split ? before : after);
            products += i > begin ? rest * last : 0;
            squares += rest * rest;
            last = rest;
        }

        double likeness = squares > 0 ? Math.Clamp(products / squares, 0, MaxLikeness) : 0;
        return Math.Sqrt((1 + likeness) / (1 - likeness));
    }

    private double SquaresOf(int begin, int end)
    {
        double sum = _sums[end] - _sums[begin];
        return Math.Max(_squares[end] - _squares[begin] - (sum * sum / (end - begin)), 0);
    }

    // The whole, and halves, quarters ... that overlap by half: a short change in the middle is no split of the whole.
    private static IEnumerable<(int Begin, int End)> Intervals(int begin, int end)
    {
        for (int length = end - begin; length >= 2 * MinSide; length /= 2)
        {
            int step = Math.Max(length / 2, 1);
            for (int from = begin; from + length <= end; from += step)
                yield return (from, from + length);
        }
    }

    private static double FindDeviation(IReadOnlyList<double> logs)
    {
        double[] differences = [.. logs.Skip(1).Select((log, i) => Math.Abs(log - logs[i])).Order()];
        return differences.Length == 0 ? 0 : differences.Take((int)Math.Ceiling(KeptDifferences * differences.Length)).Average() / TrimmedMean;
    }

    private static double[] DrawOutliersIn(IReadOnlyList<double> logs, double limit) =>
    [
        .. logs.Select((log, i) =>
        {
            int from = Math.Max(i - HalfWindow, 0), to = Math.Min(i + HalfWindow + 1, logs.Count);
            double[] around = [.. logs.Skip(from).Take(to - from).Order()];
            double middle = (around[(around.Length - 1) / 2] + around[around.Length / 2]) / 2;
            return Math.Clamp(log, middle - limit, middle + limit);
        }),
    ];
}
