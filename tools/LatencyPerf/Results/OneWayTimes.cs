using LatencyPerf.Rounds;

namespace LatencyPerf.Results;

/// <summary>The one-way time of a size in microseconds, derived from round trips; null where it cannot be derived.</summary>
/// <param name="Bytes">The size.</param>
/// <param name="Average">The exact mean.</param>
/// <param name="Min">The minimum; null with a baseline.</param>
/// <param name="P50">The median; with a baseline an estimate: medians do not add up.</param>
internal sealed record OneWayTime(int Bytes, double? Average, double? Min, double? P50);

/// <summary>Derives one-way times: half of a round trip, or with several subscribers the remainder after a baseline.</summary>
internal static class OneWayTimes
{
    private const double Half = 0.5;

    /// <summary>Derives the time with one subscriber: half of the round trip, before anything is rounded.</summary>
    public static OneWayTime HalfOf(SizeResult size) => new(size.Bytes, Half * size.Trips.Average, Half * size.Trips.Min, Half * size.P50);

    /// <summary>Derives the time with several: the round trip less the way back, which is half of a round trip with one subscriber.</summary>
    public static OneWayTime Beyond(SizeResult size, Baseline baseline)
    {
        if (!baseline.Sizes.TryGetValue(size.Bytes, out BaselineSize there))
            return new(size.Bytes, null, null, null);
        return new(size.Bytes, Positive(size.Trips.Average - (Half * there.Average)), null,
            there.P50 is { } p50 ? Positive(size.P50 - (Half * p50)) : null);
    }

    private static double? Positive(double micros) => micros >= 0 ? micros : null;
}
