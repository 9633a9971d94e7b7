using System.Text.Json;
using PerfCommon;

namespace LatencyPerf.Results;

/// <summary>The figures of a size in a baseline, in microseconds.</summary>
internal readonly record struct BaselineSize(double Average, double? P50);

/// <summary>The results of a test with one subscriber, read back: JSON lines of a publisher, or the run.json of a run.</summary>
/// <param name="Sizes">The figures by packet size in bytes.</param>
internal sealed record Baseline(IReadOnlyDictionary<int, BaselineSize> Sizes)
{
    private const int MaxFileBytes = 64 * 1024 * 1024;
    private const double MaxMicros = 1e9; // a round of 1,000 s

    /// <summary>Reads a file, and refuses one with other conditions.</summary>
    /// <exception cref="SetupException">It cannot be read, has no result, or was measured in another way.</exception>
    public static Baseline Read(string path, TestConditions here)
    {
        JsonElement final = ReadFinal(path);
        TestConditions there = TestConditions.Read(Member(final, "conditions") ?? default, here);
        if (here.FindDifference(there) is { } difference)
            throw FileErrors.Input(path, $"of another test: {difference}");
        if (Number(final, "subscribers") is not 1)
            throw FileErrors.Input(path, "of a test with several subscribers");
        return new(ReadSizes(path, final));
    }

    private static Dictionary<int, BaselineSize> ReadSizes(string path, JsonElement final)
    {
        Dictionary<int, BaselineSize> sizes = [];
        foreach (JsonElement size in Member(final, "sizes") is { ValueKind: JsonValueKind.Array } all ? all.EnumerateArray() : default)
        {
            if (Number(size, "bytes") is { } bytes && Number(size, "averageMicros") is { } average)
            {
                sizes[(int)bytes] = CanBe(average) && CanBe(Number(size, "p50Micros") ?? 0)
                    ? new(average, Number(size, "p50Micros")) : throw FileErrors.Input(path, $"a time of {(int)bytes} bytes that cannot be");
            }
        }

        return sizes.Count > 0 ? sizes : throw FileErrors.Input(path, "no sizes in it");
    }

    private static JsonElement ReadFinal(string path)
    {
        try
        {
            using Stream file = RegularFile.OpenRead(path);
            using StreamReader reader = new(new MemoryStream(LimitedFile.Read(file, MaxFileBytes), writable: false));
            string text = reader.ReadToEnd();
            string last = text.TrimEnd().Split('\n')[^1];
            JsonElement found = last.TrimStart().StartsWith('{') ? Parse(last) : FindPublisher(Parse(text));
            return Member(found, "final")?.ValueKind == JsonValueKind.True
                ? found : throw FileErrors.Input(path, "no final line of a publisher");
        }
        catch (JsonException cause)
        {
            throw FileErrors.Input(path, "neither JSON lines nor a run.json", cause);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    private static bool CanBe(double micros) => Math.Abs(micros) <= MaxMicros;

    private static JsonElement FindPublisher(JsonElement run) =>
        Member(run, "roles") is { ValueKind: JsonValueKind.Array } roles && roles.GetArrayLength() > 0
            ? Member(roles[0], "final") ?? default : default;

    private static JsonElement Parse(string text)
    {
        using JsonDocument document = JsonDocument.Parse(text);
        return document.RootElement.Clone();
    }

    private static JsonElement? Member(JsonElement of, string name) =>
        of.ValueKind == JsonValueKind.Object && of.TryGetProperty(name, out JsonElement value) ? value : null;

    private static double? Number(JsonElement of, string name) =>
        Member(of, name) is { ValueKind: JsonValueKind.Number } value ? value.GetDouble() : null;
}
