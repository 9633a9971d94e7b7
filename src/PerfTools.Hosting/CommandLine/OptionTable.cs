using System.CommandLine;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Every option of one tool, each written once; parsing, help and the block of test inputs come from it.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="tool">The tool's name, as usage and version show it.</param>
/// <param name="defaults">The options of an empty command line.</param>
/// <param name="findProblem">The first thing that is wrong with parsed options, as a sentence; null when nothing is.</param>
/// <remarks>Parsing touches no file, no console and no static state.</remarks>
internal partial class OptionTable<T>(string tool, T defaults, Func<T, string?> findProblem)
    : OptionRows<T, T>([], options => options, (options, change) => change(options))
    where T : class
{

    /// <summary>The options of an empty command line.</summary>
    public T Defaults => defaults;

    /// <summary>True when help and messages write the names with two dashes; both forms are accepted always.</summary>
    public bool HasLongNames { get; init; }

    /// <summary>The options that the help shows, in its order.</summary>
    public IEnumerable<OptionRow<T>> Rows => All.Where(row => row.Refusal is null);

    /// <summary>Adds every option to a command, which may be a verb in a tree.</summary>
    /// <returns>Reads them back from what the command line turned out to be.</returns>
    public CommandOptions<T> AddTo(Command command)
    {
        CommandOptions<T> options = new(All, defaults, findProblem, HasLongNames);
        options.Symbols.ForEach(command.Options.Add);
        return options;
    }

    /// <summary>Reads a command line.</summary>
    /// <param name="args">The arguments, without the program's name.</param>
    /// <returns>Checked options, a text to print, or a problem.</returns>
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
            return new(null, VersionText, null);
        return ParserRules.FindDirective(args) is { } directive
            ? ParsedCommandLine<T>.Refused($"{directive}: unexpected argument")
            : options.Read(parsed);
    }
}
