namespace PerfTools.Hosting.Reporting;

/// <summary>The kinds of metric families, as OpenMetrics and OpenTelemetry name them.</summary>
internal enum MetricKind
{
    /// <summary>A count that never falls.</summary>
    Counter,

    /// <summary>A figure that rises and falls.</summary>
    Gauge,

    /// <summary>A constant, expressed by labels.</summary>
    Info,

    /// <summary>Samples since the start, by bounds.</summary>
    Distribution,
}

/// <summary>The value of a metric with these labels.</summary>
internal sealed record MetricSample(IReadOnlyList<(string Name, string Value)> Labels, double Value)
{
    /// <summary>The samples of a distribution; null for every other kind.</summary>
    public LatencyDistribution? Distribution { get; init; }
}

/// <summary>All samples of one name.</summary>
/// <param name="Name">In camel case, as in the JSON lines; parts are separated by dots.</param>
/// <param name="Kind">The kind of the metric.</param>
/// <param name="Help">A human-readable description; null where none is known.</param>
/// <param name="Unit">Its unit in the words of the catalogue; null where it has none.</param>
internal sealed record MetricFamily(string Name, MetricKind Kind, string? Help, string? Unit)
{
    public List<MetricSample> Samples { get; } = [];
}

/// <summary>Metrics of one collection, for any output format. Not thread-safe.</summary>
internal sealed class MetricSet
{
    private const string ThreadLabel = "thread", SeriesLabel = "series";
    private const string OfThreads = "thread.";

    private readonly Dictionary<string, MetricFamily> _byName = [];
    private readonly List<MetricFamily> _families = [];

    /// <summary>The families in the order in which they were first added.</summary>
    public IReadOnlyList<MetricFamily> Families => _families;

    /// <summary>A human-readable description of the metrics added next; null for none.</summary>
    public string? Help { get; set; }

    /// <summary>The unit of the metrics added next, in the words of the catalogue, where their name does not end with it.</summary>
    public string? Unit { get; set; }

    /// <summary>The worker thread of the metrics added next, from 1; null for all together.</summary>
    public string? Thread { get; set; }

    /// <summary>The series of the metrics added next; null for none.</summary>
    public string? Series { get; set; }

    /// <summary>Adds a count that never falls.</summary>
    /// <param name="name">Its name in camel case, as in the JSON lines.</param>
    /// <param name="value">The count since the start.</param>
    /// <param name="help">A human-readable description; null for <see cref="Help"/>.</param>
    public void Counter(string name, double value, string? help = null) => Add(name, MetricKind.Counter, help, [], value);

    /// <summary>Adds a figure; null leaves it out.</summary>
    /// <inheritdoc cref="Counter"/>
    public void Gauge(string name, double? value, string? help = null)
    {
        if (value is { } known)
            Add(name, MetricKind.Gauge, help, [], known);
    }

    /// <summary>Adds figures that belong together; null ones are left out.</summary>
    /// <param name="name">Name of the figures.</param>
    /// <param name="label">Name of the label that distinguishes them.</param>
    /// <param name="values">Value of the label for each, and the figure.</param>
    public void Gauges(string name, string label, IEnumerable<(string Label, double? Value)> values)
    {
        foreach ((string of, double? value) in values)
        {
            if (value is { } known)
                Add(name, MetricKind.Gauge, null, [(label, of)], known);
        }
    }

    /// <summary>Adds constants as labels.</summary>
    public void Info(string name, IEnumerable<(string Label, string Value)> labels) => Add(name, MetricKind.Info, null, [.. labels], 1);

    /// <summary>Adds the samples of a series since the start.</summary>
    public void Distribution(string name, LatencyDistribution distribution, string help) =>
        Find(name, MetricKind.Distribution, help).Samples.Add(new(WithScope([]), distribution.Count) { Distribution = distribution });

    private void Add(string name, MetricKind kind, string? help, IReadOnlyList<(string Name, string Value)> labels, double value)
    {
        MetricFamily family = Find(name, kind, help);
        IReadOnlyList<(string Name, string Value)> all = WithScope(labels);
        if (!family.Samples.Exists(sample => sample.Labels.SequenceEqual(all)))
            family.Samples.Add(new(all, value));
    }

    private MetricFamily Find(string name, MetricKind kind, string? help)
    {
        string full = Thread is null ? name : OfThreads + name;
        if (!_byName.TryGetValue(full, out MetricFamily? family))
            _families.Add(_byName[full] = family = new(full, kind, help ?? Help, Unit));
        return family;
    }

    private IReadOnlyList<(string Name, string Value)> WithScope(IReadOnlyList<(string Name, string Value)> labels) =>
        Thread is null && Series is null ? labels
            : [.. Thread is null ? [] : new[] { (ThreadLabel, Thread) }, .. Series is null ? [] : new[] { (SeriesLabel, Series) }, .. labels];
}
