using System.Text.Json;
using System.Text.Json.Serialization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>A setting that was changed during a run, or a mark, as run.json has it.</summary>
public sealed record RunChange
{
    // Names that do not change the load: they change no requested figure.
    private static readonly string[] NamesBeside = ["mark", "collect", "period"];

    /// <summary>When the role accepted it.</summary>
    public required DateTime Utc { get; init; }

    /// <summary>The role that accepted it.</summary>
    public required string Role { get; init; }

    /// <summary>Name of the setting; <c>mark</c> for a mark.</summary>
    public required string Name { get; init; }

    /// <summary>The new value, or the text of the mark.</summary>
    public required string Value { get; init; }

    /// <summary>The value before; absent where there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Was { get; init; }

    /// <summary>True when the run no longer has the requested load.</summary>
    [JsonIgnore]
    public bool IsOfLoad => !NamesBeside.Contains(Name);

    /// <summary>Reads the changes from the JSON lines of roles, in the order of time.</summary>
    /// <param name="folder">The run's folder.</param>
    /// <param name="roles">Each role, and its file.</param>
    internal static IReadOnlyList<RunChange> Read(RunFolder folder, IEnumerable<(string Role, string JsonLines)> roles) =>
        [.. roles.SelectMany(role =>
            new JsonLinesReader(folder.PathOf(role.JsonLines)).ReadNew().SelectMany(line => ReadLine(role.Role, line))).OrderBy(change =>
            change.Utc)];

    /// <summary>True for a line with changes.</summary>
    internal static bool IsIn(JsonElement line) => new JsonView(line).Part("set").Exists;

    /// <summary>Reads the changes of one line; none for a line of another kind.</summary>
    internal static IEnumerable<RunChange> ReadLine(string role, JsonElement line)
    {
        if (!IsIn(line) || !ResultTime.TryRead(new JsonView(line).Text("utc"), out DateTime utc))
            yield break;
        foreach (JsonProperty set in line.GetProperty("set").EnumerateObject())
        {
            string? was = line.TryGetProperty("was", out JsonElement before) && before.ValueKind == JsonValueKind.Object
                && before.TryGetProperty(set.Name, out JsonElement value)
                ? value.ToString() : null;
            yield return new() { Utc = utc, Role = role, Name = set.Name, Value = set.Value.ToString(), Was = was };
        }
    }
}
