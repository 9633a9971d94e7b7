using PerfTools.Verbs;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>A run of each build, directly one after the other.</summary>
/// <param name="Number">Index of the pair, from 0.</param>
/// <param name="RateAsked">Messages a second requested from both.</param>
/// <param name="Reference">A.</param>
/// <param name="Candidate">B.</param>
internal sealed record BuildPair(int Number, double RateAsked, BuildRun Reference, BuildRun Candidate)
{
    /// <summary>The reason why the pair does not count; null when it does.</summary>
    public string? Fault => Describe(ComparedBuild.Reference) ?? Describe(ComparedBuild.Candidate);

    /// <summary>The run of one build.</summary>
    public BuildRun this[ComparedBuild build] => build == ComparedBuild.Reference ? Reference : Candidate;

    /// <summary>Returns a figure of B divided by that of A; null when either has none.</summary>
    public double? Ratio(Func<BuildRun, double?> figure) =>
        figure(Reference) is { } a and > 0 && figure(Candidate) is { } b ? b / a : null;

    private string? Describe(ComparedBuild build) => this[build].FindFault(RateAsked) is { } fault ? $"{build.Letter()}: {fault}" : null;
}
