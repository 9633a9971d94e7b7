using System.CommandLine;
using System.CommandLine.Parsing;
using PerfCommon;

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
    private static readonly ParserConfiguration Parsing = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    /// <summary>The options of an empty command line.</summary>
    public T Defaults => defaults;

    /// <summary>The options that the help shows, in its order.</summary>
    public IEnumerable<OptionRow<T>> Rows => All.Where(row => row.Refusal is null);

    /// <summary>Reads a command line.</summary>
    /// <param name="args">The arguments, without the program's name.</param>
    /// <returns>Checked options, a text to print, or a problem.</returns>
    public ParsedCommandLine<T> Parse(IReadOnlyList<string> args)
    {
        Command command = new(tool.Replace(' ', '-')); // the name of a verb has blanks, a symbol's may not
        Option<bool> help = new("-help", "--help", "-?");
        Option<bool> version = new("-version", "--version");
        List<Option<string?>> symbols = [.. All.Select(CreateSymbol)];
        command.Options.Add(help);
        command.Options.Add(version);
        symbols.ForEach(command.Options.Add);

        ParseResult parsed = command.Parse(args, Parsing);
        if (parsed.GetValue(help))
            return new(null, HelpText, null);
        if (parsed.GetValue(version))
            return new(null, VersionText, null);

        string? problem = FindStray(args, parsed);
        T result = defaults;
        for (int i = 0; i < symbols.Count && problem is null; i++)
        {
            if (parsed.GetResult(symbols[i]) is { Implicit: false } found)
                problem = Apply(All[i], found, ref result);
        }
        problem ??= parsed.Errors is [ParseError error, ..] ? error.Message : null;
        problem ??= All.Select(row => row.FindProblem(result)).FirstOrDefault(found => found is not null) ?? findProblem(result);
        return problem is null ? new(result, null, null) : new(null, null, PrintableText.From(problem, PrintableText.MaxLineChars));
    }

    private static Option<string?> CreateSymbol(OptionRow<T> row) =>
        new(row.Name, [.. row.AllNames.Skip(1)]) { Arity = ArgumentArity.ZeroOrOne };

    private static string? Apply(OptionRow<T> row, OptionResult found, ref T options)
    {
        if (row.Refusal is not null)
            return $"{row.Name}: {row.Refusal}";
        if (found.IdentifierTokenCount > 1)
            return $"{row.Name}: given more than once";
        string? text = found.Tokens is [Token token, ..] ? token.Value : row.ValueName is null ? "true" : null;
        if (text is null)
            return $"{row.Name}: needs a value <{row.ValueName}>";
        if (row.Apply(options, text) is not { } next)
            return $"{row.Name}: '{text}' is not {row.Kind}";
        options = next;
        return null;
    }

    private string? FindStray(IReadOnlyList<string> args, ParseResult parsed)
    {
        // a leading [word] is a directive to the library, which drops it
        if (args is [['[', ..] directive, ..])
            return $"{directive}: unexpected argument";
        if (parsed.UnmatchedTokens is not [string first, ..])
            return null;
        if (!first.StartsWith('-'))
            return $"{first}: unexpected argument";
        string typed = first.Split('=', ':')[0];
        string? close = ClosestName.Find(typed, Rows.SelectMany(row => row.Synonyms.Prepend(row.Name)));
        return close is null ? $"{typed}: unknown option; -help lists them" : $"{typed}: unknown option; did you mean {close}?";
    }
}
