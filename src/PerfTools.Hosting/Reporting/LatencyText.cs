using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>Latency figures in the forms of console, summary and statistics file.</summary>
internal static class LatencyText
{
    /// <summary>The percentile columns that follow the guide's.</summary>
    public const string PercentileColumns =
        "Latency p50 (usec), Latency p90 (usec), Latency p99 (usec), Latency p99.9 (usec), Latency p99.99 (usec)";

    /// <summary>The send lag columns that follow the guide's; the last of them is what was not sent, named by each tool.</summary>
    public const string SendLagColumns = "Send lag p50 (usec), Send lag p99 (usec), Send lag max (usec)";

    /// <summary>Console line with one decimal.</summary>
    public static void ConsoleLine(TextWriter writer, string indent, string name, LatencyFigures f) =>
        writer.Line($"{indent}{name}: Avg:{f.Average,6:F1} StdDev:{f.Deviation,6:F1} Max:{f.Max,6:F1} Min:{f.Min,6:F1}, Msgs: {f.Count}");

    /// <summary>Console line with three decimals.</summary>
    public static void ThousandthsLine(TextWriter writer, string indent, string name, LatencyFigures f) =>
        writer.Line($"{indent}{name}: Avg:{f.Average,8:F3} StdDev:{f.Deviation,8:F3} Max:{f.Max,8:F3} Min:{f.Min,8:F3}, Msgs: {f.Count}");

    /// <summary>Console line of the percentiles.</summary>
    public static void PercentileLine(TextWriter writer, string indent, string name, LatencyFigures f) =>
        writer.Line($"{indent}{name}: 50: {f.P50:F1} 90: {f.P90:F1} 99: {f.P99:F1} 99.9: {f.P999:F1} 99.99: {f.P9999:F1}");

    /// <summary>Console line of the send lag; nothing without samples.</summary>
    public static void SendLagLine(TextWriter writer, string indent, LatencyFigures lag)
    {
        if (lag.Count > 0)
            writer.Line($"{indent}Send lag(usec): 50: {lag.P50:F1} 99: {lag.P99:F1} Max: {lag.Max:F1}, Ticks: {lag.Count}");
    }

    /// <summary>The guide's four lines of a summary and the percentiles below them, one decimal.</summary>
    public static void SummaryLines(TextWriter writer, string name, LatencyFigures f)
    {
        writer.Line($"  {name} avg (usec): {f.Average:F1}");
        writer.Line($"  {name} std dev (usec): {f.Deviation:F1}");
        writer.Line($"  {name} max (usec): {f.Max:F1}");
        writer.Line($"  {name} min (usec): {f.Min:F1}");
        writer.Line($"  {name} p50 (usec): {f.P50:F1}");
        writer.Line($"  {name} p90 (usec): {f.P90:F1}");
        writer.Line($"  {name} p99 (usec): {f.P99:F1}");
        writer.Line($"  {name} p99.9 (usec): {f.P999:F1}");
        writer.Line($"  {name} p99.99 (usec): {f.P9999:F1}");
    }

    /// <summary>The summary's lines of the send lag; nothing without samples.</summary>
    public static void SendLagSummary(TextWriter writer, LatencyFigures lag)
    {
        if (lag.Count == 0)
            return;
        writer.Line($"  Send lag p50 (usec): {lag.P50:F1}");
        writer.Line($"  Send lag p99 (usec): {lag.P99:F1}");
        writer.Line($"  Send lag max (usec): {lag.Max:F1}");
    }

    /// <summary>The summary's line of the round trips; nothing without samples.</summary>
    public static void RoundTripSummary(TextWriter writer, LatencyFigures trips)
    {
        if (trips.Count > 0)
            ConsoleLine(writer, "  ", "RTT(usec)", trips);
    }

    /// <summary>The summary's warning about clocks that differ; nothing without negative samples.</summary>
    public static void NegativeSummary(TextWriter writer, long negativeCount)
    {
        if (negativeCount > 0)
            writer.Line($"  Warning: {negativeCount} latencies were negative; the clocks of the two sides differ.");
    }

    /// <summary>Average, deviation, maximum, minimum as columns.</summary>
    public static FormattableString Columns(LatencyFigures f) => $"{f.Average:F1}, {f.Deviation:F1}, {f.Max:F1}, {f.Min:F1}";

    /// <summary>The percentiles as columns.</summary>
    public static FormattableString PercentileValues(LatencyFigures f) => $"{f.P50:F1}, {f.P90:F1}, {f.P99:F1}, {f.P999:F1}, {f.P9999:F1}";

    /// <summary>The send lag as columns.</summary>
    public static FormattableString SendLagValues(LatencyFigures f) => $"{f.P50:F1}, {f.P99:F1}, {f.Max:F1}";
}
