using PerfTools.Processes;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>What the arguments of a role may depend on.</summary>
/// <param name="Options">What was asked for.</param>
/// <param name="Folder">The run's folder.</param>
/// <param name="Addresses">Where the roles listen that are ready, by their names.</param>
/// <param name="RunTimeSeconds">Longer than the run can last: a role that nobody ends must end by itself.</param>
internal sealed record RoleContext(
    ScenarioOptions Options, RunFolder Folder, IReadOnlyDictionary<string, HostAddress> Addresses, int RunTimeSeconds);
