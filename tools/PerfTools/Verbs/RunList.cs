using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary>All that <c>perftools run</c> can run.</summary>
internal static class RunList
{
    private static IEnumerable<(string Name, string Summary)> All =>
        [.. ScenarioList.All.Select(scenario => (scenario.Name, scenario.Summary)),
            .. UsersSuite.All.Select(users => (users.Name, users.Summary)), (ScenarioFileVerb.Built, ScenarioFileVerb.BuiltSummary)];

    /// <summary>Lists names and summaries, a line each.</summary>
    public static string Describe() =>
        string.Concat(All.Select(run => $"{run.Name.PadRight(All.Max(one => one.Name.Length))}  {run.Summary}\n"));
}
