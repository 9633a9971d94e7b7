using System.Diagnostics;
using System.Text.Json;
using PerfTools.Editions;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios;

/// <summary>
/// Observes the roles of a run from outside: the resources that their processes use, of any edition, and the results of programs that are not ours.
/// </summary>
internal sealed class OtherPrograms(Scenario scenario, ScenarioOptions options, RunFolder folder)
{
    private const double NanosPerSecond = 1e9;
    private readonly EditionRoles _editions = new(options.Editions, folder);
    private readonly Dictionary<string, (RoleProcess Process, OutsideWatch Watch)> _watched = [];

    /// <inheritdoc cref="EditionRoles.Prepare"/>
    public RunFailure? Prepare(IEnumerable<Role> roles) => _editions.Prepare(roles.Select(PartOf));

    /// <inheritdoc cref="EditionRoles.CreateCommand"/>
    public RoleCommand? CreateCommand(Role role, IReadOnlyList<string> arguments, out string? problem) =>
        _editions.CreateCommand(PartOf(role), arguments, out problem);

    /// <summary>The edition's word for a role that is none of ours; null for ours.</summary>
    public string? EditionOf(string role) => _editions.Find(role)?.Facts.Word;

    /// <summary>True when a role counts to its end, as ours do; null for ours.</summary>
    public bool? CountsToTheEnd(string role) => _editions.FactsOf(role)?.CountsToTheEnd;

    /// <inheritdoc cref="EditionRoles.Probe"/>
    public Dictionary<string, string> Probe(IEnumerable<Role> roles) => _editions.Probe(roles.Select(PartOf));

    /// <summary>Starts observing a process.</summary>
    public void Watch(Role role, RoleProcess process) =>
        _watched[role.Name] = (process, new OutsideWatch(process.Id, process.Command.IsSession));

    /// <summary>Takes a sample of all processes.</summary>
    public void Look()
    {
        foreach ((RoleProcess process, OutsideWatch watch) in _watched.Values.Where(role => !role.Process.HasExited))
            watch.Look();
    }

    /// <summary>The resources that the processes of a role used.</summary>
    /// <param name="role">Its name.</param>
    /// <param name="finals">The final lines of ours, by role.</param>
    public OutsideUse? UseOf(string role, IReadOnlyDictionary<string, JsonElement> finals)
    {
        (long? from, long? to) = FindWindow(finals);
        return _watched.TryGetValue(role, out (RoleProcess, OutsideWatch Watch) watched) ? watched.Watch.Use(from, to) : null;
    }

    /// <summary>Writes the final lines of the programs that are none of ours, once all have exited.</summary>
    /// <param name="finals">The final lines of ours on this machine, by role.</param>
    /// <returns>The first fault of such a role; null when there is none.</returns>
    public RunFailure? Finish(IReadOnlyDictionary<string, JsonElement> finals)
    {
        RunFailure? failure = null;
        foreach (Role role in scenario.RolesOf(options).Reverse()) // the measuring role has the most specific fault
        {
            if (_editions.Find(role.Name) is { } other && _watched.TryGetValue(role.Name, out (RoleProcess Process, OutsideWatch) watched)
                && watched.Process.HasExited)
            {
                failure ??= other.Finish(watched.Process, UseOf(role.Name, finals), folder.PathOf(role.LogFile), folder.PathOf(role.JsonFile));
            }
        }

        return failure;
    }

    private EditionPart PartOf(Role role) => new(role.Name, role.Title, role.Tool, role.ReportStem,
        scenario.Figures.Measured.MeasuredBy.Contains(role.Name), role.ReadyLine is not null, role.ConnectsTo is [var first, ..] ? first : null);

    // The measured time of the first role that measures.
    private (long? From, long? To) FindWindow(IReadOnlyDictionary<string, JsonElement> finals)
    {
        string measuring = scenario.Figures.Measured.MeasuredBy[0];
        if (_editions.Find(measuring) is { Window: var window })
            return (window.From, window.To ?? Stopwatch.GetTimestamp());
        JsonView line = new(finals.TryGetValue(measuring, out JsonElement final) ? final : null);
        return (Ticks(line.Number("resources.steady.fromNanos")), Ticks(line.Number("resources.steady.toNanos")));
    }

    private static long? Ticks(double? nanos) => nanos is { } known ? (long)(known / NanosPerSecond * Stopwatch.Frequency) : null;
}
