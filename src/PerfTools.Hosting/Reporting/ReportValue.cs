using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>The contents of a row: one figure, or several that belong together, read from the figures of a worker.</summary>
internal abstract class ReportValue
{
    /// <summary>Its part of a JSON line.</summary>
    public abstract JsonPart Part { get; }

    /// <summary>Its place among those of the same part; equal ones follow the order of the rows.</summary>
    public virtual int Order => 0;

    /// <summary>The counters in it, for a count.</summary>
    public virtual IReadOnlyList<Counter> Counters => [];

    /// <summary>False when there is nothing to show: no samples, or a figure that was never reached.</summary>
    public virtual bool Exists(Figures figures) => true;

    /// <summary>Returns the number of samples it is based on; null for none.</summary>
    public virtual long? CountSamples(Figures figures) => null;

    /// <summary>True when it deserves a console line; for a count: when it is not 0.</summary>
    public virtual bool IsAny(Figures figures) => Exists(figures);

    /// <summary>Returns the arguments of the formats of column, summary and console.</summary>
    public abstract object?[] Arguments(Figures figures, ReportScope scope);

    /// <summary>Writes it as a member of a JSON object; called without <see cref="Exists"/> for latencies only.</summary>
    public abstract void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope);

    /// <summary>Returns the catalogue entries of its figures; none for a value that is no figure.</summary>
    /// <param name="name">The row's name in the final JSON line.</param>
    /// <param name="row">The row, which may override them.</param>
    public abstract IEnumerable<FigureFacts> Describe(string name, ReportRow row);

    /// <summary>Adds it to the metrics, with its value at a collection.</summary>
    public abstract void AddMetrics(MetricSet metrics, string name, Figures figures);
}

/// <summary>The time that the figures of a report cover; a rate is divided by other seconds in each.</summary>
internal enum ReportScope
{
    /// <summary>The time between two collections: statistics file, console, JSON line of a collection.</summary>
    Interval,

    /// <summary>The whole run: summary and final JSON line.</summary>
    Run,
}

/// <summary>A count, or the sum of several. Arguments: {0} the count, {1} the total since the start.</summary>
internal sealed class CountValue(params Counter[] counters) : ReportValue
{
    public override JsonPart Part => JsonPart.Counts;
    public override int Order => (int)counters[0];
    public override IReadOnlyList<Counter> Counters => counters;
    public override bool IsAny(Figures figures) => Sum(figures.Counts) > 0;
    public override object?[] Arguments(Figures figures, ReportScope scope) => [Sum(figures.Counts), Sum(figures.Totals)];

    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope) =>
        json.WriteNumber(name, Sum(figures.Counts));

    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) =>
        [RowFacts.Of(name, row, row.Facts ?? (FigureKind.Count, null, FigureMerge.Sum))];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures) => metrics.Counter(name, Sum(figures.Totals));

    private long Sum(CounterSnapshot counts) => counters.Sum(counter => counts[counter]);
}

/// <summary>A figure derived from others, a double or a bool; null hides it. Argument: {0} the figure.</summary>
internal sealed class FigureValue(Func<Figures, object?> ofInterval, Func<Figures, object?> ofRun) : ReportValue
{
    public override JsonPart Part => JsonPart.Numbers;
    public override bool Exists(Figures figures) => ofRun(figures) is not null;
    public override object?[] Arguments(Figures figures, ReportScope scope) => [Get(figures, scope)];

    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope)
    {
        if (Get(figures, scope) is bool flag)
            json.WriteBoolean(name, flag);
        else
            JsonFigures.WriteDouble(json, name, (double)Get(figures, scope)!);
    }

    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) => row.Facts is { } facts
        ? [RowFacts.Of(name, row, facts)] : [];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures) =>
        metrics.Gauge(name, Get(figures, ReportScope.Interval) switch { bool flag => flag ? 1 : 0, double figure => figure, _ => null });

    private object? Get(Figures figures, ReportScope scope) => scope == ReportScope.Interval ? ofInterval(figures) : ofRun(figures);
}

/// <summary>The samples of a series, all or those of a phase. Its arguments are those of <see cref="LatencyFormats"/>.</summary>
internal sealed class LatencyValue(Series series, RunPhase? phase) : ReportValue
{
    /// <summary>Returns the word for a series in the names of files, and in the catalogue.</summary>
    public static string NameOf(Series series) => series switch
    {
        Series.RoundTrips => "rtt",
        Series.SendLag => "sendLag",
        _ => series.ToString().ToLowerInvariant(),
    };

    public override JsonPart Part => JsonPart.Latencies;
    public override int Order => (int)series;
    public override bool Exists(Figures figures) => Get(figures).Count > 0;
    public override long? CountSamples(Figures figures) => Get(figures).Count;
    public override object?[] Arguments(Figures figures, ReportScope scope) => LatencyFormats.Arguments(Get(figures));

    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope) =>
        JsonFigures.WriteLatency(json, name, Get(figures));

    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) =>
    [
        RowFacts.Of(name, row, (FigureKind.Time, LatencyCell.Unit, FigureMerge.Histogram)) with
        {
            Better = FigureSense.Lower,
            Series = NameOf(series),
            Phase = phase is { } of ? FigureWords.Of(of) : null,
        },
    ];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures)
    {
        LatencyFigures latency = Get(figures);
        metrics.Series = NameOf(series);
        metrics.Gauge(name + "Samples", latency.Count);
        if (latency.Count > 0)
        {
            metrics.Gauges(name + "Microseconds", "figure", LatencyCell.All.Select(cell => (cell.Name, cell.Get(latency))));
            metrics.Gauge(name + "Negative", latency.NegativeCount);
            metrics.Gauge(name + "Overflow", latency.OverflowCount);
        }

        if (phase is null && figures.Distributions.TryGetValue(series, out LatencyDistribution? distribution))
            metrics.Distribution(name + "DistributionMicroseconds", distribution, $"{metrics.Help}, all samples since the start");
        metrics.Series = null;
    }

    private LatencyFigures Get(Figures figures) => figures[series, phase];
}

/// <summary>The time needed for the images, once all have arrived. Arguments: {0} items, {1} seconds, {2} items per second.</summary>
internal sealed class ImagesValue : ReportValue
{
    private const string Items = "items";
    private const string Seconds = "seconds";
    private const string PerSecond = "perSecond";

    public override JsonPart Part => JsonPart.Images;
    public override bool Exists(Figures figures) => figures.Images is not null;

    public override object?[] Arguments(Figures figures, ReportScope scope) =>
        [figures.Images?.Items, figures.Images?.Seconds, figures.Images?.PerSecond];

    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope)
    {
        if (figures.Images is not { } images)
            return;
        json.WriteStartObject(name);
        json.WriteNumber(Items, images.Items);
        JsonFigures.WriteDouble(json, Seconds, images.Seconds);
        JsonFigures.WriteDouble(json, PerSecond, images.PerSecond);
        json.WriteEndObject();
    }

    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) =>
    [
        new() { Name = $"{name}.{Items}", Words = "images", Kind = FigureKind.Count },
        new() { Name = $"{name}.{Seconds}", Words = "time for all images", Kind = FigureKind.Time, Unit = "s", Better = FigureSense.Lower,
            Merge = FigureMerge.Max },
        new() { Name = $"{name}.{PerSecond}", Words = "image rate", Kind = FigureKind.Rate, Unit = "1/s", Better = FigureSense.Higher },
    ];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures)
    {
        metrics.Gauge(name + "Items", figures.Images?.Items);
        metrics.Gauge(name + "Seconds", figures.Images?.Seconds);
    }
}

/// <summary>A figure based on samples; its JSON is null without enough of them. Argument: {0} the figure.</summary>
internal sealed class SampleValue(Func<Figures, double?> get, Func<Figures, long> samples) : ReportValue
{
    public override JsonPart Part => JsonPart.Numbers;
    public override long? CountSamples(Figures figures) => samples(figures);
    public override object?[] Arguments(Figures figures, ReportScope scope) => [(object?)get(figures) ?? LatencyFormats.NoValue];
    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope) =>
        JsonFigures.WriteDouble(json, name, get(figures));

    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) => row.Facts is { } facts
        ? [RowFacts.Of(name, row, facts)] : [];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures) => metrics.Gauge(name, get(figures));
}

/// <summary>A member of a JSON line that is no figure: conditions, options, a role's name.</summary>
internal sealed class MemberValue(Action<Utf8JsonWriter, string, Figures> write) : ReportValue
{
    public override JsonPart Part => JsonPart.Numbers;
    public override object?[] Arguments(Figures figures, ReportScope scope) => [];
    public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope) => write(json, name, figures);
    public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) => [];

    public override void AddMetrics(MetricSet metrics, string name, Figures figures)
    {
        // monitoring reads numbers alone
    }
}
