using PerfTools.Results;

namespace PerfTools.Screen;

/// <summary>The first of the lines that change while a run goes on.</summary>
internal static class ProgressText
{
    private const int BarChars = 20;

    /// <summary>
    /// The line after some of the time that measuring takes; where it is too narrow whole parts are left out, from the end.
    /// </summary>
    public static string Create(string rateUnit, ProgressSample sample, TimeSpan elapsed, TimeSpan total, int columns = int.MaxValue)
    {
        double done = Math.Clamp(elapsed / total, 0, 1);
        int full = (int)(done * BarChars);
        double left = Math.Ceiling((total - elapsed).TotalSeconds);
        string line = "  measuring";
        string gap = "  ";
        foreach (string part in Parts())
        {
            if (line.Length + gap.Length + part.Length >= columns)
                break;
            line += gap + part;
            gap = part[^1] is '#' or '.' ? "  " : "   ";
        }

        return line;

        IEnumerable<string> Parts()
        {
            yield return new string('#', full) + new string('.', BarChars - full);
            yield return $"{Figure.Whole(Math.Max(0, left))} s left";
            if (sample.Rate is { } rate)
                yield return $"{Figure.Whole(rate)} {rateUnit}";
            if (sample.P50Micros is { } p50)
                yield return $"p50 {Figure.Micros(p50)} us" + (sample.P99Micros is { } p99 ? $"  p99 {Figure.Micros(p99)} us" : "");
        }
    }
}

/// <summary>How far a run is, from the latest figures of its roles; null where there is none yet.</summary>
internal sealed record ProgressSample
{
    /// <summary>Set once all images are in.</summary>
    public ImageFigures? Images { get; init; }

    /// <summary>True once the steady state is being measured.</summary>
    public bool IsMeasuring { get; init; }

    /// <summary>Messages a second in the last interval.</summary>
    public double? Rate { get; init; }

    // latency of the last interval
    public double? P50Micros { get; init; }
    public double? P99Micros { get; init; }

    /// <summary>The roles that were started here and have said something.</summary>
    public IReadOnlyList<RoleProgress> Roles { get; init; } = [];
}

/// <summary>What a role uses while a run goes on.</summary>
/// <param name="Name">The role.</param>
/// <param name="CorePercent">Processor time in the last interval, in percent of one core.</param>
/// <param name="QueuedBytes">What waits for the sockets of its connections; null when it does not say.</param>
internal sealed record RoleProgress(string Name, double CorePercent, double? QueuedBytes);
