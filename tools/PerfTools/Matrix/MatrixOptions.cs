using System.Collections.Immutable;
using PerfTools.Editions;
using PerfTools.Hosting.CommandLine;
using PerfTools.Scenarios;

namespace PerfTools.Matrix;

/// <summary>One of the programs that play a role in turn.</summary>
/// <param name="Label">Its name in tables.</param>
/// <param name="Command">The program.</param>
/// <param name="Edition">Its edition; null where its help is to show it.</param>
internal sealed record MatrixTool(string Label, ToolCommand Command, Edition? Edition)
{
    private const char Comma = ',', LabelEnd = ':';

    /// <summary>Parses a list such as <c>ours,c:/opt/eta/ProvPerf,java:"java -cp /opt/lib/* ProvPerf"</c>; null for another form.</summary>
    /// <remarks>An edition's word before a colon names the edition of the program; any other word there is only a label.</remarks>
    public static IReadOnlyList<MatrixTool>? TryParseList(string text)
    {
        List<MatrixTool> tools = [];
        foreach (string entry in SplitOutsideQuotes(text))
        {
            if (TryParse(entry) is not { } tool || tools.Exists(other => other.Label == tool.Label))
                return null;
            tools.Add(tool);
        }

        return tools;
    }

    private static MatrixTool? TryParse(string entry)
    {
        int end = entry.IndexOf(LabelEnd, StringComparison.Ordinal);
        string label = end > 0 && entry[..end].All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '.' or '_') ? entry[..end] : "";
        if (ToolCommand.TryParse(Unquote(label.Length > 0 ? entry[(end + 1)..] : entry)) is not { } command)
            return null;
        return new(label.Length > 0 ? label : command.IsUsual ? ToolCommand.Usual : Path.GetFileNameWithoutExtension(command.Words[^1]), command,
            command.IsUsual ? null : EditionFacts.Find(label));
    }

    private static IEnumerable<string> SplitOutsideQuotes(string text)
    {
        int from = 0;
        char quote = '\0';
        for (int i = 0; i < text.Length; i++)
        {
            bool isQuote = text[i] is '"' or '\'';
            quote = quote == '\0' && isQuote ? text[i] : text[i] == quote ? '\0' : quote;
            if (quote != '\0' || text[i] != Comma)
                continue;
            yield return text[from..i];
            from = i + 1;
        }

        yield return text[from..];
    }

    // The whole command in quotes, which a list needs where the command has a comma or a blank.
    private static string Unquote(string text) => text is [var first and ('"' or '\''), .. var inner, var last] && first == last
        && !inner.Contains(first, StringComparison.Ordinal)
        ? inner : text;
}

/// <summary>The programs to combine, and the number of rounds. Vary it with <c>with</c>.</summary>
internal sealed record MatrixOptions
{
    private const int MaxRounds = 100;
    private const int MaxCells = 200;

    /// <summary>The programs by role. <c>--tools</c></summary>
    public ImmutableDictionary<string, IReadOnlyList<MatrixTool>> Tools { get; init; } = ImmutableDictionary<string, IReadOnlyList<MatrixTool>>.Empty;

    /// <summary>Runs of each combination. <c>--rounds</c></summary>
    public int Rounds { get; init; } = 3;

    public static OptionTable<MatrixOptions> CreateTable()
    {
        OptionTable<MatrixOptions> table = new("perftools matrix", new MatrixOptions(), _ => null) { HasLongNames = true };
        table.Custom("-tools", "role=list", "role=list of programs, each with another label",
            "programs that play a role in turn: provider=ours,c:/opt/eta/ProvPerf,new:\"path/provperf\"; repeatable", _ => null,
            (o, s) => s.Split('=', 2) is [{ Length: > 0 } role, var list] && MatrixTool.TryParseList(list) is { } tools
                ? o with { Tools = o.Tools.SetItem(role, tools) } : null).Repeatable();
        table.Number("-rounds", "n", "runs of each combination, in turn", o => o.Rounds, (o, v) => o with { Rounds = v }).Within(1, MaxRounds);
        return table;
    }

    /// <summary>Finds what is wrong, as a sentence that names the option; null when nothing is.</summary>
    public string? FindProblem(Scenario scenario, ScenarioOptions common)
    {
        string[] known = [.. scenario.Roles.Select(role => role.Name)];
        if (Tools.IsEmpty)
            return "--tools: give the programs of a role at least";
        if (Tools.Keys.FirstOrDefault(role => !known.Contains(role)) is { } unknown)
            return $"--tools: {ClosestName.Refuse(unknown, "role", known)}";
        if (common.Repeat != 1)
            return "--repeat: --rounds says how many runs a combination has";
        if (Tools.Values.Aggregate(1L, (count, tools) => Math.Min(count * tools.Count, MaxCells + 1)) > MaxCells)
            return string.Create(System.Globalization.CultureInfo.InvariantCulture, $"--tools: more than {MaxCells} combinations");
        return CreateCells(scenario, common).Select(cell => scenario.FindProblem(cell.Options)).FirstOrDefault(problem => problem is not null);
    }

    /// <summary>Creates every combination; the program of the last role changes fastest.</summary>
    public IReadOnlyList<MatrixCell> CreateCells(Scenario scenario, ScenarioOptions common)
    {
        IEnumerable<MatrixCell> cells = [new([], common)];
        foreach (string role in RolesOf(scenario))
            cells = [.. from cell in cells from tool in Tools[role] select cell.With(role, tool)];
        return [.. cells];
    }

    /// <summary>The roles whose programs change, in the order of the scenario.</summary>
    public IReadOnlyList<string> RolesOf(Scenario scenario) => [.. scenario.Roles.Select(role => role.Name).Where(Tools.ContainsKey)];
}

/// <summary>One combination of programs.</summary>
/// <param name="Labels">The label for each role whose program changes.</param>
/// <param name="Options">The options of its runs.</param>
internal sealed record MatrixCell(IReadOnlyList<string> Labels, ScenarioOptions Options)
{
    /// <summary>The title for people.</summary>
    public string Title => string.Join(" / ", Labels);

    /// <summary>The name of its folder.</summary>
    public string Folder => string.Join('_', Labels);

    /// <summary>The same with a program for one more role.</summary>
    public MatrixCell With(string role, MatrixTool tool)
    {
        EditionOptions editions = Options.Editions with { Tools = Options.Editions.Tools.SetItem(role, tool.Command) };
        if (tool.Edition is { } edition)
            editions = editions with { Editions = editions.Editions.SetItem(role, edition) };
        return new([.. Labels, tool.Label], Options with { Editions = editions });
    }
}
