using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Results.Documents;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>
/// Creates the folder of a run of any length in a moment: the lines that its two roles would have written, with waves and a stall.
/// </summary>
internal static class GeneratedRun
{
    public static DateTime Start { get; } = SampleFigures.Run.StartUtc;

    /// <summary>Writes the folder; a collection every second.</summary>
    /// <param name="folder">An empty folder.</param>
    /// <param name="seconds">Its length.</param>
    /// <param name="change">Changes what is written to run.json.</param>
    public static void Write(string folder, int seconds, Func<RunDocument, RunDocument>? change = null)
    {
        RunDocument run = SampleFigures.Run with
        {
            Roles =
            [
                SampleFigures.Run.Roles[0] with { Files = new("ProvPerf.log", "ProvPerf.jsonl", "Prov"), Tool = "ProvPerf" },
                SampleFigures.Run.Roles[1] with { Files = new("ConsPerf.log", "ConsPerf.jsonl", "Cons"), Tool = "ConsPerf" },
            ],
            EndUtc = Start.AddSeconds(seconds + 1),
        };
        File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(change is null ? run : change(run)));
        WriteRole(folder, "ProvPerf.jsonl", "Prov-sendLag.hlog", "sendLag", seconds, 0.5, 20);
        WriteRole(folder, "ConsPerf.jsonl", "Cons-updates.hlog", "updateLatency", seconds, 0.9, 35);
    }

    /// <summary>The samples of one second, with the seed that it has.</summary>
    public static LongHistogram Samples(LongHistogram histogram, int second, int typical)
    {
        histogram.Reset();
        Random random = new(second);
        for (int i = 0; i < 1_010; i++)
            histogram.RecordValue((long)(typical * (1 + random.NextDouble() + (random.Next(100) == 0 ? 20 : 0))));
        return histogram;
    }

    private static void WriteRole(string folder, string lines, string log, string latency, int seconds, double offset, int typical)
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        using StreamWriter json = new(Path.Combine(folder, lines)), hlog = new(Path.Combine(folder, log)) { NewLine = "\n" };
        DateTime begin = Start.AddSeconds(offset);
        long millis = new DateTimeOffset(begin).ToUnixTimeMilliseconds();
        HistogramLogWriter.WriteHeader(hlog, millis, LatencyUnit.Microseconds);
        for (int second = 1; second <= seconds; second++)
        {
            Samples(histogram, second, typical);
            HistogramLogWriter.WriteInterval(hlog, millis + ((second - 1) * 1000), millis + (second * 1000), histogram);
            json.Write(Line(begin.AddSeconds(second), second, latency, histogram) + "\n");
        }
    }

    private static string Line(DateTime utc, int second, string latency, LongHistogram histogram)
    {
        double rate = 100_000 + (500 * Math.Sin(second / 60.0));
        double cpu = 20 + (10 * Math.Sin(second / 100.0));
        object samples = new
        {
            count = histogram.TotalCount,
            avgMicros = 40.5,
            maxMicros = histogram.GetMaxValue(),
            p50Micros = histogram.GetValueAtPercentile(50),
            p99Micros = histogram.GetValueAtPercentile(99),
            p999Micros = (double?)null,
        };
        return JsonSerializer.Serialize(new
        {
            tool = "T",
            final = false,
            second,
            utc = utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture),
            intervalSeconds = 1.000137,
            overall = new Dictionary<string, object>
            {
                ["updateRate"] = Math.Round(rate),
                [latency] = samples,
                ["counts"] = new { updatesReceived = Math.Round(rate) }
            },
            threads = (object[])[new { updateRate = 1 }, new { updateRate = 2 }],
            process = new
            {
                coreCpuPercent = Math.Round(cpu, 3),
                workingSetBytes = 60_000_000 + (second * 1000),
                queuedBytes = 2_048 * second
            },
        });
    }
}
