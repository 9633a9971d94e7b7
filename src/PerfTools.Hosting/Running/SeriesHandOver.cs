using PerfCommon.Measurement;

namespace PerfTools.Hosting.Running;

/// <summary>Takes an interval that a worker hands over with its next turn.</summary>
internal static class SeriesHandOver
{
    private const int MostPauses = 50;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(2);

    /// <summary>Takes what was asked for; main thread, after <see cref="LatencySeries.RequestInterval"/>.</summary>
    /// <param name="series">The worker's series.</param>
    /// <param name="ended">True after the worker's thread has ended: takes the rest then.</param>
    /// <param name="sum">Gets the samples added.</param>
    /// <returns>The interval's figures; without samples when the worker did not hand over within 0.1 s, they are in the next interval then.</returns>
    public static LatencyFigures Take(LatencySeries series, bool ended, LatencyAccumulator sum)
    {
        ArgumentNullException.ThrowIfNull(series);
        ArgumentNullException.ThrowIfNull(sum);
        if (!TryTake(series, ended, out LatencyFigures figures))
            return default;
        sum.Add(series.LastInterval);
        return figures;
    }

    private static bool TryTake(LatencySeries series, bool ended, out LatencyFigures figures)
    {
        if (ended)
        {
            figures = series.TakeRest();
            return true;
        }

        using ManualResetEventSlim pause = new();
        for (int i = 0; i < MostPauses; i++)
        {
            if (series.TryTakeInterval(out figures))
                return true;
            pause.Wait(Pause);
        }

        return series.TryTakeInterval(out figures);
    }
}
