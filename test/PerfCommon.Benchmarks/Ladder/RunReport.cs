using System.Globalization;
using System.Text.Json;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>One run of perftools, as its <c>run.json</c> tells it (docs/run-json.md).</summary>
internal sealed class RunReport
{
    private const double PercentOfNanos = 1e7; // one percent of a core, in nanoseconds a second

    private readonly JsonElement _run;

    public RunReport(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        _run = document.RootElement.Clone();
    }

    private RunReport(JsonElement run) => _run = run;

    /// <summary>True when the run was complete, conserved and within 1 % of the rate.</summary>
    public bool IsOk => Text("result") == "OK";

    public string Reason => Text("reason") ?? Text("result") ?? "no result";

    public double Rate => Number("figures", "rateReached");

    public double Images => Number("figures", "images", "count");

    public double ImageSeconds => Number("figures", "images", "seconds");

    public double MeanMicros => Number("figures", "latencyMicros", "average");

    /// <summary>Latency as one cell.</summary>
    public string Latency => string.Create(CultureInfo.InvariantCulture,
        $"mean {MeanMicros:F0} us, p50 {Number("figures", "latencyMicros", "p50"):F0} us, p99 {Number("figures", "latencyMicros", "p99"):F0} us");

    /// <summary>Processor time of server and client for each message, and as a part of one core; their peak memory.</summary>
    public string Cost => string.Create(CultureInfo.InvariantCulture,
        $"{Nanos("server"):F0} / {Nanos("client"):F0} ns, {Number("server", "cpuCorePercent"):F1} / {Number("client", "cpuCorePercent"):F1} %, {Number("server", "memoryMegabytes"):F0} / {Number("client", "memoryMegabytes"):F0} MB");

    /// <summary>Bytes of one message of TransportPerf on the wire: headers, packing and compression counted.</summary>
    public double WireBytes => Number("server", "final", "overall", "counts", "bytesSent") / Number("server", "final", "overall", "counts", "messagesSent");

    /// <summary>A run that left no file.</summary>
    public static RunReport Failed(string reason) => new(JsonSerializer.SerializeToElement(new { result = "FAILED", reason }));

    private double Nanos(string role) => Rate > 0 ? Number(role, "cpuCorePercent") * PercentOfNanos / Rate : 0;

    private string? Text(string name) => Find(name) is { ValueKind: JsonValueKind.String } value ? value.GetString() : null;

    private double Number(params ReadOnlySpan<string> path) => Find(path) is { ValueKind: JsonValueKind.Number } value ? value.GetDouble() : 0;

    private JsonElement? Find(params ReadOnlySpan<string> path)
    {
        JsonElement here = _run;
        foreach (string name in path)
        {
            if (here.ValueKind != JsonValueKind.Object || !here.TryGetProperty(name, out here))
                return null;
        }
        return here;
    }
}
