using System.Text.Json;
using PerfCommon;
using PerfTools.Editions;
using PerfTools.Processes;
using PerfTools.Scenarios;

namespace PerfTools.ScenarioFiles;

/// <summary>Reads the entry of one role in a scenario file.</summary>
/// <param name="problems">Receives the mistakes.</param>
/// <param name="role">The role.</param>
internal sealed class FileRole(FileProblems problems, string role)
{
    /// <summary>Adds one setting of the role to the options; null, and a mistake is recorded, where that is impossible.</summary>
    /// <param name="options">The options so far.</param>
    /// <param name="member">A known member of the role.</param>
    public ScenarioOptions? Apply(ScenarioOptions options, JsonMember member) => member.Name switch
    {
        FileNames.Arguments => ReadArguments(member.Value) is { } words ? options.WithArguments(role, words) : null,
        FileNames.External => AddExternal(options, member.Value),
        FileNames.Tool => AddEdition(options, member, options.Editions.WithTool, "a command with every quote closed"),
        _ => AddEdition(options, member, options.Editions.WithEdition, $"one of {EditionOptions.Words}"),
    };

    /// <summary>Reads the address of a running instance; null for a value that is no text, or none.</summary>
    public static HostAddress? ReadAddress(JsonNode value) => value.Kind == JsonValueKind.String ? HostAddress.TryParseHost(value.Text) : null;

    /// <summary>Reads a list of arguments; null, and a mistake is recorded, for a value that is none.</summary>
    public IReadOnlyList<string>? ReadArguments(JsonNode value)
    {
        if (value.Kind == JsonValueKind.String && ArgumentText.TrySplit(value.Text, out IReadOnlyList<string> split, out _))
            return split;
        if (value.Kind == JsonValueKind.Array && value.Items.All(item => item.Kind is JsonValueKind.String or JsonValueKind.Number))
            return [.. value.Items.Select(item => item.Text)];
        problems.Add(value.Line, $"{role}: {FileNames.Arguments} must be a list of texts, or one text with every quote closed");
        return null;
    }

    private ScenarioOptions? AddEdition(ScenarioOptions options, JsonMember member, Func<string, EditionOptions?> read, string kind)
    {
        if (member.Value.Kind == JsonValueKind.String && read($"{role}={member.Value.Text}") is { } editions)
            return options with { Editions = editions };
        problems.Add(member.Value.Line, $"{role}: {member.Name}: '{PrintableText.From(member.Value.Text)}' is not {kind}");
        return null;
    }

    private ScenarioOptions? AddExternal(ScenarioOptions options, JsonNode value)
    {
        if ((value.Kind == JsonValueKind.True ? HostAddress.Elsewhere : ReadAddress(value)) is { } address)
            return options with { External = options.External.SetItem(role, address) };
        problems.Add(value.Line,
            $"{role}: {FileNames.External}: '{PrintableText.From(value.Text)}' is not host:port, or true for a role that connects itself");
        return null;
    }
}
