using PerfTools.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>Folders with files of single programs, of different editions, on one page.</summary>
public sealed class GuideComparisonTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public GuideComparisonTests()
    {
        WriteFolder("c", "Message type, Send time, Receive time, Latency (usec)\n", "Avg image rate", "(%)", 50_000, items: 100);
        WriteFolder("java", "Message type, Send Time, Receive Time, Latency (usec)\n\n", "Avg image Rate", "(%%)", 40_000, items: 200);
        Directory.CreateDirectory(_folder.PathOf("empty"));
    }

    [Fact]
    public void TryCreate_TwoFolders_HaveAColumnEach()
    {
        ReportContent page = GuideComparison.TryCreate([_folder.PathOf("c"), _folder.PathOf("java"), _folder.PathOf("empty")])!;
        Assert.Null(page.Verdict);
        Assert.Contains("made by hand", page.Sentence, StringComparison.Ordinal);
        Assert.Equal(["", "c", "java"], page.Figures[0].Columns);
        Assert.Equal(["samples", "2,000", "2,000"], Row(page.Figures[0], "samples")); // of 3,500, without those of the first 1.5 s
        Assert.Equal(["p50", "40", "40"], Row(page.Figures[0], "p50"));
        TextTable consumer = page.Figures.Single(table => table.Title == "Consumer");
        Assert.Equal(["Avg update rate", "50,000", "40,000"], Row(consumer, "Avg update rate")); // of the steady state
        Assert.Equal(["CPU Usage avg (%)", "6.7", "6.7"], Row(consumer, "CPU Usage avg (%)"));
        Assert.Equal(["Avg image Rate", "900", "900"], Row(consumer, "Avg image Rate"));
        Assert.Equal([["Cons: Item Count", "100", "200"]], page.Conditions[0].Rows.Select(row => row.Select(cell => cell.Text)));
    }

    [Fact]
    public void TryCreate_OneFolderWithFiles_IsNoComparison() =>
        Assert.Null(GuideComparison.TryCreate([_folder.PathOf("c"), _folder.PathOf("empty")]));

    [Fact]
    public async Task Report_TwoFolders_WritesAllPages()
    {
        (int code, string output, string error) = await PerfToolsRuns.Run("report", _folder.PathOf("c"), _folder.PathOf("java"));
        Assert.True(code == 0, error);
        Assert.Equal([_folder.PathOf("c/report.html"), _folder.PathOf("java/report.html"), _folder.PathOf("c/compared.html")], output.TrimEnd().Split('\n'));
        Assert.Contains("<th class=r>java", await File.ReadAllTextAsync(_folder.PathOf("c/compared.html"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private static IEnumerable<string> Row(TextTable table, string name) => table.Rows.Single(row => row[0].Text == name).Select(cell => cell.Text);

    private void WriteFolder(string name, string header, string imageRate, string cpu, int rate, int items)
    {
        Directory.CreateDirectory(_folder.PathOf(name));
        File.WriteAllText(_folder.PathOf(name + "/ConsSummary.out"),
            $"--- TEST INPUTS ---\n\n  Item Count: {items}\n  Tick Rate: 1000\n\n--- OVERALL SUMMARY ---\nSteady State Statistics:\n  Avg update rate: {rate}\n"
            + $"Overall Statistics:\n  CPU Usage avg {cpu}: 6.7\nTest Statistics:\n  Updates received: 7\n  {imageRate}: 900\n  Avg update rate: 1\n");
        File.WriteAllText(_folder.PathOf(name + "/Lat1.csv"), header + string.Concat(Enumerable.Range(0, 3_500).Select(i =>
            $"Upd, {i * 1_000}, {(i * 1_000) + 40}, 40\n")));
    }
}
