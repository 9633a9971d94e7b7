using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Scenarios;

/// <summary>How a scenario is run several times, one configuration after another, where its options ask for that.</summary>
/// <param name="Count">The number of runs for which options ask, from 1.</param>
/// <param name="HowOne">How to ask for one run, as a sentence that names the flags.</param>
/// <param name="Run">
/// Carries them out, given the way to carry out one, which has no outcome where no further run begins, and the way to write one report of all in a folder,
/// which is null for a rank that does not judge.
/// </param>
internal sealed record RunSeries(
    Func<ScenarioOptions, int> Count, string HowOne,
    Func<ScenarioOptions, RunHost, Func<ScenarioOptions, RunOutcome?>, Func<string, string?>?, RunOutcome> Run);
