using System.Text.Json;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>The members of a size in JSON lines; percentiles that have too few samples are null.</summary>
internal static class SizeJson
{
    public static void Write(Utf8JsonWriter json, SizeResult size, OneWayTime? oneWay)
    {
        LatencyFigures trips = size.Trips;
        RoundCounts counts = size.Counts;
        json.WriteNumber("bytes", size.Bytes);
        json.WriteNumber("samples", trips.Count);
        JsonFigures.WriteDouble(json, "stdevMicros", trips.Deviation);
        JsonFigures.WriteDouble(json, "averageMicros", trips.Average);
        JsonFigures.WriteDouble(json, "minMicros", trips.Min);
        JsonFigures.WriteDouble(json, "p50Micros", trips.P50);
        JsonFigures.WriteDouble(json, "p90Micros", trips.P90);
        JsonFigures.WriteDouble(json, "p99Micros", trips.P99);
        JsonFigures.WriteDouble(json, "p999Micros", trips.P999);
        JsonFigures.WriteDouble(json, "p9999Micros", trips.P9999);
        JsonFigures.WriteDouble(json, "maxMicros", trips.Max);
        json.WriteNumber("lost", counts.Lost);
        json.WriteNumber("late", counts.Late);
        JsonFigures.WriteDouble(json, "longestLateMicros", counts.LongestLateNanos / (double)Clock.NanosPerMicro);
        json.WriteNumber("resent", counts.Resent);
        json.WriteNumber("duplicates", counts.Duplicates);
        json.WriteNumber("notPositive", counts.NotPositive);
        json.WriteNumber("lateStarts", counts.LateStarts);
        json.WriteNumber("rounds", counts.Rounds);
        WriteOneWay(json, oneWay);
    }

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
