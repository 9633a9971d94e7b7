using PerfTools.Results;

namespace PerfTools.Screen;

/// <summary>The one line that changes while a run goes on.</summary>
internal static class ProgressText
{
    private const int BarChars = 20;

    /// <summary>The line after some of the time that measuring takes; where it is too narrow whole parts are left out, from the end.</summary>
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
            if (sample.CpuPercents.Count > 0)
                yield return "CPU " + string.Join(" / ", sample.CpuPercents.Select(percent => $"{Figure.Whole(percent)} %"));
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

    /// <summary>Processor time of each role that was started here, in percent of one core; empty until all of them have said it.</summary>
    public IReadOnlyList<double> CpuPercents { get; init; } = [];
}
