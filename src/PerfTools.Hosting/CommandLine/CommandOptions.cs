using System.CommandLine;
using System.CommandLine.Parsing;
using PerfCommon;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Adds the rows of an option table as symbols to a command, and reads checked options from its parse result.</summary>
/// <typeparam name="T">The options record.</typeparam>
internal sealed class CommandOptions<T>
    where T : class
{
    private readonly RowSymbols[] _rows;
    private readonly T _defaults;
    private readonly Func<T, string?> _findProblem;
    private readonly string _extraDash;

    internal CommandOptions(IEnumerable<OptionRow<T>> rows, T defaults, Func<T, string?> findProblem, bool hasLongNames)
    {
        (_defaults, _findProblem, _extraDash) = (defaults, findProblem, hasLongNames ? "-" : "");
        _rows = [.. rows.Select(row => new RowSymbols(row, hasLongNames ? CreateLongSymbols(row) : [CreateSymbol(row, row.AllNames)]))];
    }

    public List<Option> Symbols => [.. _rows.SelectMany(row => row.Symbols)];

    /// <summary>The options that the help lists, for completion.</summary>
    public IEnumerable<CompletedOption> Completed => _rows.Select(row => row.Row).Where(row => row is { Refusal: null, IsNotYet: false })
        .Select(row => new CompletedOption([.. row.Synonyms.Prepend(row.Name).Select(name => _extraDash + name)], row.Help,
            row.ValueName is not null, row.Words));

    /// <summary>Reads and checks the options of a command line, or returns its first error.</summary>
    public ParsedCommandLine<T> Read(ParseResult parsed)
    {
        string? problem = FindStray(parsed);
        T result = _defaults;
        for (int i = 0; i < _rows.Length && problem is null; i++)
            problem = Apply(_rows[i].Row, FindResults(parsed, _rows[i].Symbols), ref result);
        problem ??= parsed.Errors is [ParseError error, ..] ? error.Message : null;
        problem ??= _rows.Select(row => row.Row.FindProblem(result)).FirstOrDefault(found => found is not null) is { } outside
            ? _extraDash + outside : _findProblem(result) ?? FindUnavailable(result);
        return problem is null ? new(result, null, null) { Warning = FindOpenSecrets(parsed) } : ParsedCommandLine<T>.Refused(problem);
    }

    private static Option CreateSymbol(OptionRow<T> row, IEnumerable<string> names)
    {
        string name = names.First();
        string[] others = [.. names.Skip(1)];
        return row.IsRepeatable
            ? new Option<string[]>(name, others) { Arity = ArgumentArity.ZeroOrMore }
            : new Option<string?>(name, others) { Arity = ArgumentArity.ZeroOrOne };
    }

    // Long names are used by verbs, whose help is the library's. Of the names -x and --x it shows -x, so the short one is a separate symbol that help
    // does not mention.
    private Option[] CreateLongSymbols(OptionRow<T> row)
    {
        ILookup<bool, string> names = row.AllNames.ToLookup(name => name.StartsWith("--", StringComparison.Ordinal));
        Option longNames = CreateSymbol(row, names[true]);
        longNames.Description = OptionTable<T>.Describe(row, _defaults);
        longNames.HelpName = row.ValueName ?? ParserRules.NoValueName;
        Option shortNames = CreateSymbol(row, names[false]);
        shortNames.Hidden = true;
        return [longNames, shortNames];
    }

    private static OptionResult[] FindResults(ParseResult parsed, Option[] symbols) =>
        [.. symbols.Select(parsed.GetResult).OfType<OptionResult>().Where(result => !result.Implicit)];

    private string? Apply(OptionRow<T> row, IReadOnlyList<OptionResult> found, ref T options)
    {
        string name = _extraDash + row.Name;
        int count = found.Sum(result => result.IdentifierTokenCount);
        if (count == 0)
            return null;
        if (row.Refusal is not null)
            return $"{name}: {row.Refusal}";
        if (count > 1 && !row.IsRepeatable)
            return $"{name}: given more than once";
        string[] texts = [.. found.SelectMany(result => result.Tokens).Select(token => token.Value)];
        if (texts.Length < count && row is { ValueName: not null, MissingHint: not null })
            return $"{name}: needs a value <{row.ValueName}>{row.MissingHint}";
        foreach (string text in texts.Length == 0 ? ["true"] : texts)
        {
            if (row.Apply(options, text) is not { } next)
                return $"{name}: '{text}' is not {row.Kind}";
            options = next;
        }

        return null;
    }

    // One sentence for all of them.
    private string? FindOpenSecrets(ParseResult parsed)
    {
        string[] open = [.. _rows.Where(row => row.Row.IsSecret && FindResults(parsed, row.Symbols).Any(result =>
            result.Tokens.Any(token => SecretText.IsOpen(token.Value)))).Select(row => _extraDash + row.Row.Name)];
        return open.Length == 0 ? null : SecretText.WarnOf(open);
    }

    private string? FindUnavailable(T options) =>
        _rows.Select(row => row.Row).FirstOrDefault(row => row.IsNotYet && row.Read(options) != row.Read(_defaults)) is { } row
            ? $"{_extraDash}{row.Name}: not available in this version" : null;

    private string? FindStray(ParseResult parsed)
    {
        if (parsed.UnmatchedTokens is not [string first, ..])
            return null;
        return first.StartsWith('-') ? RefuseOption(first) : $"{first}: unexpected argument";
    }

    /// <summary>Writes the sentence that refuses a word as an option, and suggests one.</summary>
    public string RefuseOption(string word) => ClosestName.Refuse(word.Split('=', ':')[0], "option", _rows.Select(row => row.Row)
        .Where(row => row.Refusal is null).SelectMany(row => row.Synonyms.Prepend(row.Name)).Select(name => _extraDash + name));

    // A row, and its symbols.
    private sealed record RowSymbols(OptionRow<T> Row, Option[] Symbols);
}

/// <summary>The result of reading a command line; exactly one of the three is set.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="Options">Checked options: run with them.</param>
/// <param name="Text">Help or version text: print it, line ends included, and succeed.</param>
/// <param name="Problem">One sentence about the error: print it; the command line is at fault.</param>
internal sealed record ParsedCommandLine<T>(T? Options, string? Text, string? Problem)
    where T : class
{
    /// <summary>A warning about a usable command line, as a sentence; null for none.</summary>
    public string? Warning { get; init; }

    /// <summary>Creates the result of a wrong command line; typed text is made printable.</summary>
    public static ParsedCommandLine<T> Refused(string problem) => new(null, null, PrintableText.From(problem, PrintableText.MaxLineChars));
}

/// <summary>The library's settings for reading our command lines.</summary>
internal static class ParserRules
{
    /// <summary>Placeholder for the value of a switch, which has none, in the library's help: to be blanked out.</summary>
    public const string NoValueName = "\u2060";

    /// <summary>No bundling (<c>-hots</c> is no host "ots") and no response files (<c>@file</c> is a value).</summary>
    public static ParserConfiguration Configuration { get; } = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    /// <summary>Finds a leading <c>[word]</c>, which the library treats as a directive and drops silently; null when there is none.</summary>
    public static string? FindDirective(IReadOnlyList<string> args) => args is [['[', ..] directive, ..] ? directive : null;
}
