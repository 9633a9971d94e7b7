using PerfTools.Hosting.CommandLine;
using PerfTools.Results.Comparison;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary>The options of a comparison. Vary it with <c>with</c>.</summary>
internal sealed record CompareOptions
{
    /// <summary>The changes with which it fails. <c>--fail</c></summary>
    public IReadOnlyList<ChangeLimit> Limits { get; init; } = [];

    /// <summary>Figures of single roles to compare in addition to those of the run. <c>--figures</c></summary>
    public IReadOnlyList<string> Figures { get; init; } = [];

    /// <summary>The further outputs of the result.</summary>
    public ResultOutputs Outputs { get; init; } = new();

    public static OptionTable<CompareOptions> CreateTable()
    {
        OptionTable<CompareOptions> table = new("perftools compare", new CompareOptions(),
            o => o.Outputs.FindProblem())
        { HasLongNames = true };
        table.AddFail(o => o.Limits, (o, v) => o with { Limits = v });
        table.Custom("-figures", "list", "all, or names such as consumer.counts.itemsLost",
            "additional figures of single roles: role.figure, or all", _ => null,
            (o, s) => ReadFigures(s) is { } v ? o with { Figures = v } : null);
        ResultOutputs.AddRows(table.Part(o => o.Outputs, (o, v) => o with { Outputs = v }));
        table.Part(o => o.Outputs, (o, v) => o with { Outputs = v })
            .Text("-html", "file", "the comparison as a page", o => o.Html, (o, v) => o with { Html = v });
        return table;
    }

    private static string[]? ReadFigures(string text)
    {
        string[] names = [.. text.Split(',').Select(name => name.Trim())];
        return names.All(name => name == RoleNumbers.All || ChangeLimit.IsOfRole(name)) ? names : null;
    }
}

/// <summary>Options that several verbs have.</summary>
internal static class ComparisonRows
{
    public static void AddFail<T>(this OptionTable<T> table, Func<T, IReadOnlyList<ChangeLimit>> get,
        Func<T, IReadOnlyList<ChangeLimit>, T> set)
        where T : class =>
        table.Custom("-fail", "list", ChangeLimit.ListKind,
            $"changes from A to B that fail, such as p99>+10%,rate<-2%; names: {ChangeLimit.Names}, cpu.<role>, of round trips with a size: p99@64; "
                + "noise never fails", _ => null,
            (o, s) => ChangeLimit.TryParseList(s) is { } v ? set(o, v) : null);
}
