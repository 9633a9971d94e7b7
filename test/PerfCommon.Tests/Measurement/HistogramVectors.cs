using System.Text.Json;
using PerfCommon.Measurement;

namespace PerfCommon.Tests.Measurement;

/// <summary>The histogram vectors of all files, classified by their content.</summary>
internal static class HistogramVectors
{
    public const string Kind = "histogram";

    private static readonly Dictionary<string, (JsonElement Vector, string Kind)> All = Load();

    public static IEnumerable<string> Names(string kind) => All.Where(v => v.Value.Kind == kind).Select(v => v.Key);

    public static JsonElement Get(string name) => All[name].Vector;

    public static LongHistogram Create(JsonElement vector) =>
        new(vector.GetProperty("low").GetInt64(), vector.GetProperty("high").GetInt64(), vector.GetProperty("digits").GetInt32());

    public static LongHistogram CreateRecorded(JsonElement vector)
    {
        LongHistogram histogram = Create(vector);
        foreach ((long value, long count) in SampleGenerator.Samples(vector.GetProperty("record")))
            histogram.RecordValueWithCount(value, count);
        return histogram;
    }

    private static Dictionary<string, (JsonElement Vector, string Kind)> Load()
    {
        Dictionary<string, (JsonElement Vector, string Kind)> all = [];
        foreach (string path in VectorFiles.Discover(Kind))
        {
            using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(path));
            JsonElement.ArrayEnumerator entries = document.RootElement.ValueKind == JsonValueKind.Array
                ? document.RootElement.EnumerateArray() : default;
            int number = 0;
            foreach (JsonElement vector in entries)
            {
                string name = vector.TryGetProperty("name", out JsonElement given) ? given.GetString()! : "";
                all[$"{Path.GetFileNameWithoutExtension(path)} {number++}: {name}"] = (vector.Clone(), KindOf(vector));
            }
        }

        return all;
    }

    private static string KindOf(JsonElement vector)
    {
        bool Has(string name) => vector.TryGetProperty(name, out _);
        return Has("op") ? "merge"
            : Has("payloads") || Has("hex") || Has("base64") ? "encoding"
            : Has("levels") ? "hgrm"
            : Has("below") ? "percentiles"
            : Has("linePrefix") || Has("startMs") || Has("text") || Has("file") ? "log"
            : Has("record") ? "record"
            : "indexes";
    }
}
