using PerfCommon.Measurement;

namespace PerfTools.Results.Comparison;

/// <summary>A figure that two measurements are compared by.</summary>
public sealed record ComparedFigure
{
    // A change of less is none, however sure it is.
    private const double MinCostChange = 0.02;
    private const double MinLatencyChange = 0.05;

    // How far runs of one configuration are apart though nothing was changed, as standard deviation of the logarithm: forty runs on a
    // machine of two shared processors (test/Tools.Tests, RecordedRuns). The parts of a single run are alike and do not show it.
    private const double CostDeviation = 0.12;
    private const double LatencyDeviation = 0.2;
    private const double TailDeviation = 0.9;
    private const double TailPercentile = 95;

    /// <summary>Its name in <c>--fail</c> and in JSON.</summary>
    public required string Name { get; init; }

    /// <summary>Its name for people, with its unit.</summary>
    public required string Title { get; init; }

    /// <summary>A change has to exceed this part of it.</summary>
    public required double MinChange { get; init; }

    /// <summary>True where more is better.</summary>
    public bool IsGain { get; init; }

    /// <summary>True for a figure of a single role that was asked for by its name.</summary>
    internal bool IsOfRole { get; init; }

    /// <summary>True for a latency from one clock to another, whose error has a bound.</summary>
    internal bool IsOneWay { get; init; }

    /// <summary>True where neither more nor less is better.</summary>
    public bool IsNeutral { get; init; }

    /// <summary>Reads it from pieces added up; null where it is not known.</summary>
    internal Func<PieceSum, double?> Read { get; init; } = static _ => null;

    /// <summary>How far runs of one configuration are apart, for a side that is one run; part of it.</summary>
    internal double RunDeviation { get; init; }

    /// <summary>Samples that it needs to be shown, and where they are.</summary>
    internal (long Needed, Func<PieceSum, SampleSum> Of)? Samples { get; init; }

    /// <summary>The figures that do not depend on who takes part.</summary>
    internal static IReadOnlyList<ComparedFigure> Common { get; } =
    [
        new() { Name = "rate", Title = "rate, messages/s", MinChange = MinCostChange, IsGain = true,
            Read = sum => sum.Seconds > 0 ? sum.Messages / sum.Seconds : null },
        OfMean("avg", "latency average, us", sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p50", "latency p50, us", 50, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p90", "latency p90, us", 90, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p99", "latency p99, us", 99, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p99.9", "latency p99.9, us", 99.9, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("sendLagP99", "send lag p99, us", 99, sum => sum.SendLag),
        new() { Name = "images", Title = "time for all images, s", MinChange = MinCostChange, Read = sum => sum.ImageSeconds },
        new() { Name = "memory", Title = "memory of all roles, MB", MinChange = MinCostChange, Read = sum => sum.MemoryMegabytes },
    ];

    /// <summary>All figures of a measurement with these roles: of each of them the processor time of a message, and that of all.</summary>
    internal static IReadOnlyList<ComparedFigure> Of(IReadOnlyList<string> roles) =>
        [.. Common, OfCpu("cpu", "CPU of all roles, ns per message", roles),
            .. roles.Select(role => OfCpu($"cpu.{role}", $"CPU of the {role}, ns per message", [role]))];

    /// <summary>The greatest value that a search found.</summary>
    internal static ComparedFigure OfCapacity(string unit) =>
        new() { Name = "capacity", Title = $"capacity, {unit}", MinChange = MinCostChange, IsGain = true };

    /// <summary>A mean of samples.</summary>
    internal static ComparedFigure OfMean(string name, string title, Func<PieceSum, SampleSum> samples) => new()
    {
        Name = name,
        Title = title,
        MinChange = MinLatencyChange,
        RunDeviation = LatencyDeviation,
        Read = sum => samples(sum).Mean,
        Samples = (1, samples),
    };

    /// <summary>A percentile of samples.</summary>
    internal static ComparedFigure OfPercentile(string name, string title, double percentile, Func<PieceSum, SampleSum> samples) => new()
    {
        Name = name,
        Title = title,
        MinChange = MinLatencyChange,
        RunDeviation = percentile < TailPercentile ? LatencyDeviation : TailDeviation,
        Read = sum => samples(sum).ValueAt(percentile),
        Samples = (LatencyFigures.SamplesNeeded(percentile), samples),
    };

    private static ComparedFigure OfCpu(string name, string title, IReadOnlyList<string> roles) => new()
    {
        Name = name,
        Title = title,
        MinChange = MinCostChange,
        RunDeviation = CostDeviation,
        Read = sum => roles.Sum(role => sum.CpuNanosPerMessage(role) ?? double.NaN) is var nanos && double.IsNaN(nanos) ? null : nanos,
    };
}
