using System.Text.Json;
using LatencyPerf.Options;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>The figures of a size of message, one row each: JSON, catalogue, metrics and thresholds follow from them.</summary>
internal static class SizeRows
{
    /// <summary>Returns the figures of a completed size.</summary>
    public static Figures Of(SizeResult size, OneWayTime? oneWay) => new() { Bytes = size.Bytes, Results = new Completed(size, oneWay) };

    /// <summary>Creates the rows, in the order of the JSON lines.</summary>
    public static ReportTable Create()
    {
        ReportTable table = new(LatencyPerfOptionTable.Tool) { Steady = (Moment.Connected, Moment.End) };
        table.Section();
        table.Number(f => Trips(f).Count).Final("samples").Called("samples").IsSum().MetricOfSizes("samples");
        AddTimes(table);
        AddCounts(table);
        table.Member("oneWayMicros", WriteOneWay);
        return table;
    }

    private static void AddTimes(ReportTable table)
    {
        Time(table, "stdevMicros", "standard deviation", "std dev");
        Time(table, "averageMicros", "average", "avg");
        foreach ((string name, string cell) in new[] { ("minMicros", "min"), ("p50Micros", "p50"), ("p90Micros", "p90"), ("p99Micros", "p99"),
            ("p999Micros", "p99.9"), ("p9999Micros", "p99.99"), ("maxMicros", "max") })
        {
            Time(table, name, cell, cell);
        }
    }

    private static void AddCounts(ReportTable table)
    {
        Count(table, "lost", "round trips lost", counts => counts.Lost).Metric(Threshold.Lost).MetricOfSizes("lost", isSum: true);
        Count(table, "late", "replies too late", counts => counts.Late);
        table.Number(f => Result(f).Counts.LongestLateNanos / (double)Clock.NanosPerMicro).Final("longestLateMicros").Called("longest late reply")
            .IsTime(LatencyCell.Unit).LowerIsBetter();
        Count(table, "resent", "messages sent again", counts => counts.Resent).Metric(SizedThresholds.Resent).MetricOfSizes("resent", isSum: true);
        Count(table, "duplicates", "replies received twice", counts => counts.Duplicates);
        Count(table, "notPositive", "round trips that took no time", counts => counts.NotPositive);
        Count(table, "lateStarts", "rounds started late", counts => counts.LateStarts);
        Count(table, "rounds", "rounds", counts => counts.Rounds).NeitherIsBetter().MetricOfSizes("rounds", isSum: true);
    }

    // A figure of the samples; percentiles that have too few of them are null.
    private static void Time(ReportTable table, string name, string words, string cellName)
    {
        LatencyCell cell = LatencyCell.All.Single(one => one.Name == cellName);
        table.Sample(f => cell.Get(Trips(f)), f => Trips(f).Count).Final(name).Called($"round trip, {words}")
            .IsTime(LatencyCell.Unit).LowerIsBetter().Metric(cell.Name).MetricOfSizes($"roundTrip.{cell.JsonName}");
    }

    private static ReportRow Count(ReportTable table, string name, string words, Func<RoundCounts, long> read) =>
        table.Number(f => read(Result(f).Counts)).Final(name).Called(words).IsSum().LowerIsBetter();

    private static SizeResult Result(Figures figures) => ((Completed)figures.Results!).Size;

    private static LatencyFigures Trips(Figures figures) => Result(figures).Trips;

    private static void WriteOneWay(Utf8JsonWriter json, string name, Figures figures)
    {
        if (((Completed)figures.Results!).OneWay is not { } oneWay)
        {
            json.WriteNull(name);
            return;
        }

        json.WriteStartObject(name);
        JsonFigures.WriteDouble(json, "average", oneWay.Average);
        JsonFigures.WriteDouble(json, "min", oneWay.Min);
        JsonFigures.WriteDouble(json, "p50", oneWay.P50);
        json.WriteEndObject();
    }

    private sealed record Completed(SizeResult Size, OneWayTime? OneWay);
}
