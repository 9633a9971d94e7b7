using System.CommandLine;
using System.CommandLine.Parsing;
using PerfCommon;

namespace PerfTools.Hosting.CommandLine;

/// <summary>The rows of an option table as symbols of one command, and the way back from a parse result to checked options.</summary>
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
        .Select(row => new CompletedOption([.. row.Synonyms.Prepend(row.Name).Select(name => _extraDash + name)], row.Help, row.ValueName is not null, row.Words));

    /// <summary>The options of a command line, checked; or the first thing that is wrong with it.</summary>
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

    // Long names are those of verbs, whose help is the library's. Of the names -x and --x it shows -x: the short one is a symbol of its
    // own that help does not mention.
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

    // One sentence, however many there are.
    private string? FindOpenSecrets(ParseResult parsed)
    {
        string[] open = [.. _rows.Where(row => row.Row.IsSecret && FindResults(parsed, row.Symbols).Any(result =>
            result.Tokens.Any(token => Options.Secret.IsOpen(token.Value)))).Select(row => _extraDash + row.Row.Name)];
        return open.Length == 0 ? null : Options.Secret.WarnOf(open);
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

    /// <summary>Says that a word is none of the options, and which may have been meant.</summary>
    public string RefuseOption(string word) => ClosestName.Refuse(word.Split('=', ':')[0], "option", _rows.Select(row => row.Row)
        .Where(row => row.Refusal is null).SelectMany(row => row.Synonyms.Prepend(row.Name)).Select(name => _extraDash + name));

    // A row, and the symbols that stand for it.
    private sealed record RowSymbols(OptionRow<T> Row, Option[] Symbols);
}

/// <summary>What a command line turned out to be; exactly one of the three is set.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="Options">Checked options: run with them.</param>
/// <param name="Text">Help or version text: print it, line ends included, and succeed.</param>
/// <param name="Problem">One sentence about what is wrong: print it; the command line is at fault.</param>
internal sealed record ParsedCommandLine<T>(T? Options, string? Text, string? Problem)
    where T : class
{
    /// <summary>What is to be said of it although it can be used, a sentence; null for nothing.</summary>
    public string? Warning { get; init; }

    /// <summary>A command line that is wrong; what was typed is made fit to print.</summary>
    public static ParsedCommandLine<T> Refused(string problem) => new(null, null, PrintableText.From(problem, PrintableText.MaxLineChars));
}

/// <summary>How the library reads a command line of ours.</summary>
internal static class ParserRules
{
    /// <summary>What a switch, which has no value, is said to take where the library's help knows no better: to be blanked out.</summary>
    public const string NoValueName = "\u2060";

    /// <summary>No bundling (<c>-hots</c> is no host "ots") and no response files (<c>@file</c> is a value).</summary>
    public static ParserConfiguration Configuration { get; } = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    /// <summary>A leading <c>[word]</c>, which the library takes for a directive and drops silently; null when there is none.</summary>
    public static string? FindDirective(IReadOnlyList<string> args) => args is [['[', ..] directive, ..] ? directive : null;
}
