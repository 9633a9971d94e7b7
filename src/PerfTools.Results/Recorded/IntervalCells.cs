using System.Text.Json;

namespace PerfTools.Results.Recorded;

/// <summary>Reads the values of one collection as a list, names joined by dots as everywhere in results.</summary>
internal static class IntervalCells
{
    private const string Overall = "overall", Threads = "threads", Process = "process";

    /// <summary>Reads a line: all threads together and the process as thread 0, then each thread where there are several.</summary>
    /// <returns>Numbers, true and false, and null for unknown values.</returns>
    public static IEnumerable<(int Thread, string Name, JsonElement Value)> Read(JsonElement line)
    {
        IEnumerable<(int, string, JsonElement)> all = Flatten(0, "", line.GetProperty(Overall));
        if (line.TryGetProperty(Process, out JsonElement process))
            all = all.Concat(Flatten(0, Process + ".", process));
        return line.TryGetProperty(Threads, out JsonElement threads) && threads.ValueKind == JsonValueKind.Array && threads.GetArrayLength() > 1
            ? all.Concat(threads.EnumerateArray().SelectMany((thread, i) => Flatten(i + 1, "", thread))) : all;
    }

    private static IEnumerable<(int Thread, string Name, JsonElement Value)> Flatten(int thread, string path, JsonElement values)
    {
        foreach (JsonProperty member in values.ValueKind == JsonValueKind.Object ? values.EnumerateObject() : default)
        {
            if (member.Value.ValueKind == JsonValueKind.Object)
            {
                foreach ((int Thread, string Name, JsonElement Value) inner in Flatten(thread, $"{path}{member.Name}.", member.Value))
                    yield return inner;
            }
            else if (member.Value.ValueKind is JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False or JsonValueKind.Null)
            {
                yield return (thread, path + member.Name, member.Value);
            }
        }
    }
}
