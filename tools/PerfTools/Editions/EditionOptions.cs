using System.Collections.Immutable;

namespace PerfTools.Editions;

/// <summary>The roles of a run that programs other than the usual ones play.</summary>
internal sealed record EditionOptions
{
    /// <summary>The programs, by role. <c>--tool</c></summary>
    public ImmutableDictionary<string, ToolCommand> Tools { get; init; } = ImmutableDictionary<string, ToolCommand>.Empty;

    /// <summary>The editions, by role; a program of another role is identified by its help. <c>--edition</c></summary>
    public ImmutableDictionary<string, Edition> Editions { get; init; } = ImmutableDictionary<string, Edition>.Empty;

    /// <summary>The editions of roles that programs of <c>--tool</c> play on other ranks, by role; known when the ranks have met.</summary>
    public ImmutableDictionary<string, Edition> Elsewhere { get; init; } = ImmutableDictionary<string, Edition>.Empty;

    /// <summary>A folder with inputs that take precedence over ours; null for ours alone. <c>--data</c></summary>
    public string? Data { get; init; }

    /// <summary>The entries among the inputs of run.json: the program of each role, and its edition where the user named it.</summary>
    public IReadOnlyDictionary<string, string> Described => Tools.Where(tool => !tool.Value.IsUsual).ToDictionary(
        tool => tool.Key, tool => Editions.TryGetValue(tool.Key, out Edition edition) ? $"{EditionFacts.Of(edition).Word}: {tool.Value}"
            : tool.Value.ToString()).Concat(Elsewhere.Select(role => KeyValuePair.Create(role.Key, EditionFacts.Of(role.Value).Word))).ToDictionary();

    /// <summary>True when a program other than the usual one plays the role here.</summary>
    public bool Has(string role) => Tools.TryGetValue(role, out ToolCommand? tool) && !tool.IsUsual;

    /// <summary>True when a program other than the usual one plays the role, on this rank or another.</summary>
    public bool HasAnywhere(string role) => Has(role) || Elsewhere.ContainsKey(role);

    /// <summary>The same with the programs of the roles of this rank alone, and what is known of those of the others.</summary>
    /// <param name="isHere">True for a role of this rank.</param>
    /// <param name="elsewhere">The editions of the programs of other ranks, by role.</param>
    public EditionOptions On(Func<string, bool> isHere, IEnumerable<KeyValuePair<string, Edition>> elsewhere) => this with
    {
        Tools = Tools.RemoveRange(Tools.Keys.Where(role => !isHere(role))),
        Editions = Editions.RemoveRange(Editions.Keys.Where(role => !isHere(role))),
        Elsewhere = elsewhere.ToImmutableDictionary(),
    };

    /// <summary>The same with the program of a role for each of its processes.</summary>
    public EditionOptions Repeat(string role, IReadOnlyList<string> processes) => this with
    {
        Tools = Repeat(Tools, role, processes),
        Editions = Repeat(Editions, role, processes),
    };

    /// <summary>The first contradiction, as a sentence that names the option; null when there is none.</summary>
    public string? FindProblem()
    {
        if (Editions.Keys.FirstOrDefault(role => !Has(role)) is { } alone)
            return $"--edition: {alone} needs --tool {alone}=\"command\"";
        if (Data is { } data && !Directory.Exists(data))
            return $"--data: {data}: no such folder";
        return Data is not null && Tools.IsEmpty ? "--data is of the programs that --tool names" : null;
    }

    private static ImmutableDictionary<string, T> Repeat<T>(ImmutableDictionary<string, T> all, string role, IReadOnlyList<string> processes) =>
        !all.TryGetValue(role, out T? one) ? all : all.Remove(role).SetItems(processes.Select(process => KeyValuePair.Create<string, T>(process, one)));

    /// <summary>The words of all editions, for help and errors.</summary>
    public static string Words => string.Join(", ", EditionFacts.All.Select(facts => facts.Word));

    /// <summary>Reads <c>role=word</c> into the options; null for another form or word.</summary>
    public EditionOptions? WithEdition(string text) =>
        text.Split('=', 2) is [{ Length: > 0 } role, var word] && EditionFacts.Find(word) is { } edition
            ? this with { Editions = Editions.SetItem(role, edition) } : null;

    /// <summary>Reads <c>role=command</c> into the options; null for another form.</summary>
    public EditionOptions? WithTool(string text) =>
        text.Split('=', 2) is [{ Length: > 0 } role, var command] && ToolCommand.TryParse(command) is { } tool
            ? this with { Tools = Tools.SetItem(role, tool) } : null;
}
