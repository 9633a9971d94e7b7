using System.Text.Json;

namespace PerfCommon.Tests.Measurement;

/// <summary>Generates the samples that a histogram vector describes: values with counts, or seeded generators.</summary>
internal static class SampleGenerator
{
    public static IEnumerable<(long Value, long Count)> Samples(JsonElement record) => record.EnumerateArray().SelectMany(Expand);

    private static IEnumerable<(long Value, long Count)> Expand(JsonElement entry)
    {
        if (!entry.TryGetProperty("gen", out JsonElement kind))
            return [(Number(entry, "value"), entry.TryGetProperty("count", out JsonElement count) ? count.GetInt64() : 1)];

        SplitMix64 random = new(entry.TryGetProperty("seed", out JsonElement seed) ? seed.GetUInt64() : 0);
        Func<int, long> next = kind.GetString() switch
        {
            "const" => _ => Number(entry, "value"),
            "step" => i => Number(entry, "start") + (i * Number(entry, "step")),
            "uniform" => _ => Number(entry, "lo") + (long)(random.Next() % (ulong)(Number(entry, "hi") - Number(entry, "lo") + 1)),
            "log" => _ => Log(random, (ulong)Number(entry, "bits")),
            "latency" => _ => Latency(random, (ulong)Number(entry, "base")),
            _ => throw new NotSupportedException(kind.GetString()),
        };
        return Enumerable.Range(0, (int)Number(entry, "n")).Select(i => (next(i), 1L));
    }

    private static long Log(SplitMix64 random, ulong bits)
    {
        ulong width = random.Next() % (bits + 1);
        return (long)(random.Next() & ((1UL << (int)width) - 1));
    }

    private static long Latency(SplitMix64 random, ulong scale)
    {
        ulong drawn = random.Next() % 10_000;
        ulong spread = scale * (drawn < 9_000 ? 1UL : drawn < 9_900 ? 4UL : drawn < 9_990 ? 20UL : 200UL);
        return (long)(spread + (random.Next() % spread));
    }

    private static long Number(JsonElement entry, string name) => entry.GetProperty(name).GetInt64();

    private sealed class SplitMix64(ulong seed)
    {
        private ulong _state = seed;

        public ulong Next()
        {
            ulong z = _state += 0x9e3779b97f4a7c15;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            return z ^ (z >> 31);
        }
    }
}
