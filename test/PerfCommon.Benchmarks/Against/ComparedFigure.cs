using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Against;

/// <summary>A figure of a run that is compared between two builds.</summary>
/// <param name="Name">Name of the figure, with its unit.</param>
/// <param name="Of">Reads it from a run; null when the run has none.</param>
internal sealed record ComparedFigure(string Name, Func<BuildRun, double?> Of)
{
    public static ComparedFigure Both { get; } = new("both ns", r => r.BothNanos);

    public static ComparedFigure P50 { get; } = new("p50 us", r => r.Client?.P50Micros);

    public static ComparedFigure P99 { get; } = new("p99 us", r => r.Client?.P99Micros);

    /// <summary>Returns the figures of a case, in the order of the table.</summary>
    public static IReadOnlyList<ComparedFigure> AllOf(AgainstCase what) =>
    [
        new($"{what.Server.Name} ns", r => r.Server?.NanosPerMessage),
        new($"{what.Client.Name} ns", r => r.Client?.NanosPerMessage),
        Both,
        P50,
        P99,
    ];
}
