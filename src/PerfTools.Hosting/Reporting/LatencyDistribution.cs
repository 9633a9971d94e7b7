namespace PerfTools.Hosting.Reporting;

/// <summary>The samples of a series since the start of the run, by bounds, and the slowest of the last interval.</summary>
/// <param name="Counts">
/// Number of samples up to each of <see cref="Bounds"/> and above the one before; the last number counts those above all bounds.
/// </param>
/// <param name="SumMicros">The sum of all samples.</param>
/// <param name="Slowest">The slowest sample of the last interval; null where that had none.</param>
internal sealed record LatencyDistribution(IReadOnlyList<long> Counts, double SumMicros, SlowestSample? Slowest)
{
    /// <summary>The bounds in microseconds, from 1 to 10 s: three for each power of ten.</summary>
    public static IReadOnlyList<double> Bounds { get; } =
        [.. Enumerable.Range(0, 7).SelectMany(power => new[] { 1, 2, 5 }.Select(digit => digit * Math.Pow(10, power))), Math.Pow(10, 7)];

    public long Count => Counts.Sum();
}

/// <summary>A sample that serves as an example of a distribution.</summary>
/// <param name="Micros">The sample.</param>
/// <param name="Utc">Time of the collection that contains it.</param>
/// <param name="Thread">The worker that recorded it, from 1; null where workers are not distinguished.</param>
internal readonly record struct SlowestSample(double Micros, DateTime Utc, int? Thread);
