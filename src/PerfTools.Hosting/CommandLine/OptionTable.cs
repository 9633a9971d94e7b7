using System.CommandLine;
using System.Reflection;
using PerfCommon;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Every option of one tool, each written once; parsing, help and the block of test inputs come from it.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="tool">The tool's name, as usage and version show it.</param>
/// <param name="defaults">The options of an empty command line.</param>
/// <param name="findProblem">The first thing that is wrong with parsed options, as a sentence; null when nothing is.</param>
/// <remarks>Parsing touches no file, no console and no static state.</remarks>
internal class OptionTable<T>(string tool, T defaults, Func<T, string?> findProblem)
    : OptionRows<T, T>([], options => options, (options, change) => change(options))
    where T : class
{
    private const int NamesWidth = 30;

    public T Defaults => defaults;

    /// <summary>True when help and messages write the names with two dashes; both forms are accepted always.</summary>
    public bool HasLongNames { get; init; }

    /// <summary>The options that the help shows, in its order.</summary>
    public IEnumerable<OptionRow<T>> Rows => All.Where(row => row.Refusal is null);

    /// <summary>Usage, then one line per option with its names, meaning and default.</summary>
    public string HelpText
    {
        get
        {
            List<(string Names, string Meaning)> lines = [.. Rows.Select(row => (Usage(row), Describe(row, defaults)))];
            lines.Add(("-help, -?", "this text"));
            lines.Add(("-version", "the version of this program"));
            return $"Usage: {tool} <Options>\n" + string.Concat(lines.Select(line => $"  {line.Names,-NamesWidth}  {line.Meaning}\n"));
        }
    }

    /// <summary>What the options ask for, in the order of the block of test inputs.</summary>
    public IReadOnlyList<(string Label, string Value)> DescribeInputs(T options) =>
        [.. from row in Rows
            where row.Label is not null
            let value = row.Display(options)
            where value is not null
            select (row.Label, PrintableText.From(value, PrintableText.MaxLineChars))];

    /// <summary>Adds every option to a command, which may be a verb in a tree.</summary>
    /// <returns>Reads them back from what the command line turned out to be.</returns>
    public CommandOptions<T> AddTo(Command command)
    {
        CommandOptions<T> options = new(All, defaults, findProblem, HasLongNames);
        options.Symbols.ForEach(command.Options.Add);
        return options;
    }

    /// <summary>Reads a command line, given without the program's name.</summary>
    public ParsedCommandLine<T> Parse(IReadOnlyList<string> args)
    {
        Command command = new(tool.Replace(' ', '-')); // the name of a verb has blanks, a symbol's may not
        Option<bool> help = new("-help", "--help", "-?");
        Option<bool> version = new("-version", "--version");
        command.Options.Add(help);
        command.Options.Add(version);
        CommandOptions<T> options = AddTo(command);

        ParseResult parsed = command.Parse(args, ParserRules.Configuration);
        if (parsed.GetValue(help))
            return new(null, HelpText, null);
        if (parsed.GetValue(version))
            return new(null, $"{tool} {ProgramVersion.Of(typeof(T).Assembly)}\n", null);
        return ParserRules.FindDirective(args) is { } directive
            ? ParsedCommandLine<T>.Refused($"{directive}: unexpected argument")
            : options.Read(parsed);
    }

    /// <summary>What an option does, and its default where it has one.</summary>
    internal static string Describe(OptionRow<T> row, T defaults) =>
        row.ValueName is not null && (row.DefaultText ?? row.Read(defaults)) is { Length: > 0 } value
            ? $"{row.Help} (default {value})" : row.Help;

    private static string Usage(OptionRow<T> row)
    {
        string names = string.Join(", ", row.Synonyms.Prepend(row.Name));
        return row.ValueName is null ? names : $"{names} <{row.ValueName}>";
    }
}

/// <summary>The version of a program, as <c>-version</c> prints it: without what the build adds behind a plus sign.</summary>
internal static class ProgramVersion
{
    public static string? Of(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
            ?? assembly.GetName().Version?.ToString();
}
