using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios;

/// <summary>The JSON lines of the roles of a run, read while the roles write them.</summary>
/// <param name="roles">The roles.</param>
/// <param name="folder">The folder of the run.</param>
/// <param name="ranks">The other machines of the run; null for a run of this one.</param>
internal sealed class RoleLines(IEnumerable<Role> roles, RunFolder folder, ScenarioRanks? ranks)
{
    private readonly Dictionary<string, JsonLinesReader> _readers =
        roles.ToDictionary(role => role.Name, role => new JsonLinesReader(folder.PathOf(role.JsonFile), ranks?.ShownPathOf(role)));

    /// <summary>The final lines of the roles that have written one, by their names.</summary>
    public Dictionary<string, JsonElement> Finals =>
        _readers.Keys.Where(role => FinalOf(role) is not null).ToDictionary(role => role, role => FinalOf(role)!.Value);

    /// <summary>Reads the lines of a role that were completed since the last call.</summary>
    public IReadOnlyList<JsonElement> ReadNew(string role) => _readers[role].ReadNew();

    /// <summary>The last line of a role that was read; null before the first.</summary>
    public JsonElement? LastOf(string role) => _readers[role].Last;

    /// <summary>The final line of a role; null before it was written.</summary>
    public JsonElement? FinalOf(string role) => _readers[role].Final;

    /// <summary>Why the counts of a role cannot be compared, by its final line; null when they can.</summary>
    public RunFailure? FindBreak(Role role)
    {
        JsonView final = new(FinalOf(role.Name));
        string reason = PrintableText.From(final.Text("notComparableReason") ?? "no reason given");
        return final.IsFalse("comparable") ? new(ExitCode.Incomplete, $"{role.Title}: counts are not comparable: {reason}") : null;
    }

    /// <summary>Adds to a failure what the hub says: a consumer that it disconnected reports a lost connection.</summary>
    public RunFailure Explain(RunFailure failure)
    {
        JsonView hub = new(_readers.TryGetValue(RoleNames.Hub, out JsonLinesReader? lines) ? lines.Final : null);
        long cut = hub.Part("overall").Part("counts").Count("connectionsCut");
        string what = cut == 1 ? "a connection that read" : string.Create(CultureInfo.InvariantCulture, $"{cut:N0} connections that read");
        return cut == 0 ? failure : failure with { Reason = $"{failure.Reason}; HubPerf cut {what} too slowly (-maxQueue, -slow)" };
    }
}
