using System.CommandLine;
using System.CommandLine.Completions;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Verbs;

/// <summary>What a shell completes: the words and options of each command.</summary>
/// <param name="general">The options that no table has: those of every command, and those of a single one.</param>
internal sealed class CompletedCommands(IReadOnlyList<Option> general)
{
    private readonly Dictionary<Command, List<CompletedOption>> _options = [];

    /// <summary>Adds options of a command.</summary>
    public void Add(Command command, IEnumerable<CompletedOption> options)
    {
        if (!_options.TryAdd(command, [.. options]))
            _options[command].AddRange(options);
    }

    /// <summary>Finds a command and all below it.</summary>
    /// <param name="command">The command.</param>
    /// <param name="path">The words that lead to it.</param>
    public IEnumerable<CompletedCommand> Find(Command command, string path = "")
    {
        IEnumerable<(string, string)> words = command.Subcommands.Select(sub => (sub.Name, sub.Description ?? ""))
            .Concat(command.Arguments.SelectMany(argument => argument.GetCompletions(CompletionContext.Empty)).Select(word => (word.Label, "")));
        IEnumerable<CompletedOption> own = general.Where(option => option.Recursive || command.Options.Contains(option))
            .Select(option => new CompletedOption(["-" + option.Name], option.Description ?? "", false, []));
        return command.Subcommands.SelectMany(sub => Find(sub, $"{path} {sub.Name}".TrimStart()))
            .Prepend(new(path, [.. words], [.. _options.GetValueOrDefault(command, []), .. own]));
    }
}
