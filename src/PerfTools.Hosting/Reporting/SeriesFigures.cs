using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>The finished figures of every series, of all its samples and of those of one phase; default has no samples.</summary>
internal readonly struct SeriesFigures
{
    private readonly Dictionary<(Series Series, RunPhase? Phase), LatencyFigures>? _figures;

    private SeriesFigures(Dictionary<(Series, RunPhase?), LatencyFigures> figures) => _figures = figures;

    /// <summary>All samples of a series; default without samples.</summary>
    public LatencyFigures this[Series series] => Find(series, null);

    /// <summary>The samples of a series in one phase; default without samples.</summary>
    public LatencyFigures this[Series series, RunPhase phase] => Find(series, phase);

    /// <summary>Puts figures together, each of a series and of all its samples (phase null) or of one phase.</summary>
    public static SeriesFigures Of(params ReadOnlySpan<(Series Series, RunPhase? Phase, LatencyFigures Figures)> figures)
    {
        Dictionary<(Series, RunPhase?), LatencyFigures> all = [];
        foreach ((Series series, RunPhase? phase, LatencyFigures found) in figures)
            all[(series, phase)] = found;
        return new SeriesFigures(all);
    }

    private LatencyFigures Find(Series series, RunPhase? phase) => _figures?.GetValueOrDefault((series, phase)) ?? default;
}
