namespace PerfTools.Screen;

/// <summary>The one line that changes while a run goes on.</summary>
internal static class ProgressText
{
    private const int BarChars = 20;

    /// <summary>Writes the line.</summary>
    /// <param name="rateUnit">Short form of messages a second.</param>
    /// <param name="sample">The latest figures.</param>
    /// <param name="elapsed">Time since measuring began.</param>
    /// <param name="total">Time that measuring takes.</param>
    public static string Create(string rateUnit, ProgressSample sample, TimeSpan elapsed, TimeSpan total)
    {
        double done = Math.Clamp(elapsed / total, 0, 1);
        int full = (int)(done * BarChars);
        double left = Math.Ceiling((total - elapsed).TotalSeconds);
        List<string> parts =
        [
            $"  measuring  {new string('#', full)}{new string('.', BarChars - full)}",
            $"{Figure.Whole(Math.Max(0, left))} s left",
        ];
        if (sample.Rate is { } rate)
            parts.Add($"{Figure.Rate(rate)} {rateUnit}");
        if (sample is { P50Micros: { } p50, P99Micros: { } p99 })
            parts.Add($"p50 {Figure.Micros(p50)} us  p99 {Figure.Micros(p99)} us");
        if (sample.CpuPercents.Count > 0)
            parts.Add("CPU " + string.Join(" / ", sample.CpuPercents.Select(percent => $"{Figure.Whole(percent)} %")));
        return parts[0] + "  " + string.Join("   ", parts.Skip(1));
    }
}
