using System.Globalization;
using System.Text;
using PerfTools.History;
using PerfTools.Hosting.CommandLine;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;

namespace Tools.Tests.Pages;

/// <summary>The pages of docs/options, made from the option tables.</summary>
internal static class OptionPages
{
    private static readonly string[] Tools = ["ProvPerf", "NIProvPerf", "ConsPerf", "HubPerf", "UsersPerf", "TransportPerf", "LatencyPerf"];

    public static string Folder { get; } = Path.Combine(RepositoryRoot.FullPath, "docs", "options");

    public static IReadOnlyDictionary<string, Func<string>> ByFile { get; } =
        Tools.Select(tool => KeyValuePair.Create($"{tool.ToLowerInvariant()}.md", () => CreateToolPage(tool)))
            .Append(KeyValuePair.Create("perftools.md", CreatePerfToolsPage)).ToDictionary();

    private static string CreateToolPage(string tool)
    {
        StringBuilder page = new($"# Options of {tool}\n\nWritten by `docs/make.sh` from the option table. How to write options: [options](../options.md).\n");
        foreach (IGrouping<HelpGroup, HelpRow> group in ToolTable.Roles[tool].HelpRows.GroupBy(row => row.Group).OrderBy(group => group.Key))
            AppendTable(page, $"{group.Key}", group);
        return page.ToString();
    }

    private static string CreatePerfToolsPage()
    {
        StringBuilder page =
            new("# Options of perftools\n\nWritten by `docs/make.sh` from the option tables. What each does: [scenarios](../scenarios/index.md).\n");
        foreach (Scenario scenario in ScenarioList.All)
            AppendTable(page, $"perftools run {scenario.Name}", ToolTable.RowsOf(scenario.Options));
        foreach (UsersSuite users in UsersSuite.All)
            AppendTable(page, $"perftools run {users.Name}", ToolTable.RowsOf(users.Options));
        AppendTable(page, "perftools compare", ToolTable.RowsOf(CompareVerb.Options));
        AppendTable(page, "perftools duel", ToolTable.RowsOf(DuelVerb.Options));
        AppendTable(page, "perftools search", ToolTable.RowsOf(SearchVerb.Options));
        AppendTable(page, "perftools report", ToolTable.RowsOf(ReportVerb.Options));
        AppendTable(page, "perftools matrix", ToolTable.RowsOf(MatrixVerb.Options));
        AppendTable(page, "perftools history", ToolTable.RowsOf(HistoryVerb.Options));
        AppendTable(page, "perftools size", ToolTable.RowsOf(SizeVerb.Options));
        AppendTable(page, "perftools export", ToolTable.RowsOf(ExportVerb.Options));
        AppendTable(page, "perftools merge", ToolTable.RowsOf(MergeVerb.Options));
        AppendTable(page, "perftools items", ToolTable.RowsOf(ItemsVerb.Options));
        AppendTable(page, "perftools cert", ToolTable.RowsOf(CertVerb.Options));
        AppendTable(page, "perftools clock", ToolTable.RowsOf(ClockVerb.Options));
        return page.ToString();
    }

    private static void AppendTable(StringBuilder page, string title, IEnumerable<HelpRow> rows)
    {
        page.Append(CultureInfo.InvariantCulture, $"\n## {title}\n\n| option | meaning | default |\n|---|---|---|\n");
        foreach (HelpRow row in rows)
        {
            string value = row.ValueName is null ? "" : $" <{row.ValueName}>";
            page.Append(CultureInfo.InvariantCulture, $"| {string.Join(", ", row.Names.Select(name => $"`{name}{value}`"))} | {Cell(row.Help)} | "
                + $"{(row.Default is { Length: > 0 } usual ? $"`{Cell(usual)}`" : "")} |\n");
        }
    }

    private static string Cell(string text) => text.Replace("|", "\\|", StringComparison.Ordinal);
}
