namespace PerfTools.Hosting.Reporting;

/// <summary>The time needed to receive all images.</summary>
/// <param name="Items">Number of items.</param>
/// <param name="Seconds">From the first request burst to the last image.</param>
internal readonly record struct ImageRetrieval(int Items, double Seconds)
{
    /// <summary>Images per second; 0 when no time has passed.</summary>
    public double PerSecond => InvariantText.PerSecond(Items, Seconds);
}
