using System.CommandLine;
using System.Reflection;
using PerfCommon;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Every option of one tool, each written once; parsing, help and the block of test inputs are derived from it.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="tool">The tool's name, as usage and version show it.</param>
/// <param name="defaults">The options of an empty command line.</param>
/// <param name="findProblem">Finds the first error in parsed options, as a sentence; null when there is none.</param>
/// <remarks>Parsing touches no file, no console and no static state.</remarks>
internal class OptionTable<T>(string tool, T defaults, Func<T, string?> findProblem)
    : OptionRows<T, T>([], options => options, (options, change) => change(options))
    where T : class
{
    private int _guideRows = int.MaxValue;

    public T Defaults => defaults;

    /// <summary>True when help and messages write the names with two dashes; both forms are always accepted.</summary>
    public bool HasLongNames { get; init; }

    /// <summary>The options that are accepted, also those of which every value but the default is refused.</summary>
    public IEnumerable<OptionRow<T>> Rows => All.Where(row => row.Refusal is null);

    /// <summary>The options that the help lists: those that work.</summary>
    public IEnumerable<OptionRow<T>> HelpRows => Rows.Where(row => !row.IsNotYet);

    /// <summary>Writes the help: usage, then by groups one entry per option with its names, meaning and default.</summary>
    /// <param name="columns">Width of the terminal; null for none.</param>
    public string CreateHelp(int? columns)
    {
        HelpText text = new(columns);
        text.AddLine($"Usage: {tool} <Options>");
        foreach (IGrouping<HelpGroup, OptionRow<T>> group in HelpRows.GroupBy(row => row.Group).OrderBy(group => group.Key))
        {
            text.AddLine("");
            text.AddLine($"{group.Key}:");
            foreach (OptionRow<T> row in group)
                text.AddOption(Usage(row), Describe(row, defaults));
        }

        text.AddLine("");
        text.AddOption("-help, -?", "this text");
        text.AddOption("-version", "the version of this program");
        if (!IsOfVerb)
            text.AddOption($"{CompletionScript.OptionName} <shell>", CompletionScript.Help);
        return text.ToString();
    }

    /// <summary>Lists the options for the block of test inputs: the guide's rows in its order, then ours that differ from their defaults.</summary>
    public IReadOnlyList<(string Label, string Value)> DescribeInputs(T options)
    {
        List<(string Label, string Value)> inputs = [];
        for (int i = 0; i < All.Count; i++)
        {
            if (All[i] is { Label: { } label, Refusal: null } row && row.Display(options) is { } value
                && (i < _guideRows || value != row.Display(defaults)))
            {
                inputs.Add((label, PrintableText.From(value, PrintableText.MaxLineChars)));
            }
        }

        return inputs;
    }

    /// <summary>Reads the defaults from a file that the options name; null for none. Explicit options override them.</summary>
    /// <exception cref="SetupException">The file cannot be used.</exception>
    public virtual T? FindDefaults(T options) => null;

    /// <summary>Adds every option to a command, which may be a verb in a tree.</summary>
    /// <returns>The reader of the options from a parse result of the command.</returns>
    public CommandOptions<T> AddTo(Command command) => AddTo(command, defaults);

    private CommandOptions<T> AddTo(Command command, T beginning)
    {
        CommandOptions<T> options = new(All, beginning, findProblem, HasLongNames);
        options.Symbols.ForEach(command.Options.Add);
        return options;
    }

    /// <summary>Reads a command line, given without the program's name, and the defaults of a file that it names.</summary>
    /// <exception cref="SetupException">The file cannot be used.</exception>
    public ParsedCommandLine<T> ParseWithFile(IReadOnlyList<string> args, int? columns = null)
    {
        ParsedCommandLine<T> parsed = Parse(args, columns);
        return parsed.Options is { } options && FindDefaults(options) is { } beginning ? Parse(args, columns, beginning) : parsed;
    }

    /// <summary>Reads a command line, given without the program's name; a help text is wrapped to the columns, if any.</summary>
    /// <param name="args">The words of the command line.</param>
    /// <param name="columns">Width of the terminal; null for none.</param>
    /// <param name="beginning">The options of an empty command line; null for the defaults.</param>
    public ParsedCommandLine<T> Parse(IReadOnlyList<string> args, int? columns = null, T? beginning = null)
    {
        Command command = new(tool.Replace(' ', '-')); // the name of a verb has blanks, a symbol's may not
        Option<bool> help = new("-help", "--help", "-?");
        Option<bool> version = new("-version", "--version");
        Option<string?> completion = new(CompletionScript.OptionName, "-" + CompletionScript.OptionName) { Arity = ArgumentArity.ZeroOrOne };
        command.Options.Add(help);
        command.Options.Add(version);
        if (!IsOfVerb)
            command.Options.Add(completion);
        CommandOptions<T> options = AddTo(command, beginning ?? defaults);

        ParseResult parsed = command.Parse(args, ParserRules.Configuration);
        if (parsed.GetValue(help))
            return new(null, CreateHelp(columns), null);
        if (parsed.GetValue(version))
            return new(null, $"{tool} {ProgramVersion.Of(typeof(T).Assembly)}\n", null);
        if (!IsOfVerb && parsed.GetResult(completion) is { Implicit: false })
            return Complete(parsed.GetValue(completion), options);
        return ParserRules.FindDirective(args) is { } directive
            ? ParsedCommandLine<T>.Refused($"{directive}: unexpected argument")
            : options.Read(parsed);
    }

    /// <summary>Describes an option and its default, where it has one.</summary>
    internal static string Describe(OptionRow<T> row, T defaults) =>
        row.ValueName is not null && (row.DefaultText ?? row.Read(defaults)) is { Length: > 0 } value
            ? $"{row.Help} (default {value})" : row.Help;

    /// <summary>Marks the end of the guide's rows; ours follow.</summary>
    protected void EndGuideRows() => _guideRows = All.Count;

    // Verbs are completed by their program.
    private bool IsOfVerb => tool.Contains(' ', StringComparison.Ordinal);

    private ParsedCommandLine<T> Complete(string? shell, CommandOptions<T> options)
    {
        if (shell is null || !CompletionScript.Shells.Contains(shell))
            return ParsedCommandLine<T>.Refused($"{CompletionScript.OptionName}: '{shell}' is not one of {string.Join(", ", CompletionScript.Shells)}");
        CompletedOption[] own =
        [
            .. options.Completed, new(["-help"], "this text", false, []), new(["-version"], "the version of this program", false, []),
            new([CompletionScript.OptionName], CompletionScript.Help, true, CompletionScript.Shells),
        ];
        return new(null, CompletionScript.Create(shell, tool.ToLowerInvariant(), [new("", [], own)]), null);
    }

    private static string Usage(OptionRow<T> row)
    {
        string names = string.Join(", ", row.Synonyms.Prepend(row.Name));
        return row.ValueName is null ? names : $"{names} <{row.ValueName}>";
    }
}

/// <summary>The version of a program, as <c>-version</c> prints it: without the build's suffix after a plus sign.</summary>
internal static class ProgramVersion
{
    public static string? Of(Assembly assembly) =>
        WithCommit(assembly)?.Split('+')[0] ?? assembly.GetName().Version?.ToString();

    /// <summary>Returns the version with the build's suffix after a plus sign; null where there is none.</summary>
    public static string? WithCommit(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
}
