using System.Collections.Immutable;
using PerfTools.Editions;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Verbs;

/// <summary>The inputs of a report outside of its folder. Immutable; vary it with <c>with</c>.</summary>
internal sealed record ReportOptions
{
    /// <summary>Folders with results of roles that ran elsewhere, by role. <c>--add</c></summary>
    public ImmutableDictionary<string, string> Added { get; init; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>The editions of their programs, by role; ours by default. <c>--edition</c></summary>
    public ImmutableDictionary<string, Edition> Editions { get; init; } = ImmutableDictionary<string, Edition>.Empty;

    public static OptionTable<ReportOptions> CreateTable()
    {
        OptionTable<ReportOptions> table = new("perftools report", new ReportOptions(), FindProblem) { HasLongNames = true };
        table.Custom("-add", "role=folder", "role=folder", "results of a role that ran elsewhere, put into the run; repeatable", _ => null,
            (o, s) => s.Split('=', 2) is [{ Length: > 0 } role, { Length: > 0 } folder] ? o with { Added = o.Added.SetItem(role, folder) } : null).Repeatable();
        table.Custom("-edition", "role=edition", $"role=edition, one of {EditionOptions.Words}",
            $"whose program that role was: {EditionOptions.Words}; repeatable", _ => null,
            (o, s) => s.Split('=', 2) is [{ Length: > 0 } role, var word] && EditionFacts.Find(word) is { } edition
                ? o with { Editions = o.Editions.SetItem(role, edition) } : null).Repeatable();
        return table;
    }

    private static string? FindProblem(ReportOptions options) =>
        options.Editions.Keys.FirstOrDefault(role => !options.Added.ContainsKey(role)) is { } alone ? $"--edition: {alone} needs --add {alone}=folder" : null;
}
