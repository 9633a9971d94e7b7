namespace PerfTools.Hosting.Running;

/// <summary>Warns once during a run about latencies that synchronized clocks cannot measure.</summary>
internal sealed class LatencyWarnings
{
    private bool _saidNegative;
    private bool _saidAboveRange;

    /// <summary>Returns the warnings that are new since the last call.</summary>
    /// <param name="outside">Latencies since the start that are outside the histograms' range.</param>
    public IEnumerable<string> Find(OutsideCounts outside)
    {
        if (outside.Negative > 0 && !_saidNegative)
        {
            _saidNegative = true;
            yield return "Warning: negative latencies: the clocks of the two sides differ.";
        }

        if (outside.AboveRange > 0 && !_saidAboveRange)
        {
            _saidAboveRange = true;
            yield return "Warning: latencies above 1 hour: no percentile shows them, and the clocks of the two sides probably differ.";
        }
    }
}

/// <summary>Number of latencies outside the range of the histograms.</summary>
/// <param name="Negative">Below 0.</param>
/// <param name="AboveRange">Above 1 hour.</param>
internal readonly record struct OutsideCounts(long Negative, long AboveRange)
{
    public static OutsideCounts operator +(OutsideCounts left, OutsideCounts right) =>
        new(left.Negative + right.Negative, left.AboveRange + right.AboveRange);
}
