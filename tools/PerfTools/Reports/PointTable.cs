namespace PerfTools.Reports;

/// <summary>Figures over time, at most <see cref="MaxPoints"/> of each.</summary>
/// <param name="SecondsPerPoint">The time that a point covers.</param>
/// <param name="Seconds">The end of each point's time, from the start of the run.</param>
/// <param name="Columns">The figures.</param>
internal sealed record PointTable(double SecondsPerPoint, IReadOnlyList<double> Seconds, IReadOnlyList<PointColumn> Columns)
{
    /// <summary>The maximum number of points in a report; a longer run has coarser ones.</summary>
    public const int MaxPoints = 720;

    /// <summary>The number of points; 0 where nothing was collected.</summary>
    public int PointCount => Columns.Count == 0 ? 0 : Seconds.Count;

    /// <summary>The values of a column; null where there is none of that name.</summary>
    public IReadOnlyList<double?>? this[string name] => Columns.FirstOrDefault(column => column.Name == name)?.Values;
}

/// <summary>One figure over time.</summary>
/// <param name="Name">Its name in the embedded points, <c>role.figure</c>.</param>
/// <param name="Title">The heading of its column.</param>
/// <param name="Values">A value for each point; null for none.</param>
internal sealed record PointColumn(string Name, string Title, IReadOnlyList<double?> Values);

/// <summary>How several values become one point.</summary>
internal enum Thinning
{
    /// <summary>Their mean: rates, processor time, memory.</summary>
    Mean,

    /// <summary>Their maximum: maxima, and percentiles where nothing finer is known.</summary>
    Highest,
}
