using System.Text.Json;
using PerfCommon;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios.Users;

/// <summary>The results of a ramp on one machine: the folder of a rank, of a run, or of single programs.</summary>
/// <param name="Folder">The folder.</param>
/// <param name="Document">Its run.json; null for single programs.</param>
/// <param name="Roles">Its roles, with all their lines read.</param>
internal sealed record RampPart(string Folder, RunDocument? Document, IReadOnlyList<UsersRole> Roles)
{
    private const string LinesExtension = ".jsonl";
    private const string StepsEnd = "-steps.hlog";

    private static readonly string[] Tools = [ToolNames.Hub, ToolNames.Source, ToolNames.Users];

    /// <summary>Its rank and their number, as in <c>2/6</c>; null for a part without one.</summary>
    public string? Rank => Input("rank");

    /// <summary>The CPU use of others on its machines in each step, in percent; empty where unknown.</summary>
    public IEnumerable<IReadOnlyList<double?>> Loads =>
        (Document?.Ranks ?? []).Select(rank => rank.StepForeignPercent).Append(Document?.Steps?.Select(step => step.ForeignPercent).ToArray())
        .OfType<IReadOnlyList<double?>>();

    /// <summary>True where the folder has the results of a rank of a run.</summary>
    public static bool IsOf(string folder, string runId) =>
        RecordedRun.IsIn(folder) && new RampPart(folder, RecordedRun.Read(folder).Document, []).Input("runId") == runId;

    /// <summary>Reads a folder.</summary>
    /// <exception cref="SetupException">It has no results of users, hub or sources, or it cannot be read (exit code 3).</exception>
    public static RampPart Read(string folder)
    {
        if (!Directory.Exists(folder))
            throw FileErrors.Input(folder, "no such folder");
        RunDocument? document = RecordedRun.IsIn(folder) ? RecordedRun.Read(folder).Document : null;
        UsersRole[] roles = document is not null
            ? [.. document.Roles.Where(role =>
                role.Files is not null).Select(role => new UsersRole(role.Name, role.Tool ?? "", folder, role.Files!)
                { ClockShift = RankClock.ToMillis(RankClock.ShiftOf(document.Ranks, document.Clocks, role.Name)) })]
            : [.. Directory.GetFiles(folder,
                "*" + LinesExtension).Order(StringComparer.Ordinal).Select(path => FindRole(folder, path)).OfType<UsersRole>()];
        if (roles.Length == 0 && document?.Ranks is null)
            throw FileErrors.Input(folder, $"neither {RunFile.Name} nor JSON lines of {string.Join(", ", Tools)} are in it");
        foreach (UsersRole role in roles)
            role.ReadToEnd();
        return new(folder, document, roles);
    }

    /// <summary>Reads a text of its inputs; null where it has none.</summary>
    public string? Input(string name) =>
        Document is not null && Document.Inputs.TryGetValue(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
        ? value.GetString() : null;

    // Finds a single program: its lines say which, its histograms have the name of the lines, or are the only ones there.
    private static UsersRole? FindRole(string folder, string path)
    {
        string name = Path.GetFileNameWithoutExtension(path);
        JsonLinesReader lines = new(path);
        lines.ReadNew();
        string? tool = new JsonView(lines.Last).Text("tool");
        string[] logs = [.. Directory.GetFiles(folder, "*" + StepsEnd).Select(Path.GetFileName).OfType<string>()];
        string histograms = logs is [var only] && !logs.Contains(name + StepsEnd) ? only[..^StepsEnd.Length] : name;
        return Tools.Contains(tool) ? new UsersRole(name, tool!, folder, new($"{name}.log", Path.GetFileName(path), histograms)) : null;
    }
}
