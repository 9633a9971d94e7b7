namespace PerfTools.Scenarios;

/// <summary>Every scenario of <c>perftools run</c>, in the order of the help.</summary>
internal static class ScenarioList
{
    public static IReadOnlyList<Scenario> All { get; } =
    [
        DirectScenario.Direct, HubScenarios.Direct, HubScenarios.NonInteractive, HubScenarios.Posting, TransportScenario.Transport,
        TransportScenario.Reflect,
        RoundtripScenario.Roundtrip,
    ];
}
