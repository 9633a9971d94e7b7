namespace PerfCommon.Benchmarks.Regression;

/// <summary>Something that is done for every message.</summary>
/// <param name="Name">What it is; under this name its ratio is recorded.</param>
/// <param name="Run">Does it so many times.</param>
internal sealed record HotCase(string Name, Action<int> Run);
