using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>The files of a run, and the reaction to a failure to write them during the run.</summary>
public class OutputTests
{
    private const string NoWriteXorExecute = "export DOTNET_EnableWriteXorExecute=0; "; // its double mapping is a file, too
    private const string Long = "-steadyStateTime 600 -itemCount 100 -writeStatsInterval 1";
    private const string Images = "-steadyStateTime 600 -itemCount 100 -snapshot";

    [Fact]
    public void Files_OfARun_HoldOneRowPerSampleAndCollection()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000 -latencyUpdateRate 500 -writeStatsInterval 1");
        RunningTool consumer = folder.StartConsumer(provider, $"{Long} -latencyFile lat -statsFile stats -summaryFile sum.out");
        End(consumer, provider);

        JsonElement final = folder.Final("cons.json");
        string[] latencies = folder.Lines("lat1.csv");
        Assert.Equal("Message type, Send time, Receive time, Latency (usec)", latencies[0]);
        Assert.Equal(final.Number("overall", "whole", "latency", "count"), latencies.Length - 1);
        Assert.All(latencies.Skip(1), IsLatencyRow);
        ExpectStats(folder, "stats1.csv", "UTC, Latency updates, Latency avg (usec)", "Memory(MB)", "cons.json");
        ExpectStats(folder, "ProvStats1.csv", "UTC, Requests received, Images sent", "Memory(MB)", "prov.json");
        Assert.Equal(consumer.Output[consumer.Output.IndexOf("--- OVERALL", StringComparison.Ordinal)..].Trim(),
            string.Join('\n', folder.Lines("sum.out").SkipWhile(line => line != "--- OVERALL SUMMARY ---")).Trim());
    }

    [Fact]
    public void Files_OfAProgramThatRuns_AreNotTakenByASecondOne()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess("-updateRate 5000"); // locks are a process's: a test that reads would undo its own
        Assert.True(provider.Port > 0); // the files are there
        string before = File.ReadAllText(folder.PathOf("prov.json"));
        folder.StartProcess("ProvPerf", "-p 0 -jsonFile prov.json -summaryFile other.out -statsFile other").ExpectExit(7,
            "prov.json: cannot be created: ");
        Assert.StartsWith(before, File.ReadAllText(folder.PathOf("prov.json")), StringComparison.Ordinal);
        folder.RunConsumer(provider, Images).ExpectExit(0);
    }

    [Fact]
    public void Files_OnADevice_MayBeShared()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider();
        folder.Start("ConsPerf", $"-p {provider.Port} {Images} -statsFile s -jsonFile /dev/null -summaryFile /dev/null").ExpectExit(0);
    }

    [Fact]
    public void Stats_RowsOfARun_AddUpToItsTotals()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000 -writeStatsInterval 1");
        End(folder.StartConsumer(provider, Long), provider);

        Assert.Equal(100, ColumnSum(folder, "ConsStats1.csv", "Images"));
        Assert.Equal(folder.Final("prov.json").Count("updatesSent"), ColumnSum(folder, "ProvStats1.csv", "Updates sent"));
        Assert.Equal(100, ColumnSum(folder, "ProvStats1.csv", "Requests received"));
    }

    [Fact]
    public void Console_NoDisplayStats_PrintsNoIntervals()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-noDisplayStats -writeStatsInterval 1");
        RunningTool consumer = folder.RunConsumer(provider, Images + " -noDisplayStats");
        consumer.ExpectExit(0);
        RunFolder.End(provider);

        Assert.DoesNotContain("Images: ", consumer.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(": UpdRate:", provider.Output, StringComparison.Ordinal);
        Assert.Contains("--- OVERALL SUMMARY ---", consumer.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-summaryFile /dev/full", "", "/dev/full")]
    [InlineData("-jsonFile /dev/full -summaryFile s.out", "", "/dev/full")]
    [InlineData("", ">/dev/full", "standard output")]
    [InlineData("", ">&-", "standard output")]
    public void Consumer_OutputFails_RunsToItsEndThenIsSeven(string options, string redirection, string reason)
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000");
        string json = options.Contains("-jsonFile", StringComparison.Ordinal) ? "" : "-jsonFile cons.json ";
        ToolProcess consumer = folder.StartProcess("ConsPerf", $"-p {provider.Port} {Images} {json}{options}", redirection);
        consumer.ExpectExit(7, reason);
        RunFolder.End(provider);

        if (json.Length == 0)
            return;
        Assert.Equal(100, folder.Final("cons.json").Count("refreshesReceived"));
        Assert.True(folder.Final("cons.json").GetProperty("overall").GetProperty("steadyReached").GetBoolean());
    }

    [Theory]
    [InlineData("-summaryFile /dev/full", "")]
    [InlineData("", ">&-")]
    public void Provider_OutputFails_RunsToItsEndThenIsSeven(string options, string redirection)
    {
        using RunFolder folder = new();
        folder.StartProcess("ProvPerf", $"-p 0 -runTime 1 {options}", redirection).ExpectExit(7, "cannot be written");
        Assert.Equal(2, folder.Lines("ProvStats1.csv").Length);
    }

    // Every point of every tool: test/disk-full.sh.
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Provider_NoRoomWithinALine_LeavesWholeLinesAndNamesTheFiles(int halfKilobytes)
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProcess(
            "ProvPerf", "-p 0 -runTime 1 -jsonFile p.json -summaryFile p.out -statsFile p",
            limits: $"{NoWriteXorExecute}trap '' XFSZ; ulimit -f {halfKilobytes}");
        provider.ExpectExit(7, "p.json: cannot be written");
        foreach (string text in (string[])["p.json", "p.out", "p1.csv"])
            Assert.EndsWith("\n", '\n' + File.ReadAllText(folder.PathOf(text)), StringComparison.Ordinal);

        Assert.All(File.ReadAllLines(folder.PathOf("p.json")), line => JsonDocument.Parse(line).Dispose());

        Assert.True(File.ReadAllText(folder.PathOf("p.out")).Contains("SUMMARY", StringComparison.Ordinal)
            || provider.Error.Contains("p.out", StringComparison.Ordinal));
    }

    [Fact]
    public void Hub_MemoryAtItsLimit_LeavesItsResults()
    {
        using RunFolder folder = new();
        ToolProcess hub = folder.StartProcess("HubPerf", "-p 0 -niPort 0 -runTime 600 -jsonFile hub.json",
            limits: "export DOTNET_GCHeapHardLimit=0x3000000");
        string port = hub.WaitForLine("Listening for providers on port ").Split(' ')[^1];
        folder.StartProcess("NIProvPerf", $"-h localhost -p {port} -itemCount 350000 -runTime 300");
        int code = hub.WaitForExit();
        Assert.True(code is 1 or 5, $"{code}: {hub.Error}"); // 5 where nine tenths were seen in time
        Assert.Contains("memory", hub.Error, StringComparison.Ordinal);
        Assert.Equal(code, folder.Final("hub.json").Number("exitCode"));
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("HubSummary.out"));
    }

    [Fact]
    public void Consumer_StandardOutputClosedByItsReader_GoesOn()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 5000");
        ToolProcess consumer = folder.StartConsumerProcess(provider, Images, "| head -1");
        consumer.WaitForExit();

        Assert.Equal(1, consumer.Output.Split('\n').Length - 1);
        WaitForFinal(folder);
        Assert.Equal(0, folder.Final("cons.json").Number("exitCode"));
    }

    private static void End(RunningTool consumer, RunningTool provider)
    {
        consumer.WaitForSteadyState();
        RunFolder.End(consumer, provider);
    }

    private static void WaitForFinal(RunFolder folder)
    {
        string path = folder.PathOf("cons.json");
        Assert.True(SpinWait.SpinUntil(() =>
            File.Exists(path) && File.ReadAllText(path).Contains("\"final\":true", StringComparison.Ordinal),
            TimeSpan.FromSeconds(180)));
    }

    private static void ExpectStats(RunFolder folder, string file, string start, string guidesLast, string json)
    {
        string[] rows = folder.Lines(file);
        Assert.StartsWith(start, rows[0], StringComparison.Ordinal);
        Assert.Contains(guidesLast, rows[0].Split(", "));
        Assert.All(rows, row => Assert.Equal(rows[0].Split(", ").Length, row.Split(", ").Length));
        Assert.Equal(folder.Lines(json).Length, rows.Length); // a header for the final line
    }

    private static void IsLatencyRow(string row)
    {
        string[] cells = row.Split(", ");
        Assert.Equal("Upd", cells[0]);
        Assert.Equal(long.Parse(cells[2], null) - long.Parse(cells[1], null), long.Parse(cells[3], null));
    }

    private static long ColumnSum(RunFolder folder, string file, string column)
    {
        string[] rows = folder.Lines(file);
        int index = Array.IndexOf(rows[0].Split(", "), column);
        return rows.Skip(1).Sum(row => long.Parse(row.Split(", ")[index], null));
    }
}
