using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Telemetry;

namespace PerfTools.Hosting.Running;

/// <summary>Publishes a run's metrics while it goes on: to clients that read the last collection, and to a collector. Main thread.</summary>
internal sealed class RunTelemetry
{
    private const int MaxEndMillis = 5_000; // perftools kills a role that does not end

    private static readonly TimeSpan EndLimit = TimeSpan.FromMilliseconds(Math.Min(OtlpTarget.AnswerMillis + 1_000, MaxEndMillis));

    private readonly ToolRole _role;
    private readonly string? _version;
    private readonly bool _isRead;
    private readonly OtlpPush? _push;
    private readonly DistributionSums _sums = new();
    private Collected? _last;
    private IReadOnlyList<Figures> _sizes = [];

    /// <param name="role">The role with the metrics.</param>
    /// <param name="options">Where they can be read, and where they are sent.</param>
    public RunTelemetry(ToolRole role, ControlOptions options)
    {
        (_role, _version) = (role, ProgramVersion.Of(role.GetType().Assembly));
        _isRead = options.MetricsPort is not null;
        _push = OtlpPush.Open(options.Otlp, role.Report.Tool, _version);
    }

    /// <summary>Writes the last collection as text, or the completed sizes; any thread.</summary>
    public string WriteMetrics() => MetricsText.Write(
        _role.Report.Sizes is null ? Collect(Volatile.Read(ref _last)) : Collect(Volatile.Read(ref _sizes)), RunLabels.OfThisProcess);

    /// <summary>Publishes the sizes that a run has completed.</summary>
    public void Publish(IReadOnlyList<Figures> sizes)
    {
        Volatile.Write(ref _sizes, sizes);
        _push?.Offer(() => Collect(sizes), []);
    }

    /// <summary>Publishes a collection.</summary>
    /// <param name="figures">All workers together, and each.</param>
    /// <param name="collector">The collector with the samples of the interval.</param>
    public void Publish((Figures Overall, IReadOnlyList<Figures> Threads) figures, Collector collector)
    {
        if (_isRead)
            figures.Overall = figures.Overall with { Distributions = _sums.Add(figures, series => collector.IntervalOf(series, null)) };
        Collected now = new(figures.Overall, figures.Threads);
        Volatile.Write(ref _last, now);
        _push?.Offer(() => Collect(now), Copy(figures, collector));
    }

    /// <summary>Returns why figures did not reach the collector, once; null for nothing.</summary>
    public string? DequeueNotice() => _push?.DequeueNotice();

    /// <summary>Sends the waiting collections, within a limit; returns what did not arrive.</summary>
    public string? Complete() => _push?.Complete(EndLimit);

    private MetricSet Collect(Collected? collected) =>
        _role.Report.CollectMetrics(_version, collected?.Overall, collected?.Threads ?? []);

    private MetricSet Collect(IReadOnlyList<Figures> sizes) => _role.Report.Sizes!.CollectMetrics(_version, sizes);

    // The histograms change with the next collection.
    private List<SampleCells> Copy((Figures Overall, IReadOnlyList<Figures> Threads) figures, Collector collector)
    {
        List<SampleCells> all = [];
        bool isOne = _role.IsReportedAsOne || _role.Workers.Count == 1;
        foreach (Series series in figures.Overall.Latencies.Keys.Where(key => key.Phase is null).Select(key => key.Series))
        {
            for (int i = 0; i < (isOne ? 1 : _role.Workers.Count); i++)
            {
                if (collector.IntervalOf(series, isOne ? null : i) is { TotalCount: > 0 } histogram)
                    all.Add(SampleCells.Of(LatencyValue.NameOf(series), isOne ? null : FormattableString.Invariant($"{i + 1}"), histogram));
            }
        }

        return all;
    }

    private sealed record Collected(Figures Overall, IReadOnlyList<Figures> Threads);
}
