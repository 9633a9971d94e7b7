namespace PerfCommon.Benchmarks.Regression;

/// <summary>Something that is done for every message.</summary>
/// <param name="Name">What it is; under this name its ratio is recorded.</param>
/// <param name="Create">
/// Makes what it needs, anew for each trial (where an array lies can cost a case of few nanoseconds a fifth), and the loop that does it so
/// many times.
/// </param>
internal sealed record HotCase(string Name, Func<Action<int>> Create);
