using System.Text.Json;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>Writes the members of a size in JSON lines; percentiles that have too few samples are null.</summary>
internal static class SizeResultJson
{
    private const string Bytes = "bytes";

    private static readonly FigureSpread OverSizes = new("size", "sizes", Bytes, Bytes);

    private static readonly (FigureFacts Facts, Func<LatencyFigures, double?> Read)[] Times =
    [
        Time("stdevMicros", "round trip, standard deviation", trips => trips.Deviation),
        Time("averageMicros", "round trip, average", trips => trips.Average),
        Time("minMicros", "round trip, min", trips => trips.Min),
        Time("p50Micros", "round trip, p50", trips => trips.P50),
        Time("p90Micros", "round trip, p90", trips => trips.P90),
        Time("p99Micros", "round trip, p99", trips => trips.P99),
        Time("p999Micros", "round trip, p99.9", trips => trips.P999),
        Time("p9999Micros", "round trip, p99.99", trips => trips.P9999),
        Time("maxMicros", "round trip, max", trips => trips.Max),
    ];

    private static readonly (FigureFacts Facts, Func<RoundCounts, double> Read)[] Counts =
    [
        Count("lost", "round trips lost", FigureSense.Lower, counts => counts.Lost),
        Count("late", "replies too late", FigureSense.Lower, counts => counts.Late),
        (Of("longestLateMicros", "longest late reply", FigureKind.Time, LatencyCell.Unit, FigureSense.Lower, FigureMerge.Max),
            counts => counts.LongestLateNanos / (double)Clock.NanosPerMicro),
        Count("resent", "messages sent again", FigureSense.Lower, counts => counts.Resent),
        Count("duplicates", "replies received twice", FigureSense.Lower, counts => counts.Duplicates),
        Count("notPositive", "round trips that took no time", FigureSense.Lower, counts => counts.NotPositive),
        Count("lateStarts", "rounds started late", FigureSense.Lower, counts => counts.LateStarts),
        Count("rounds", "rounds", FigureSense.None, counts => counts.Rounds),
    ];

    private static readonly FigureFacts Samples = Of("samples", "samples", FigureKind.Count, null, FigureSense.None, FigureMerge.Sum);

    /// <summary>The catalogue entries of the members.</summary>
    public static IEnumerable<FigureFacts> Catalogue =>
        [Samples, .. Times.Select(time => time.Facts), .. Counts.Select(count => count.Facts)];

    public static void Write(Utf8JsonWriter json, SizeResult size, OneWayTime? oneWay)
    {
        json.WriteNumber(Bytes, size.Bytes);
        json.WriteNumber(Samples.Name, size.Trips.Count);
        foreach ((FigureFacts facts, Func<LatencyFigures, double?> read) in Times)
            JsonFigures.WriteDouble(json, facts.Name, read(size.Trips));
        foreach ((FigureFacts facts, Func<RoundCounts, double> read) in Counts)
            JsonFigures.WriteDouble(json, facts.Name, read(size.Counts));
        WriteOneWay(json, oneWay);
    }

    private static (FigureFacts, Func<LatencyFigures, double?>) Time(string name, string words, Func<LatencyFigures, double?> read) =>
        (Of(name, words, FigureKind.Time, LatencyCell.Unit, FigureSense.Lower, FigureMerge.Max), read);

    private static (FigureFacts, Func<RoundCounts, double>) Count(string name, string words, FigureSense better, Func<RoundCounts, double> read) =>
        (Of(name, words, FigureKind.Count, null, better, FigureMerge.Sum), read);

    private static FigureFacts Of(string name, string words, FigureKind kind, string? unit, FigureSense better, FigureMerge merge) =>
        new() { Name = name, Words = words, Kind = kind, Unit = unit, Better = better, Merge = merge, Over = OverSizes };

    private static void WriteOneWay(Utf8JsonWriter json, OneWayTime? oneWay)
    {
        if (oneWay is null)
        {
            json.WriteNull("oneWayMicros");
            return;
        }

        json.WriteStartObject("oneWayMicros");
        JsonFigures.WriteDouble(json, "average", oneWay.Average);
        JsonFigures.WriteDouble(json, "min", oneWay.Min);
        JsonFigures.WriteDouble(json, "p50", oneWay.P50);
        json.WriteEndObject();
    }
}
