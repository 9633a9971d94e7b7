using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>
/// The clock of the sender of stamps. Arguments: {0} its bound in words, {1} the bound in microseconds, {2} which clock, {3} its offset in seconds,
/// {4} its drift in ppm, {5} the minimum round trip in microseconds, {6} exchanges, {7} those lost, {8} segments.
/// </summary>
internal sealed class ClockValue : ReportValue
{
    private const int BehindLatencies = 1_000;
    private const double Tenths = 10;

    public override JsonPart Part => JsonPart.Latencies;
    public override int Order => BehindLatencies;
    public override bool Exists(Figures figures) => figures.Clock is not null;

    public override object?[] Arguments(Figures figures, ReportScope scope) => figures.Clock is not { } clock
        ? [LatencyFormats.NoValue, LatencyFormats.NoValue, "", 0.0, 0.0, 0.0, 0L, 0L, 0]
        :
        [
            Describe(clock), (object?)RoundUp(clock.BoundMicros) ?? LatencyFormats.NoValue, $"{clock.Pair} by {clock.Transport}{clock.StampText}",
            clock.OffsetNanos / (double)Clock.NanosPerSecond, clock.DriftPpm, clock.MinRttMicros, clock.Exchanges, clock.Lost, clock.Segments,
        ];

    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope)
    {
        if (figures.Clock is not { } clock)
            return;
        json.WriteStartObject(name);
        json.WriteString("pair", clock.Pair);
        json.WriteString("transport", clock.Transport);
        json.WriteNumber("exchanges", clock.Exchanges);
        json.WriteNumber("lost", clock.Lost);
        JsonFigures.WriteDouble(json, "minRttMicros", clock.MinRttMicros);
        json.WriteNumber("offsetNanos", clock.OffsetNanos);
        WriteWhole(json, "usedMinNanos", clock.UsedNanos?.Least);
        WriteWhole(json, "usedMaxNanos", clock.UsedNanos?.Most);
        JsonFigures.WriteDouble(json, "driftPpm", clock.DriftPpm);
        JsonFigures.WriteDouble(json, "boundMicros", clock.BoundMicros);
        json.WriteNumber("segments", clock.Segments);
        json.WriteString("state", clock.StateWord);
        json.WriteString("stamps", clock.Stamps);
        json.WriteString("peerStamps", clock.PeerStamps);
        json.WriteString("line", clock.IsFinal ? "final" : "live");
        json.WriteEndObject();
    }

    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) =>
    [
        new() { Name = $"{name}.boundMicros", Words = "bound of the error of latencies by the clocks", Kind = FigureKind.Time,
            Unit = LatencyCell.Unit, Better = FigureSense.Lower, Merge = FigureMerge.Max },
    ];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures) =>
        metrics.Gauge(name + "BoundMicroseconds", figures.Clock?.BoundMicros);

    private static string Describe(ClockFigures clock) => clock switch
    {
        { State: ClockState.Same } => "+- 0 us (same clock)",
        { State: ClockState.ClockWrong } => "- (clock-wrong)",
        { BoundMicros: { } bound } => string.Create(CultureInfo.InvariantCulture,
            $"{(clock.State == ClockState.Coarse ? "~ " : "")}+- {RoundUp(bound):F1} us (clock{clock.ViaText}{(clock.IsFinal ? ": final" : "")})"),
        _ => $"(clock{clock.ViaText}: unbounded)",
    };

    private static void WriteWhole(Utf8JsonWriter json, string name, long? value)
    {
        if (value is { } known)
            json.WriteNumber(name, known);
        else
            json.WriteNull(name);
    }

    // A bound is never shown smaller than it is.
    private static double? RoundUp(double? micros) => micros is { } known ? Math.Ceiling(known * Tenths) / Tenths : null;
}
