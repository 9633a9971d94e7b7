namespace PerfTools.Search;

/// <summary>One load of a curve.</summary>
/// <param name="Percent">The load in percent of the capacity.</param>
/// <param name="Sample">The measurement at this load; disturbed where every repeat was.</param>
internal sealed record CurvePoint(int Percent, SearchSample Sample)
{
    /// <summary>False for a point that cannot be drawn with the others.</summary>
    public bool Counts => Sample is { Disturbance: null, Figures: not null };
}

/// <summary>Latency and cost over load, from 10 % of a capacity to 10 % above it.</summary>
internal sealed class LoadCurve
{
    /// <summary>The seconds of a run that p99.9 needs at a thousand samples per second.</summary>
    public const int MinSeconds = 11;

    /// <summary>The maximum seconds of a curve, while roles stay up.</summary>
    public const int MaxSeconds = MaxPercent / StepPercent * Tries * (MinSeconds + 2);

    private const int StepPercent = 10;
    private const int MaxPercent = 110;
    private const int Tries = 3;
    private const double KneeFactor = 2;

    private LoadCurve(IReadOnlyList<CurvePoint> points) => Points = points;

    /// <summary>The points, ordered by load.</summary>
    public IReadOnlyList<CurvePoint> Points { get; }

    /// <summary>p99 of the lowest load, in microseconds; null where unknown.</summary>
    public double? LowP99 => Points.FirstOrDefault(HasP99)?.Sample.Figures!.P99;

    /// <summary>The load from which on p99 stays above twice that of the lowest; null where there is none.</summary>
    public CurvePoint? Knee => Points.Where(HasP99).Reverse().TakeWhile(point => point.Sample.Figures!.P99 > KneeFactor * LowP99).LastOrDefault();

    /// <summary>Measures the curve.</summary>
    /// <param name="range">The permitted values.</param>
    /// <param name="answer">The answer, with its placement: points with another placement do not count.</param>
    /// <param name="measure">Measures a value; null when that was interrupted, which ends the curve.</param>
    /// <param name="measured">Receives each measurement when it is over.</param>
    /// <param name="number">The number of the last measurement so far.</param>
    public static LoadCurve Measure(SearchRange range, SearchAnswer answer, Func<SearchStep, SearchSample?> measure, Action<SearchSample> measured, int number)
    {
        List<CurvePoint> points = [];
        for (int percent = StepPercent; percent <= MaxPercent; percent += StepPercent)
        {
            int value = range.PartOf(answer.Value!.Value, percent / 100.0);
            if (points.Exists(point => point.Sample.Value == value))
                continue;
            SearchSample? last = null;
            for (int i = 0; i < Tries && last is not { Disturbance: null }; i++)
            {
                if (measure(new(++number, SearchStage.Curve, value, answer.Kept, answer.Missed)) is not { } sample)
                    return new(points);
                last = sample with { Number = number, Stage = SearchStage.Curve, Disturbance = sample.Disturbance ?? FindMisplaced(sample, answer) };
                measured(last);
            }

            points.Add(new(percent, last!));
        }

        return new(points);
    }

    private static string? FindMisplaced(SearchSample sample, SearchAnswer answer) =>
        sample.Placement is not null && answer.Placement is not null && sample.Placement != answer.Placement
            ? $"placement {sample.Placement} instead of {answer.Placement}" : null;

    private static bool HasP99(CurvePoint point) => point.Counts && point.Sample.Figures!.P99 is not null;
}
