using System.Globalization;

namespace PerfTools.Reports.Charts;

/// <summary>The scale along one side of a chart: the position of each value, and the marked values.</summary>
/// <param name="Place">The position of a value, from 0 at the beginning to 1 at the end.</param>
/// <param name="Ticks">The values that are marked, and their text.</param>
internal sealed record Axis(Func<double, double> Place, IReadOnlyList<(double Value, string Text)> Ticks)
{
    /// <summary>Formats a value for the tooltip at its position.</summary>
    public Func<double, string> Show { get; init; } = value => value.ToString("0.####", CultureInfo.InvariantCulture);

    private const int UsualTicks = 5;
    private const double SecondsPerMinute = 60;
    private const double MaxWhole = 1L << 62;
    private const double Least = 1e-9; // smaller values count as 0
    private const double LeastSpan = 0.02; // of the value: a smaller span would show noise as if it were large
    private const double LeastShort = 0.001; // three decimals do not distinguish smaller steps
    private const double SmallestNine = 1e-7;
    private const double Rounding = 1e-6; // 99.9 % are three nines, not slightly more
    private static readonly double[] Steps = [1, 2, 2.5, 5, 10];
    private static readonly double[] MinuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200];

    /// <summary>Creates a linear axis from 0 to a round number at or above the highest value.</summary>
    public static Axis FromZero(IEnumerable<double?> values)
    {
        double max = values.Max() is > Least and var highest ? highest : 1;
        double step = RoundStep(max / UsualTicks);
        int count = (int)Math.Ceiling(Math.Round(max / step, 6));
        return new(value => value / (count * step), [.. Enumerable.Range(0, count + 1).Select(i => (i * step, Short(i * step, count * step)))]);
    }

    /// <summary>Creates a linear axis between round numbers around the values, so that a change of a few percent is visible.</summary>
    public static Axis Around(IEnumerable<double?> values)
    {
        double[] known = [.. values.OfType<double>().DefaultIfEmpty(0)];
        double missing = Math.Max(Math.Max(Math.Abs(known.Max()) * LeastSpan, Least) - (known.Max() - known.Min()), 0);
        (double min, double max) = (known.Min() - (missing / 2), known.Max() + (missing / 2));
        double step = RoundStep((max - min) / UsualTicks);
        double first = Math.Floor(min / step), last = Math.Max(Math.Ceiling(max / step), first + 1);
        return new(value => ((value / step) - first) / (last - first), [.. Enumerable.Range(0, (int)(last - first) + 1)
            .Select(i => ((first + i) * step, step < LeastShort ? ((first + i) * step).ToString("0.######", CultureInfo.InvariantCulture)
                : Short((first + i) * step, last * step)))]);
    }

    /// <summary>Creates a logarithmic axis: whole decades, with 2 and 5 between where there are few.</summary>
    public static Axis Logarithmic(IEnumerable<double?> values, double min)
    {
        double[] known = [.. values.OfType<double>().Select(value => Math.Max(value, min))];
        int first = (int)Math.Floor(Math.Log10(known.DefaultIfEmpty(min).Min()));
        int last = Math.Max(first + 1, (int)Math.Ceiling(Math.Log10(known.DefaultIfEmpty(min).Max())));
        double[] marks = last - first > 2 ? [1] : [1, 2, 5];
        IEnumerable<(double, string)> ticks =
            from decade in Enumerable.Range(first, last - first + 1)
            from mark in marks
            let value = mark * Math.Pow(10, decade)
            where value <= Math.Pow(10, last)
            select (value, Short(value, Math.Pow(10, last)));
        return new(value => (Math.Log10(Math.Max(value, min)) - first) / (last - first), [.. ticks]);
    }

    /// <summary>Creates an axis of seconds of the run; from a minute on as minutes and seconds, from an hour on with hours.</summary>
    public static Axis Time(double seconds)
    {
        double end = Math.Max(seconds, 1);
        double longest = MinuteSteps[^1] * Math.Ceiling(end / MinuteSteps[^1] / (UsualTicks + 1));
        double step = MinuteSteps.FirstOrDefault(step => end / step <= UsualTicks + 1, longest);
        return new(value => value / end, [.. Enumerable.Range(0, (int)(end / step) + 1).Select(i => (i * step, TimeText(i * step, end)))])
        {
            Show = value => value.ToString("0.# s", CultureInfo.InvariantCulture),
        };
    }

    /// <summary>Creates an axis of names, numbered from 0, with half a position free at both ends.</summary>
    public static Axis Named(IReadOnlyList<string> names) =>
        new(place => (place + 0.5) / names.Count, [.. names.Select((name, i) => ((double)i, name))])
        {
            Show = place => names[Math.Clamp((int)Math.Round(place), 0, names.Count - 1)],
        };

    /// <summary>Creates an axis of percentiles: each further nine has the same width.</summary>
    /// <param name="highest">The highest percentile that is shown, below 100.</param>
    public static Axis Nines(double highest)
    {
        int nines = Math.Clamp((int)Math.Ceiling(Depth(highest) - Rounding), 2, 7);
        IEnumerable<(double, string)> ticks = Enumerable.Range(0, nines + 1)
            .Select(i => 100 - (100 / Math.Pow(10, i)))
            .Select(percentile => (percentile, percentile.ToString("0.#####", CultureInfo.InvariantCulture)));
        return new(percentile => Depth(percentile) / nines, [.. ticks]);
    }

    private static double Depth(double percentile) => -Math.Log10(Math.Max(1 - (percentile / 100), SmallestNine));

    private static double RoundStep(double least)
    {
        double decade = Math.Pow(10, Math.Floor(Math.Log10(least)));
        return decade * Steps.First(step => step * decade >= least * (1 - 1e-9));
    }

    // Thousands are short on an axis that goes beyond 10,000, on all of it.
    private static string Short(double value, double greatest) => value switch
    {
        >= 1_000_000 => (value / 1_000_000).ToString("0.##", CultureInfo.InvariantCulture) + " M",
        >= 1_000 when greatest >= 10_000 => (value / 1_000).ToString("0.##", CultureInfo.InvariantCulture) + " k",
        _ => value.ToString("0.###", CultureInfo.InvariantCulture),
    };

    private static string TimeText(double seconds, double end)
    {
        if (end < 2 * SecondsPerMinute)
            return seconds.ToString("0.#", CultureInfo.InvariantCulture) + " s";
        double unit = end < SecondsPerMinute * SecondsPerMinute ? 1 : SecondsPerMinute; // of the second number; hours go on beyond a day
        (long whole, long part) = Math.DivRem((long)Math.Min(seconds / unit, MaxWhole), (long)SecondsPerMinute);
        return string.Create(CultureInfo.InvariantCulture, $"{whole}:{part:D2}");
    }
}
