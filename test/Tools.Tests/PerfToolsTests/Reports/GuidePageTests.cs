using PerfTools;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>Folders with the files of the guide's programs, as several editions write them.</summary>
[Trait("Category", "Fast")]
public sealed class GuidePageTests : IDisposable
{
    private const string ConsumerHeader =
        "UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec), Latency min (usec), Images, Update rate, Posting "
            + "Latency updates, "
        + "Posting Latency avg (usec), Posting Latency std dev (usec), Posting Latency max (usec), Posting Latency min (usec), GenMsgs sent, GenMsg "
        + "Latencies sent, "
        + "GenMsgs received, GenMsg Latencies received, GenMsg Latency avg (usec), GenMsg Latency std dev (usec), GenMsg Latency max (usec), GenMsg "
        + "Latency min (usec), CPU usage (%), Memory(MB)";

    /// <summary>Writes a file of each kind.</summary>
    internal static void WriteSamples(string folder)
    {
        File.WriteAllLines(Path.Combine(folder, "ConsStats1.csv"), [ConsumerHeader, .. Enumerable.Range(10, 20).Select(second =>
            $"2020-03-04 10:00:{second}, 50, 120.5, 10.0, 900.0, 80.0, 1000, 99999, 0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 12.50, 80.00")]);
        File.WriteAllLines(Path.Combine(folder, "ConsSummary.out"), ["--- TEST INPUTS ---", "", "  Steady State Time: 300 sec", "",
            "--- OVERALL SUMMARY ---", "Startup State Statistics:", "  Avg update rate: 90000.0", "  Latency avg (usec): 121.0"]);
        File.WriteAllLines(Path.Combine(folder, "ConsLatency1.csv"), ["Message type, Send time, Receive time, Latency (usec)",
            .. Enumerable.Range(1, 20).Select(row => $"Upd, {row}000000, {row}000120, {100 + row}")]);
    }

    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    [Fact]
    public void Report_OfVendorsConsumerAndProvider_HasTheirChartsAndSummaries()
    {
        Write("ConsStats1.csv", ConsumerHeader,
            "2020-03-04 10:00:05, 50, 120.5, 10.0, 900.0, 80.0, 1000, 99999, 0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 12.50, 80.00",
            "2020-03-04 10:00:10, 50, 121.5, 10.0, 950.0, 80.0, 0, 100001, 0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 12.75, 81.00");
        Write("ProvStats1.csv", "UTC, Requests received, Images sent, Updates sent, Posts reflected, CPU usage (%), Memory (MB)",
            "2020-03-04 10:00:05, 1000, 1000, 500000, 0, 10.00, 70.00", "2020-03-04 10:00:10, 0, 0, 500000, 0, 11.00, 70.00",
            "cut in the mid");
        Write("ConsSummary.out", "--- TEST INPUTS ---", "", "          Steady State Time: 300 sec",
            "                   Hostname: <b>host</b>", "",
            "--- OVERALL SUMMARY ---", "Startup State Statistics:", "  Avg update rate: 90000.0", "  Latency avg (usec): 121.0");

        string page = Report();
        foreach (string chart in (string[])["Latency over time, us (ConsStats1)", "Update rate a second", "Updates sent a second",
            "CPU usage, %", "Memory, MB"])
        {
            Assert.Contains($"<figcaption><b>{chart}</b>", page, StringComparison.Ordinal);
        }

        Assert.Contains("<td>Latency avg (usec)<td>121.0", page, StringComparison.Ordinal);
        Assert.Contains("&lt;b&gt;host&lt;/b&gt;", page, StringComparison.Ordinal);
        Assert.Contains("without a verdict", page, StringComparison.Ordinal);
        Assert.Contains("\"ProvStats1.Updates sent\":[100000,100000]", page.Replace("&quot;", "\"", StringComparison.Ordinal),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Report_OfTransportFiles_HasLatencyAndBothRates()
    {
        Write("TransportStats1_24806.csv",
            "UTC, Msgs sent, Bytes sent, Msgs received, Bytes received, Latency msgs received, Latency avg (usec), Latency std dev (usec), Latency max "
                + "(usec), Latency min (usec), CPU usage (%), Memory (MB)",
            "2020-03-04 10:00:05, 500, 39500, 500, 38000, 50, 21.125, 2.000, 40.000, 15.000, 5.00, 50.00",
            "2020-03-04 10:00:06, 500, 39500, 500, 38000, 50, 21.250, 2.000, 41.000, 15.000, 5.00, 50.00");
        string page = Report();
        Assert.Contains("Latency over time, us (TransportStats1_24806)", page, StringComparison.Ordinal);
        Assert.Contains("Msgs received a second", page, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)", "2020-03-04 10:00:05, 0, 100, 5000, 7.50, 60.00")]
    [InlineData("UTC,Images sent,Updates sent,CPU usage (%),Memory(MB)", "2020-03-04 10:00:05,100,5000,7.50,60.00")]
    public void Report_OfPublishersRowsOfEitherKind_ReadsTheSameColumns(string header, string row)
    {
        Write("NIProvStats1.csv", header, row, row.Replace(":05", ":10", StringComparison.Ordinal));
        Assert.Contains("<td>1000<td>7.5<td>60", Report(), StringComparison.Ordinal);
    }

    [Fact]
    public void Report_OfAFolderWithoutResults_ExitsWithThree()
    {
        Write("other.csv", "a,b", "1,2");
        Assert.Equal(3, Program.Run(["report", _folder.FullPath], _output, _error));
        Assert.EndsWith(": neither run.json nor statistics, latencies or summaries of the guide's programs are in it\n", _error.ToString(),
            StringComparison.Ordinal);
        Assert.Equal(3, Program.Run(["report", _folder.PathOf("none")], _output, _error));
        Assert.EndsWith("none: no such folder\n", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Report_OfSeveralFolders_NamesEachPage()
    {
        string[] folders = [Directory.CreateDirectory(_folder.PathOf("a")).FullName,
            Directory.CreateDirectory(_folder.PathOf("b")).FullName];
        foreach (string folder in folders)
            GeneratedRun.Write(folder, seconds: 2);
        Assert.Equal(0, Program.Run(["report", .. folders], _output, _error));
        Assert.Equal(string.Concat(folders.Select(folder => Path.Combine(folder, "report.html") + "\n")), _output.ToString());
    }

    [Theory]
    [InlineData("report", "perftools: report: name the folders")]
    [InlineData("report -weird", "perftools: -weird: unknown option")]
    public void Report_WithoutAFolder_IsRefused(string line, string problem)
    {
        Assert.Equal(2, Program.Run(line.Split(' '), _output, _error));
        Assert.StartsWith(problem, _error.ToString(), StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _folder.Dispose();
    }

    private void Write(string name, params string[] lines) => File.WriteAllLines(_folder.PathOf(name), lines);

    private string Report()
    {
        Assert.Equal(0, Program.Run(["report", _folder.FullPath], _output, _error));
        return File.ReadAllText(_folder.PathOf("report.html"));
    }
}
