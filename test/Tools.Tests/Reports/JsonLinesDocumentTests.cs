using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.RegularExpressions;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>docs/json-lines.md names the members that the tools write, each under its tool, and no others.</summary>
[Trait("Category", "Fast")]
public partial class JsonLinesDocumentTests
{
    private static readonly string Text = File.ReadAllText(FilePath());

    [Theory]
    [InlineData("ConsPerf")]
    [InlineData("ProvPerf")]
    [InlineData("NIProvPerf")]
    [InlineData("HubPerf")]
    [InlineData("UsersPerf")]
    [InlineData("TransportPerf")]
    public void Counts_OfATool_AreThoseOfItsTable(string tool)
    {
        string table = Text[Text.IndexOf($"| {tool} | meaning |", StringComparison.Ordinal)..].Split("\n\n")[0];
        IEnumerable<string> documented = table.TrimEnd('\n').Split('\n').Skip(2).SelectMany(line => Names(line.Split('|')[1]));
        Assert.Equal(Members(tool, ReportScope.Run, ReportTable.Counts), documented.Order());
        Assert.Equal(Members(tool, ReportScope.Interval, ReportTable.Counts), documented.Order());
    }

    [Theory]
    [InlineData("ConsPerf")]
    [InlineData("ProvPerf")]
    [InlineData("NIProvPerf")]
    [InlineData("HubPerf")]
    [InlineData("UsersPerf")]
    [InlineData("TransportPerf")]
    public void Members_OfATool_AreThoseOfItsTable(string tool)
    {
        Assert.Equal(TopLevel(tool, ReportScope.Interval), ToolRow("## The line of a collection", tool).Order());
        Assert.Equal(TopLevel(tool, ReportScope.Run), ToolRow("## The final line", tool).Order());
    }

    [Theory]
    [InlineData("Cons.jsonl")]
    [InlineData("Prov.jsonl")]
    [InlineData("NIProv.jsonl")]
    [InlineData("Hub.jsonl")]
    [InlineData("Users.jsonl")]
    [InlineData("Transport.jsonl")]
    public void Names_OfEveryWrittenLine_AreInTheDocument(string file)
    {
        foreach (string line in WrittenReports.Write(file).TrimEnd('\n').Split('\n'))
        {
            using JsonDocument document = JsonDocument.Parse(line);
            Assert.Empty(NamesIn(document.RootElement).Except(Names(Text)));
        }
    }

    [Fact]
    public void Phases_Each_HaveTheMembersThatAreDocumented()
    {
        string[] documented = [.. Names(Paragraph("**`startup`"))];
        foreach (string phase in documented[..^4])
            Assert.Equal(documented[^4..].Order(), Members("ConsPerf", ReportScope.Run, phase));
    }

    private static Report[] Reports =>
        [WrittenReports.Consumer, WrittenReports.Provider, WrittenReports.Publisher, WrittenReports.Hub, WrittenReports.Users,
            WrittenReports.Transport];

    private static IEnumerable<string[]> Paths(string tool, ReportScope scope)
    {
        ReportTable table = Reports.Single(report => report.Tool == tool).Table;
        return table.Rows.Except(table.OverallRows).Select(row => row.JsonName(scope)).OfType<string>().Select(name => name.Split('.'));
    }

    private static IEnumerable<string> TopLevel(string tool, ReportScope scope) =>
        Paths(tool, scope).Select(path => path[0]).Distinct().Order();

    private static IEnumerable<string> Members(string tool, ReportScope scope, string parent) =>
        Paths(tool, scope).Where(path => path[0] == parent).Select(path => path[1]).Order();

    private static IEnumerable<string> ToolRow(string section, string tool)
    {
        string text = Text[Text.IndexOf(section, StringComparison.Ordinal)..];
        return Names(text.Split('\n').First(line => line.StartsWith($"| {tool} |", StringComparison.Ordinal)));
    }

    private static IEnumerable<string> NamesIn(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(member => NamesIn(member.Value).Prepend(member.Name)),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(NamesIn),
        _ => [],
    };

    private static string Paragraph(string start) => Text[Text.IndexOf(start, StringComparison.Ordinal)..].Split("\n\n")[0];

    private static IEnumerable<string> Names(string text) => CodeSpan().Matches(text).Select(match => match.Groups[1].Value);

    private static string FilePath([CallerFilePath] string thisFile = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(thisFile)!, "../../../docs/json-lines.md"));

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex CodeSpan();
}
