using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>The processors on which workers ran. Arguments: {0} the processors with their parts, {1} how often they changed.</summary>
internal sealed class PlacementValue : ReportValue
{
    private const double NanosPerMilli = 1_000_000;

    public override JsonPart Part => JsonPart.Numbers;

    public override bool Exists(Figures figures) => figures.Placement is { Count: > 0 };

    public override object?[] Arguments(Figures figures, ReportScope scope) => [Describe(figures.Placement), figures.Placement?.Changes];

    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope)
    {
        json.WriteStartObject(name);
        json.WriteStartArray("processors");
        foreach ((int processor, double percent) in figures.Placement!.Parts)
        {
            json.WriteStartObject();
            json.WriteNumber("processor", processor);
            JsonFigures.WriteDouble(json, "percent", percent);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteNumber("changes", figures.Placement.Changes);
        if (figures.Placement.WaitNanos is { } wait)
            JsonFigures.WriteDouble(json, "waitMillis", wait / NanosPerMilli);
        json.WriteEndObject();
    }

    // The processors are no figure: run.json has them as the run's placement.
    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) => [];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures)
    {
        if (!Exists(figures))
            return;
        metrics.Gauges(name + "Percent", "processor",
            figures.Placement!.Parts.OrderBy(part => part.Processor)
                .Select(part => (part.Processor.ToString(CultureInfo.InvariantCulture), (double?)part.Percent)));
        metrics.Gauge(name + "Changes", figures.Placement.Changes);
    }

    private static string Describe(PlacementCounts? placement) => string.Join(", ",
        (placement ?? PlacementCounts.None).Parts.Select(part => string.Create(CultureInfo.InvariantCulture, $"{part.Processor} ({part.Percent:F0} %)")));
}
