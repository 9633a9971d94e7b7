namespace PerfTools.Search;

/// <summary>The interval of a capacity; null for a side that no measurement bounds.</summary>
internal sealed record CapacityInterval(double? Low, double? High)
{
    /// <summary>The confidence of the interval.</summary>
    public const double Confidence = 0.95;
}

/// <summary>Estimates a capacity from all measurements together: the value that four of five runs keep.</summary>
/// <remarks>
/// Three runs in a row keep that value with a probability of one half, so it is the value that confirming finds. The limits of single runs vary
/// around a middle, by a logistic distribution of the logarithm. Neither the middle nor the spread is known: all pairs of them on a grid are
/// weighed by the likelihood of what was kept and missed (Bayes), and the interval holds the capacity with 95 %. A system that kept and missed
/// the same values has a wide spread, and so a wide interval.
/// </remarks>
internal static class CapacityEstimate
{
    private const double KeptPart = 0.8;
    private const double Lapse = 0.03; // the probability of a miss by another cause, or of a lucky keep
    private const double MinSpread = 0.001;
    private const double MaxSpread = 0.3;
    private const int Spreads = 16;
    private const int Places = 600;
    private const double Margin = 0.5; // of the grid beyond the measurements that matter, on the logarithm

    /// <summary>Estimates the interval.</summary>
    /// <param name="samples">The measurements that count.</param>
    /// <param name="value">The answer, which the interval contains in any case; null for none.</param>
    public static CapacityInterval Of(IReadOnlyList<SearchSample> samples, int? value)
    {
        ValueCount[] counts =
        [
            .. samples.GroupBy(sample => sample.Value)
                .Select(same => new ValueCount(Math.Log(same.Key), same.Count(one => one.IsKept), same.Count(one => !one.IsKept))),
        ];
        double[] kept = [.. counts.Where(one => one.Kept > 0).Select(one => one.Log)];
        double[] missed = [.. counts.Where(one => one.Missed > 0).Select(one => one.Log)];
        if (kept.Length == 0 || missed.Length == 0)
            return new(kept.Length == 0 ? null : value ?? Math.Exp(kept.Max()), missed.Length == 0 ? null : Math.Exp(missed.Min()));
        double from = Math.Min(kept.Max(), missed.Min()) - Margin, to = Math.Max(kept.Max(), missed.Min()) + Margin;
        double[] places = [.. Enumerable.Range(0, Places).Select(i => from + ((to - from) * i / (Places - 1)))];
        double[] weights = [.. places.Select(place => Weigh(place, counts))];
        double tail = (1 - CapacityInterval.Confidence) / 2;
        double low = Math.Exp(Quantile(places, weights, tail)), high = Math.Exp(Quantile(places, weights, 1 - tail));
        return new(Math.Min(low, value ?? low), Math.Max(high, value ?? high));
    }

    // The likelihood of all measurements for a capacity, given as its logarithm, over all spreads.
    private static double Weigh(double capacity, ValueCount[] counts)
    {
        double weight = 0;
        for (int i = 0; i < Spreads; i++)
        {
            // evenly distributed on the logarithm: nothing is known of the size of the noise
            double spread = MinSpread * Math.Pow(MaxSpread / MinSpread, (double)i / (Spreads - 1));
            double middle = capacity + (spread * Math.Log(KeptPart / (1 - KeptPart)));
            double likelihood = 0;
            foreach (ValueCount count in counts)
            {
                double isKept = (Lapse / 2) + ((1 - Lapse) / (1 + Math.Exp((count.Log - middle) / spread)));
                likelihood += (count.Kept * Math.Log(isKept)) + (count.Missed * Math.Log(1 - isKept));
            }

            weight += Math.Exp(likelihood);
        }

        return weight;
    }

    private static double Quantile(double[] places, double[] weights, double part)
    {
        double rest = part * weights.Sum();
        int at = 0;
        while (at < places.Length - 1 && (rest -= weights[at]) > 0)
            at++;
        return places[at];
    }

    // How often one value, as its logarithm, was kept and missed.
    private readonly record struct ValueCount(double Log, int Kept, int Missed);
}
