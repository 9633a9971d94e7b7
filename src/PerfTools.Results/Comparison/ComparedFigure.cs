using PerfCommon.Measurement;

namespace PerfTools.Results.Comparison;

/// <summary>A figure by which two measurements are compared.</summary>
public sealed record ComparedFigure
{
    // A smaller change does not count, however certain it is.
    private const double MinCostChange = 0.02;
    private const double MinLatencyChange = 0.05;

    // Deviation between runs of one unchanged configuration, as standard deviation of the logarithm: forty runs on a machine of two shared processors
    // (test/Tools.Tests, RecordedRuns). The parts of a single run are alike and do not show it.
    private const double CostDeviation = 0.12;
    private const double LatencyDeviation = 0.2;
    private const double TailDeviation = 0.9;
    private const double TailPercentile = 95;

    /// <summary>Name of the figure in <c>--fail</c> and in JSON.</summary>
    public required string Name { get; init; }

    /// <summary>Display name of the figure, with its unit.</summary>
    public required string Title { get; init; }

    /// <summary>Minimum change, as a part of the figure.</summary>
    public required double MinChange { get; init; }

    /// <summary>True where more is better.</summary>
    public bool IsGain { get; init; }

    /// <summary>True for a figure of a single role that was requested by its name.</summary>
    internal bool IsOfRole { get; init; }

    /// <summary>True for a latency from one clock to another, whose error has a bound.</summary>
    internal bool IsOneWay { get; init; }

    /// <summary>True where neither more nor less is better.</summary>
    public bool IsNeutral { get; init; }

    /// <summary>Reads it from the sum of pieces; null where it is not known.</summary>
    internal Func<SegmentSum, double?> Read { get; init; } = static _ => null;

    /// <summary>Deviation between runs of one configuration, as a part of the figure; for a side that is a single run.</summary>
    internal double RunDeviation { get; init; }

    /// <summary>Number of samples that the figure requires, and the samples.</summary>
    internal (long Needed, Func<SegmentSum, SampleSum> Of)? Samples { get; init; }

    /// <summary>The figures that do not depend on the roles.</summary>
    internal static IReadOnlyList<ComparedFigure> Common { get; } =
    [
        new() { Name = "rate", Title = "rate, messages/s", MinChange = MinCostChange, IsGain = true, Read = sum => sum.Rate },
        OfMean("avg", "latency average, us", sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p50", "latency p50, us", 50, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p90", "latency p90, us", 90, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p99", "latency p99, us", 99, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("p99.9", "latency p99.9, us", 99.9, sum => sum.Latency) with { IsOneWay = true },
        OfPercentile("sendLagP99", "send lag p99, us", 99, sum => sum.SendLag),
        new() { Name = "images", Title = "time for all images, s", MinChange = MinCostChange, Read = sum => sum.ImageSeconds },
        new() { Name = "memory", Title = "memory of all roles, MB", MinChange = MinCostChange, Read = sum => sum.MemoryMegabytes },
    ];

    /// <summary>Returns all figures of a measurement with these roles: for each the CPU time per message, and for all of them together.</summary>
    internal static IReadOnlyList<ComparedFigure> Of(IReadOnlyList<string> roles) =>
        [.. Common, OfCpu("cpu", "CPU of all roles, ns per message", roles),
            .. roles.Select(role => OfCpu($"cpu.{role}", $"CPU of the {role}, ns per message", [role]))];

    /// <summary>Creates the figure for the maximum value that a search found.</summary>
    internal static ComparedFigure OfCapacity(string unit) =>
        new() { Name = "capacity", Title = $"capacity, {unit}", MinChange = MinCostChange, IsGain = true };

    /// <summary>Creates a figure that is a mean of samples.</summary>
    internal static ComparedFigure OfMean(string name, string title, Func<SegmentSum, SampleSum> samples) => new()
    {
        Name = name,
        Title = title,
        MinChange = MinLatencyChange,
        RunDeviation = LatencyDeviation,
        Read = sum => samples(sum).Mean,
        Samples = (1, samples),
    };

    /// <summary>Creates a figure that is a percentile of samples.</summary>
    internal static ComparedFigure OfPercentile(string name, string title, double percentile, Func<SegmentSum, SampleSum> samples) => new()
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
