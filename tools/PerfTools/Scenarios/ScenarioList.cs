namespace PerfTools.Scenarios;

/// <summary>Every scenario of <c>perftools run</c>.</summary>
internal static class ScenarioList
{
    /// <summary>All of them, in the order of the help.</summary>
    public static IReadOnlyList<Scenario> All { get; } = [DirectScenario.Direct, TransportScenario.Transport, TransportScenario.Reflect];
}
