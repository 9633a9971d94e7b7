using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace UsersPerf;

/// <summary>
/// Writes each period when it has ended: a line of the console, a JSON line, a line of the histogram log. Main thread only.
/// </summary>
internal sealed class PeriodLog : IDisposable
{
    private const double MicrosPerMilli = 1_000;
    private const int NanosPerMilli = 1_000_000;

    private readonly PeriodSamples? _steps;
    private readonly PeriodSamples? _periods; // those that were asked for while it ran
    private readonly List<Action<Stream>> _jsonLines = [];

    /// <param name="histogramBase">First part of the logs' names; null for none.</param>
    /// <exception cref="SetupException">A log cannot be created.</exception>
    public PeriodLog(string? histogramBase)
    {
        if (histogramBase is null)
            return;
        _steps = new PeriodSamples($"{histogramBase}-steps.hlog");
        _periods = new PeriodSamples($"{histogramBase}-periods.hlog") { IsDroppedWhenEmpty = true };
    }

    /// <summary>Why a log could not be written; null when both were.</summary>
    public string? Failure => _steps?.Failure ?? _periods?.Failure;

    /// <summary>Replaces the logs of an earlier run.</summary>
    /// <exception cref="SetupException">A log cannot be emptied.</exception>
    public void Begin()
    {
        _steps?.Begin();
        _periods?.Begin();
    }

    /// <summary>Returns the JSON lines since the last call.</summary>
    public IReadOnlyList<Action<Stream>> DequeueJsonLines()
    {
        Action<Stream>[] lines = [.. _jsonLines];
        _jsonLines.Clear();
        return lines;
    }

    /// <summary>Writes that users log in as soon as their time has come: the conductor of several processes waits for this line.</summary>
    public void WriteReady() =>
        _jsonLines.Add(stream => JsonFigures.WriteLine(stream, "UsersPerf", final: false, json => json.WriteBoolean("ready", true)));

    public void Write(RunConsole console, MeasuredStep measured)
    {
        console.WriteLine(Describe(measured));
        _jsonLines.Add(stream => WriteJson(stream, measured));
        UserStep step = measured.Step;
        long from = new DateTimeOffset(measured.FromUtc).ToUnixTimeMilliseconds();
        PeriodSamples? samples = step.Name is null ? _steps : _periods;
        samples?.Append(from, from + ((step.ToNanos - step.FromNanos) / NanosPerMilli), measured.Period.Latencies);
    }

    public void Dispose()
    {
        _steps?.Dispose();
        _periods?.Dispose();
    }

    /// <summary>Formats the line of the console.</summary>
    internal static string Describe(MeasuredStep measured)
    {
        Period period = measured.Period;
        string expected = measured.Expected is { } count ? string.Create(CultureInfo.InvariantCulture, $" of {count:F0}") : "";
        string least = period.Count == 0 ? "-" : Millis(period.MinMicros);
        return string.Create(CultureInfo.InvariantCulture,
            $"  {measured.Step.Title}: {measured.Step.Users} users: received {period.Updates}{expected}, mean "
                + $"{(period.Count == 0 ? "-" : Millis(period.MeanMicros))} ms, min {least}, max {(period.Count == 0 ? "-" : Millis(period.MaxMicros))}, "
                + $"p99 {(period.PercentileMicros(99) is { } p99 ? Millis(p99) : "-")}");
    }

    private static string Millis(double micros) => (micros / MicrosPerMilli).ToString("F3", CultureInfo.InvariantCulture);

    private static void WriteJson(Stream stream, MeasuredStep measured) => JsonFigures.WriteLine(stream, "UsersPerf", final: false, json =>
    {
        (UserStep step, Period period) = (measured.Step, measured.Period);
        if (step.Name is null)
            json.WriteNumber("step", step.Index + 1);
        else
            json.WriteString("period", step.Name);
        json.WriteNumber("users", step.Users);
        json.WriteNumber("asked", measured.Asked);
        json.WriteNumber("in", period.UsersIn);
        json.WriteString("utc", measured.FromUtc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
        JsonFigures.WriteDouble(json, "seconds", measured.Seconds);
        json.WriteNumber("updates", period.Updates);
        JsonFigures.WriteDouble(json, "expected", measured.Expected);
        json.WriteBoolean("measures", measured.Measures);
        json.WriteNumber("count", period.Count);
        json.WriteNumber("sumMicros", period.SumMicros);
        json.WriteNumber("min", period.MinMicros);
        json.WriteNumber("max", period.MaxMicros);
        foreach ((string name, double percentile) in (IEnumerable<(string, double)>)[("p50", 50), ("p90", 90), ("p99", 99), ("p999", 99.9)])
            JsonFigures.WriteDouble(json, name, period.PercentileMicros(percentile));
        json.WriteNumber("lost", period.Counts.Lost);
        json.WriteNumber("outOfOrder", period.Counts.OutOfOrder);
        json.WriteNumber("missing", period.Counts.Missing);
        json.WriteNumber("repeated", period.Counts.Repeated);
        json.WriteNumber("loginRetries", period.LoginRetries);
        json.WriteNumber("posts", period.Posts);
        json.WriteNumber("postSumMicros", period.PostSumMicros);
        json.WriteNumber("postMax", period.PostMaxMicros);
        json.WriteStartArray("cpuPerThread");
        foreach (double? percent in period.CpuPerThread)
            json.WriteNumberValue(Math.Round(percent ?? 0, 2));
        json.WriteEndArray();
    });
}
