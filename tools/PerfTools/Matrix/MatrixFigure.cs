using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Matrix;

/// <summary>A figure of every run of a matrix.</summary>
/// <param name="Name">Its name in files.</param>
/// <param name="Head">Its column heading, with its unit.</param>
/// <param name="IsLowerBetter">True for a figure that is better low.</param>
/// <param name="Read">Reads it from a run; null where the run has none.</param>
/// <param name="Show">Formats it.</param>
internal sealed record MatrixFigure(string Name, string Head, bool IsLowerBetter, Func<RunDocument, double?> Read, Func<double, string> Show)
{
    private const double WholePercent = 100;
    private const double NanosPerSecond = 1e9;

    /// <summary>Lists the figures for the roles of a scenario.</summary>
    /// <param name="roles">The names of the roles.</param>
    /// <param name="what">The singular of the messages sent, such as update.</param>
    public static IReadOnlyList<MatrixFigure> Of(IReadOnlyList<string> roles, string what) =>
    [
        new("rateKeptPercent", "rate kept, %", false, run => run.Figures is { RateAsked: > 0 and var asked, RateReached: var reached }
            ? WholePercent * reached / asked : null, Figure.Percent),
        new("imagesSeconds", "images, s", true, run => run.Figures?.Images?.Seconds, Figure.Seconds),
        new("p50", "p50, us", true, run => run.Figures?.LatencyMicros?.P50, value => Figure.Micros(value)),
        new("p99", "p99, us", true, run => run.Figures?.LatencyMicros?.P99, value => Figure.Micros(value)),
        .. roles.Select(role => new MatrixFigure($"{role}.nanosPerMessage", $"{role}, ns per {what}", true, run => NanosPerMessage(run, role), Figure.Whole)),
        .. roles.Select(role => new MatrixFigure($"{role}.megabytes", $"{role}, MB", true, run => Find(run, role)?.Outside?.PeakMegabytes
            ?? Find(run, role)?.MemoryMegabytes, Figure.Whole)),
    ];

    private static RoleResult? Find(RunDocument run, string role) => run.Roles.FirstOrDefault(result => result.Name == role);

    // By the system's accounts where they are known: the same for every edition.
    private static double? NanosPerMessage(RunDocument run, string role) => run.Figures is { RateReached: > 0 and var rate }
        ? (Find(run, role)?.Outside?.CoreCpuPercent ?? Find(run, role)?.CpuCorePercent) / WholePercent * NanosPerSecond / rate : null;
}
