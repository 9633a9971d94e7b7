namespace PerfCommon.Benchmarks.Regression;

/// <summary>An operation that is executed for every message.</summary>
/// <param name="Name">Name under which its ratio is recorded.</param>
/// <param name="Create">
/// Creates its data, anew for each trial (the position of an array can change a case of few nanoseconds by a fifth), and the loop that
/// repeats it a given number of times.
/// </param>
internal sealed record HotCase(string Name, Func<Action<int>> Create);
