using System.Diagnostics;
using System.Diagnostics.Metrics;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>Metrics of collections as .NET instruments, each created when its name first occurs. One owner thread.</summary>
internal sealed class OtlpInstruments : IDisposable
{
    /// <summary>The name of the meter.</summary>
    public const string MeterName = "PerfTools";

    /// <summary>The name of the histograms of all series.</summary>
    public const string LatencyName = OtlpNames.Prefix + "latency";

    private readonly Meter _meter = new(MeterName);
    private readonly Dictionary<string, List<Measurement<double>>> _values = [];
    private readonly Histogram<double> _latencies;

    public OtlpInstruments() =>
        _latencies = _meter.CreateHistogram<double>(LatencyName, OtlpNames.Seconds, "time of messages, by series");

    /// <summary>True for an instrument of this run: another run of the process has meters of the same name.</summary>
    public bool Has(Instrument instrument) => instrument.Meter == _meter;

    /// <summary>Sets the values of a collection in place of the last ones; its samples are added to those before.</summary>
    /// <remarks>Samples are recorded one by one, as an instrument requires, on this thread.</remarks>
    public void Set(MetricSet metrics, IReadOnlyList<SampleCells> samples)
    {
        Clear();
        foreach (MetricFamily family in metrics.Families.Where(family => family.Kind is MetricKind.Counter or MetricKind.Gauge))
        {
            (string name, string? unit, double factor) = OtlpNames.Of(family);
            List<Measurement<double>> values = Find(name, unit, family);
            foreach (MetricSample sample in family.Samples)
                values.Add(new(sample.Value * factor, [.. sample.Labels.Select(label => new KeyValuePair<string, object?>(label.Name, label.Value))]));
        }

        foreach (SampleCells cells in samples)
            Record(cells);
    }

    /// <summary>Discards the values of the last collection, so that they are not sent again.</summary>
    public void Clear()
    {
        foreach (List<Measurement<double>> values in _values.Values)
            values.Clear();
    }

    public void Dispose() => _meter.Dispose();

    private List<Measurement<double>> Find(string name, string? unit, MetricFamily family)
    {
        if (_values.TryGetValue(name, out List<Measurement<double>>? values))
            return values;
        List<Measurement<double>> added = _values[name] = [];
        if (family.Kind == MetricKind.Counter)
            _meter.CreateObservableCounter(name, () => added, unit, family.Help);
        else
            _meter.CreateObservableGauge(name, () => added, unit, family.Help);
        return added;
    }

    private void Record(SampleCells samples)
    {
        TagList tags = new() { { "series", samples.Series } };
        if (samples.Thread is { } thread)
            tags.Add("thread", thread);
        foreach ((double seconds, long count) in samples.Cells)
        {
            for (long i = 0; i < count; i++)
                _latencies.Record(seconds, tags);
        }
    }
}
