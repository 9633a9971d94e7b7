using PerfTools.Results.Documents;

namespace Tools.Tests.PerfToolsTests.History;

/// <summary>Recorded runs, one per night, whose figures differ by noise and by planted changes.</summary>
internal sealed class SimulatedRuns(int seed)
{
    private static readonly DateTime First = new(2026, 3, 1, 2, 0, 0, DateTimeKind.Utc);
    private readonly Random _random = new(seed);
    private double _last;

    /// <summary>Standard deviation of CPU, memory and the mean latency, part of them.</summary>
    public double Noise { get; init; } = 0.025;

    /// <summary>How much of the noise of one run is left in the next.</summary>
    public double Likeness { get; init; }

    /// <summary>The distance between outliers, runs disturbed by other work; 0 for none.</summary>
    public int OutlierEvery { get; init; }

    /// <summary>Some runs.</summary>
    /// <param name="count">How many.</param>
    /// <param name="latencyFactor">What latency is multiplied by, of each run.</param>
    public IReadOnlyList<RunDocument> Make(int count, Func<int, double>? latencyFactor = null) =>
        [.. Enumerable.Range(0, count).Select(i => Make(i, latencyFactor?.Invoke(i) ?? 1))];

    private RunDocument Make(int index, double latencyFactor)
    {
        RunDocument run = SampleFigures.Run;
        RunFigures figures = run.Figures!;
        double machine = NextOfMachine();
        double load = OutlierEvery > 0 && _random.Next(OutlierEvery) == 0 ? 1.6 : 1;
        double Near(double value, double noise) => value * load * Math.Exp(machine + (noise * Normal()));
        return run with
        {
            StartUtc = First.AddDays(index),
            EndUtc = First.AddDays(index).AddSeconds(12),
            Figures = figures with
            {
                RateReached = figures.RateReached * Math.Exp(0.0001 * Normal()),
                LatencyMicros = Vary(figures.LatencyMicros!, value => latencyFactor * Near(value, Noise)),
                SendLagMicros = Vary(figures.SendLagMicros!, value => Near(value, 4 * Noise)),
                Images = figures.Images! with { Seconds = Near(figures.Images!.Seconds, 2 * Noise) },
            },
            Roles = [.. run.Roles.Select(role => role with
            {
                CpuCorePercent = Near(role.CpuCorePercent!.Value, Noise),
                MemoryMegabytes = role.MemoryMegabytes!.Value * Math.Exp(0.01 * Normal()),
            })],
            Machine = Machine(index),
        };
    }

    /// <summary>A machine that is the same wherever the tests run.</summary>
    private static MachineDescription Machine(int index) => new()
    {
        Processors = 8,
        OperatingSystem = "Linux",
        Architecture = "X64",
        Runtime = ".NET 10.0.0",
        ToolsVersion = $"0.16.{index / 10}",
        Commit = $"{0x1a2b3c4d + (index * 0x01010101L):x10}",
    };

    private double NextOfMachine() =>
        _last = Likeness == 0 ? 0 : (Likeness * _last) + (Noise * Math.Sqrt(1 - (Likeness * Likeness)) * Normal());

    private RunLatency Vary(RunLatency latency, Func<double, double> near) => latency with
    {
        Average = near(latency.Average),
        P50 = near(latency.P50!.Value),
        P90 = near(latency.P90!.Value),
        P99 = near(latency.P99!.Value) * Math.Exp(0.05 * Normal()),
        P999 = near(latency.P999!.Value) * Math.Exp(0.2 * Normal()),
    };

    private double Normal() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
}
