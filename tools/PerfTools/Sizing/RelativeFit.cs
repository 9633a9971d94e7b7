using PerfTools.Results.Comparison;

namespace PerfTools.Sizing;

/// <summary>An estimate with the range that holds a new measurement with 95 % confidence; without a range where the scatter is unknown.</summary>
internal readonly record struct SizeValue(double Value, double? Low, double? High)
{
    /// <summary>Adds two estimates; the range assumes that both err to the same side.</summary>
    public static SizeValue operator +(SizeValue a, SizeValue b) => new(a.Value + b.Value, a.Low + b.Low, a.High + b.High);
}

/// <summary>
/// Models a cost as a sum of parts, none below 0: <c>a + b x rate + ...</c>, by least squares of relative errors, so that a low load counts as
/// much as a high one.
/// </summary>
/// <remarks>
/// A part that the measurements cannot separate from those before it (its column is constant, or a multiple of theirs) is omitted and unknown.
/// A part whose best value is negative is 0.
/// </remarks>
internal sealed class RelativeFit
{
    private const double Risk = 0.05; // the probability of a new measurement outside the range
    private const double LeastShare = 0.02; // of a column that must be independent of the others to be separable

    private readonly int[] _known;
    private readonly int[] _used;
    private readonly double[] _costs; // of the used columns
    private readonly double[,] _inverse;
    private readonly double _variance; // of a relative error
    private readonly int _freedom;

    private RelativeFit(int[] known, int[] used, IReadOnlyList<double[]> rows, IReadOnlyList<double> costs)
    {
        (_known, _used) = (known, used);
        double[,] squares = new double[used.Length, used.Length];
        double[] sums = new double[used.Length];
        for (int i = 0; i < rows.Count; i++)
        {
            for (int a = 0; a < used.Length; a++)
            {
                sums[a] += rows[i][used[a]] / costs[i];
                for (int b = 0; b < used.Length; b++)
                    squares[a, b] += rows[i][used[a]] * rows[i][used[b]] / (costs[i] * costs[i]);
            }
        }

        _inverse = Invert(squares);
        _costs = [.. Enumerable.Range(0, used.Length).Select(a => Enumerable.Range(0, used.Length).Sum(b => _inverse[a, b] * sums[b]))];
        Costs = [.. Enumerable.Range(0, rows[0].Length).Select(column => Array.IndexOf(used, column) is >= 0 and var at ? _costs[at] : 0)];
        _freedom = rows.Count - used.Length;
        double squared = Enumerable.Range(0, rows.Count).Sum(i => Math.Pow((costs[i] - At(rows[i])) / costs[i], 2));
        _variance = _freedom > 0 ? squared / _freedom : 0;
        WorstError = Enumerable.Range(0, rows.Count).Max(i => Math.Abs(costs[i] - At(rows[i])) / costs[i]);
    }

    /// <summary>The cost of one unit of each column; 0 for an unknown one.</summary>
    public IReadOnlyList<double> Costs { get; }

    /// <summary>The maximum relative error among the measurements themselves.</summary>
    public double WorstError { get; }

    /// <summary>True for a column whose cost the measurements show.</summary>
    public bool Knows(int column) => _known.Contains(column);

    /// <summary>Fits measurements.</summary>
    /// <param name="rows">The amount of each column in each measurement, 0 or more; at least one row, all of one length.</param>
    /// <param name="costs">The cost of each measurement, above 0.</param>
    public static RelativeFit Of(IReadOnlyList<double[]> rows, IReadOnlyList<double> costs)
    {
        int[] known = [.. FindKnown(rows, costs)];
        int[] used = known;
        while (true)
        {
            RelativeFit fit = new(known, used, rows, costs);
            int worst = used.Length > 1 ? used.MinBy(column => fit.Costs[column]) : used[0];
            if (fit.Costs[worst] >= 0)
                return fit;
            used = [.. used.Where(column => column != worst)];
        }
    }

    /// <summary>Predicts the cost of a load.</summary>
    /// <param name="row">Its amount of each column.</param>
    public SizeValue Predict(double[] row)
    {
        double value = At(row);
        if (_freedom <= 0)
            return new(value, null, null);
        double spread = 0;
        for (int a = 0; a < _used.Length; a++)
        {
            for (int b = 0; b < _used.Length; b++)
                spread += row[_used[a]] * _inverse[a, b] * row[_used[b]];
        }

        double error = StudentDistribution.Quantile(Risk, _freedom) * Math.Sqrt(_variance * ((value * value) + spread));
        return new(value, Math.Max(0, value - error), value + error);
    }

    private double At(double[] row) => Enumerable.Range(0, _used.Length).Sum(a => _costs[a] * row[_used[a]]);

    // Gram-Schmidt: the remainder of a column without its projection on the others.
    private static IEnumerable<int> FindKnown(IReadOnlyList<double[]> rows, IReadOnlyList<double> costs)
    {
        List<double[]> directions = [];
        for (int column = 0; column < rows[0].Length; column++)
        {
            double[] rest = [.. rows.Select((row, i) => row[column] / costs[i])];
            double whole = Length(rest);
            foreach (double[] direction in directions)
            {
                double share = rest.Zip(direction, (a, b) => a * b).Sum();
                rest = [.. rest.Zip(direction, (a, b) => a - (share * b))];
            }

            double own = Length(rest);
            if (whole <= 0 || own < LeastShare * whole)
                continue;
            directions.Add([.. rest.Select(value => value / own)]);
            yield return column;
        }
    }

    private static double Length(double[] values) => Math.Sqrt(values.Sum(value => value * value));

    // Gauss-Jordan; the columns are independent, so no pivot is 0.
    private static double[,] Invert(double[,] matrix)
    {
        int size = matrix.GetLength(0);
        double[,] left = (double[,])matrix.Clone(), right = new double[size, size];
        for (int i = 0; i < size; i++)
            right[i, i] = 1;
        for (int i = 0; i < size; i++)
        {
            double pivot = left[i, i];
            for (int k = 0; k < size; k++)
                (left[i, k], right[i, k]) = (left[i, k] / pivot, right[i, k] / pivot);
            for (int j = 0; j < size; j++)
            {
                double factor = left[j, i];
                for (int k = 0; k < size && j != i; k++)
                    (left[j, k], right[j, k]) = (left[j, k] - (factor * left[i, k]), right[j, k] - (factor * right[i, k]));
            }
        }

        return right;
    }
}
