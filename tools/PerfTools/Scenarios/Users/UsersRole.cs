using System.Text.Json;
using PerfTools.Results;

namespace PerfTools.Scenarios.Users;

/// <summary>One process of a ramp, and what it has written so far.</summary>
internal sealed class UsersRole(string name, string tool, RunFolder folder)
{
    private readonly List<JsonElement> _all = [];

    public string Name => name;
    public string Tool => tool;

    public RoleFiles Files { get; } = new($"{name}.log", $"{name}.jsonl", name);

    public JsonLinesReader Lines { get; } = new(folder.PathOf($"{name}.jsonl"));

    /// <summary>All JSON lines that were read.</summary>
    public IReadOnlyList<JsonElement> All => _all;

    /// <summary>Where it writes.</summary>
    public string[] FileArguments =>
    [
        "-writeStatsInterval", "1", "-statsFile", folder.PathOf($"{name}-Stats"), "-summaryFile", folder.PathOf($"{name}-Summary.out"),
        "-jsonFile", folder.PathOf(Files.JsonLines), "-hlogFile", folder.PathOf(Files.Histograms),
    ];

    public void Read() => _all.AddRange(Lines.ReadNew());
}
