using System.Text.Json;
using System.Text.Json.Serialization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>Something that was set while a run went on, or a mark that was made, as run.json has it.</summary>
public sealed record RunChange
{
    // What is set beside the load: it changes no figure that was asked for.
    private static readonly string[] NamesBeside = ["mark", "collect", "period"];

    /// <summary>When the role took it.</summary>
    public required DateTime Utc { get; init; }

    /// <summary>The role that took it.</summary>
    public required string Role { get; init; }

    /// <summary>What was set; <c>mark</c> for a mark.</summary>
    public required string Name { get; init; }

    /// <summary>What holds from then on, or the text of the mark.</summary>
    public required string Value { get; init; }

    /// <summary>What held before; absent for what has no value.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Was { get; init; }

    /// <summary>True when the run is not the one that was asked for any longer.</summary>
    [JsonIgnore]
    public bool IsOfLoad => !NamesBeside.Contains(Name);

    /// <summary>Reads what the JSON lines of roles tell, in the order of time.</summary>
    /// <param name="folder">The run's.</param>
    /// <param name="roles">Each role, and its file.</param>
    internal static IReadOnlyList<RunChange> Read(RunFolder folder, IEnumerable<(string Role, string JsonLines)> roles) =>
        [.. roles.SelectMany(role =>
            new JsonLinesReader(folder.PathOf(role.JsonLines)).ReadNew().SelectMany(line => ReadLine(role.Role, line))).OrderBy(change =>
            change.Utc)];

    /// <summary>True for a line that tells of changes.</summary>
    internal static bool IsIn(JsonElement line) => new JsonView(line).Part("set").Exists;

    /// <summary>Reads those of one line; none of a line that tells something else.</summary>
    internal static IEnumerable<RunChange> ReadLine(string role, JsonElement line)
    {
        if (!IsIn(line) || !ResultTime.TryRead(new JsonView(line).Text("utc"), out DateTime utc))
            yield break;
        foreach (JsonProperty set in line.GetProperty("set").EnumerateObject())
        {
            string? was = line.TryGetProperty("was", out JsonElement before) && before.ValueKind == JsonValueKind.Object && before.TryGetProperty(set.Name, out JsonElement value)
                ? value.ToString() : null;
            yield return new() { Utc = utc, Role = role, Name = set.Name, Value = set.Value.ToString(), Was = was };
        }
    }
}
