using PerfTools.Results.Documents;

namespace PerfTools.Screen;

/// <summary>Creates the first of the lines that change during a run.</summary>
internal static class ProgressText
{
    private const string Head = "  measuring";
    private const int MinBarChars = 8;
    private const int MaxBarChars = 20;
    private const int Gap = 2;

    /// <summary>
    /// Creates the line for the elapsed part of the measurement; where the screen is too narrow the bar is shorter, then parts are omitted from the
    /// end.
    /// </summary>
    public static string Create(string rateUnit, ProgressSample sample, TimeSpan elapsed, TimeSpan total, int columns = int.MaxValue)
    {
        int room = columns - 1 - Head.Length - Gap;
        if (room < MinBarChars)
            return Head;
        string parts = "";
        foreach (string part in CreateParts(rateUnit, sample, total - elapsed))
        {
            if (MinBarChars + parts.Length + part.Length > room)
                break;
            parts += part;
        }

        return Head + new string(' ', Gap) + CreateBar(elapsed / total, Math.Min(room - parts.Length, MaxBarChars)) + parts;
    }

    private static string CreateBar(double done, int chars)
    {
        int full = (int)(Math.Clamp(done, 0, 1) * chars);
        return new string('#', full) + new string('.', chars - full);
    }

    private static IEnumerable<string> CreateParts(string rateUnit, ProgressSample sample, TimeSpan left)
    {
        yield return $"  {Figure.Whole(Math.Max(0, Math.Ceiling(left.TotalSeconds)))} s left";
        if (sample.Rate is { } rate)
            yield return $"   {Figure.Whole(rate)} {rateUnit}";
        if (sample.P50Micros is { } p50)
            yield return $"   p50 {Figure.Micros(p50)} us";
        if (sample.P99Micros is { } p99)
            yield return $"  p99 {Figure.Micros(p99)} us";
    }
}

/// <summary>The progress of a run from the latest figures of its roles; null where there are none yet.</summary>
internal sealed record ProgressSample
{
    /// <summary>Set once all images have arrived.</summary>
    public ImageFigures? Images { get; init; }

    /// <summary>True once the steady state is measured.</summary>
    public bool IsMeasuring { get; init; }

    /// <summary>Messages per second in the last interval.</summary>
    public double? Rate { get; init; }

    // latency of the last interval
    public double? P50Micros { get; init; }
    public double? P99Micros { get; init; }

    /// <summary>The roles that were started here and have reported.</summary>
    public IReadOnlyList<RoleProgress> Roles { get; init; } = [];
}

/// <summary>The resources of a role during a run.</summary>
/// <param name="Name">The role.</param>
/// <param name="CorePercent">Processor time in the last interval, in percent of one core.</param>
/// <param name="QueuedBytes">Bytes queued for the sockets of its connections; null when it does not report them.</param>
internal sealed record RoleProgress(string Name, double CorePercent, double? QueuedBytes);
