using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Running;

/// <summary>Warns of a run that is too short for its p99.</summary>
internal static class SampleShortage
{
    private const double Percentile = 99;

    /// <summary>Finds the warning; null when the samples will be enough, or none are requested.</summary>
    /// <param name="rate">Samples per second.</param>
    /// <param name="flag">The option that sets the rate.</param>
    /// <param name="seconds">Length of the measured time.</param>
    /// <param name="connections">Connections that each have the rate.</param>
    public static string? Find(LatencyRate rate, string flag, int seconds, int connections = 1)
    {
        (long samples, long needed) = ((long)rate.PerSecond * seconds * connections, LatencyFigures.SamplesNeeded(Percentile));
        return rate.All || rate.PerSecond <= 0 || samples >= needed ? null : string.Create(
            CultureInfo.InvariantCulture,
            $"Warning: {flag} {rate} gives {samples:N0} latency samples in {seconds:N0} s; p{Percentile} needs {needed:N0}.");
    }
}
