using System.Globalization;
using System.Text.Json;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests;

public sealed class TransportPerfEndToEndTests
{
    private const string TransportPerf = "TransportPerf";
    private const string Server =
        "-p 0 -runTime 900 -connType socket -tickRate 1000 -appType server -jsonFile server.json -summaryFile server.out -statsFile server ";
    private const string Names = "-jsonFile client.json -summaryFile client.out -statsFile client ";
    private const string Client = "-connType socket -tickRate 1000 -appType client -writeStatsInterval 1 " + Names;
    private const string Timed = "-runTime 10 "; // which includes the time to connect
    private const int Warm = 3; // intervals until the background compilation is done
    private const string Endless = "-runTime 600 ";

    [Theory]
    [InlineData("-msgRate 100000 -latencyMsgRate 1000", "-latencyMsgRate 0 -msgRate 0")]
    [InlineData("-reflectMsgs", "-msgRate 100000 -latencyMsgRate 1000")]
    [InlineData("-msgRate 50000", "-msgRate 70000 -latencyMsgRate all")]
    [InlineData("-msgRate 100000 -pack 10", "-msgRate 100000 -pack 50")]
    [InlineData("-msgRate 20000 -threads 2", "-msgRate 20000 -threads 3")]
    [InlineData("-msgRate 2000 -threads 2", "-msgRate 2000 -threads 2 -connections 9")]
    [InlineData("-msgRate 20000 -busyRead", "-msgRate 20000 -busyRead")]
    [InlineData("-msgRate 20000 -directWrite -tcpDelay", "-msgRate 20000 -highWaterMark 1")]
    [InlineData("-msgRate 5000 -msgSize 20000", "-msgRate 5000 -msgSize 16")]
    [InlineData("-msgRate 50000 -compressionType zlib -compressionLevel 1", "-msgRate 50000 -compressionType zlib -pack 10")]
    [InlineData("-msgRate 50000 -compressionType lz4 -pack 50", "-msgRate 50000 -compressionType lz4 -msgSize 400")]
    [InlineData("-msgRate 100000 -outputBufs 20", "-msgRate 100000 -outputBufs 1")]
    public void Run_BothSides_CountTheSame(string serverOptions, string clientOptions)
    {
        using RunFolder folder = new();
        (RunningTool server, RunningTool client) = Start(folder, serverOptions, Endless + clientOptions);
        client.WaitForTraffic();
        RunFolder.End(client);
        server.ExpectExit(0);
        ExpectConserved(folder);
        Assert.True(folder.Final("server.json").Count("messagesSent") > 0);
    }

    [Fact]
    public void Run_TimeOver_IsZeroOnBothSidesAndConserved()
    {
        using RunFolder folder = new();
        (RunningTool server, RunningTool client) = Start(folder, "-msgRate 50000", Timed + "-msgRate 70000 -latencyMsgRate all");
        client.ExpectExit(0);
        server.ExpectExit(0);
        ExpectConserved(folder);
    }

    [Fact]
    public void Run_Reflection_ReturnsEverything()
    {
        using RunFolder folder = new();
        (RunningTool server, RunningTool client) =
            Start(folder, "-reflectMsgs", Timed + "-msgRate 10000 -latencyMsgRate 1000 -latencyFile late");
        client.ExpectExit(0);
        server.ExpectExit(0);
        JsonElement latency = folder.Final("client.json").GetProperty("overall").GetProperty("latency");
        Assert.True(latency.Number("count") > 100); // of some 10,000 on a quiet machine
        string[] lines = folder.Lines("late1.csv");
        Assert.Equal("Send Time, Receive Time, Latency(nsec)", lines[0]);
        Assert.Equal(latency.Number("count"), lines.Length - 1);
    }

    [Fact]
    public void Run_SteadyState_CollectsNoGarbage()
    {
        using RunFolder folder = new();
        ToolProcess server = folder.StartProcess(TransportPerf, Server + "-msgRate 100000 -latencyMsgRate all -writeStatsInterval 1");
        ToolProcess client = folder.StartProcess(TransportPerf, $"{Client}{Endless}-msgRate 100000 -latencyMsgRate all -p {server.Port}");
        client.WaitForLine("  CPU:", Warm + 4);
        RunFolder.End(client);
        server.ExpectExit(0);
        foreach (string file in (string[])["server.json", "client.json"])
        {
            JsonElement warm = JsonDocument.Parse(folder.Lines(file)[Warm]).RootElement;
            Assert.Equal(warm.Number("process", "gen0Collections"), folder.Final(file).Number("process", "gen0Collections"));
        }
    }

    [Fact]
    public void Run_Files_AreWhole()
    {
        using RunFolder folder = new();
        (RunningTool server, RunningTool client) = Start(folder, "-msgRate 10000", Timed + "-msgRate 10000");
        client.ExpectExit(0);
        server.ExpectExit(0);
        string summary = File.ReadAllText(folder.PathOf("client.out"));
        Assert.StartsWith("--- TEST INPUTS ---\n\n", summary, StringComparison.Ordinal);
        Assert.Contains("--- OVERALL SUMMARY ---\n\nStatistics:\n", summary, StringComparison.Ordinal);
        long notSent = folder.Final("client.json").Count("messagesNotSent"); // a stall of the machine costs messages: all files tell the same
        Assert.Contains($"  Messages not sent: {notSent}\n", summary, StringComparison.Ordinal);
        string[] rows = folder.Lines("client1.csv");
        Assert.StartsWith("UTC, Msgs sent, Bytes sent, Msgs received", rows[0], StringComparison.Ordinal);
        Assert.All(rows[1..], row => Assert.Equal(rows[0].Split(',').Length, row.Split(',').Length));
        Assert.Equal(folder.Final("client.json").Count("messagesSent"),
            rows[1..].Sum(row => long.Parse(row.Split(',')[1], CultureInfo.InvariantCulture)));
        Assert.Contains(summary[summary.IndexOf("Statistics:", StringComparison.Ordinal)..], client.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_DefaultNames_CarryTheProcessId()
    {
        using RunFolder folder = new();
        ToolProcess client = folder.StartProcess(TransportPerf, "-appType client -p 1 -runTime 1");
        Assert.Equal(4, client.WaitForExit());
        Assert.Equal([$"TransportStats1_{client.Id}.csv", $"TransportSummary_{client.Id}.out"],
            Directory.GetFiles(folder.Path).Select(Path.GetFileName).Order());
    }

    [Theory]
    [InlineData(RunningTool.Interrupt, 130)]
    [InlineData(RunningTool.Terminate, 143)]
    public void Run_Signalled_WritesEverythingFirst(int signal, int exitCode)
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start(TransportPerf, Server + "-msgRate 50000");
        ToolProcess client = folder.StartProcess(TransportPerf, $"{Client}{Endless}-msgRate 50000 -p {server.Port}");
        client.WaitForTraffic(); // a server ends with its last client only when messages went between them
        client.Signal(signal);
        client.ExpectExit(exitCode, exitCode == 130 ? "SIGINT" : "SIGTERM");
        server.ExpectExit(0);
        ExpectConserved(folder);
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("client.out"));
    }

    [Fact]
    public void Run_ServerEndsFirst_IsConservedToo()
    {
        using RunFolder folder = new();
        (RunningTool server, RunningTool client) = Start(folder, "-msgRate 50000", Endless + "-msgRate 50000");
        client.WaitForLine("Channel ");
        RunFolder.End(server);
        Assert.Equal(5, client.WaitForExit());
        ExpectConserved(folder);
    }

    [Fact]
    public void Run_ServerKilled_ClientSaysNotComparable()
    {
        using RunFolder folder = new();
        ToolProcess server = folder.StartProcess(TransportPerf, Server + "-msgRate 50000");
        RunningTool client = folder.Start(TransportPerf, $"{Client}{Endless}-msgRate 50000 -p {server.Port}");
        client.WaitForLine("Channel ");
        // what it does not read makes its end a reset; a kill between two messages would look like an end in good order
        server.Signal(ToolProcess.Pause);
        client.WaitForTraffic();
        server.KillAtOnce();
        Assert.Equal(5, client.WaitForExit());
        Assert.Contains("not comparable", File.ReadAllText(folder.PathOf("client.out")), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_NoServer_IsToldAtTheEndOfTheRunTime()
    {
        using RunFolder folder = new();
        RunningTool client = folder.Start(TransportPerf, "-appType client -p 1 -summaryFile s " + Timed);
        client.ExpectExit(4, "not connected within the run time");
        Assert.StartsWith("TransportPerf: not connected within the run time", client.Error, StringComparison.Ordinal);
        Assert.Contains("will retry every second", client.Output, StringComparison.Ordinal);
        Assert.Contains("No latency information was received.", File.ReadAllText(folder.PathOf("s")), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_PortInUse_IsToldAtOnce()
    {
        using RunFolder folder = new();
        RunningTool first = folder.Start(TransportPerf, Server);
        int port = first.Port;
        RunningTool second = folder.Start(TransportPerf, $"-p {port} -summaryFile s2 -statsFile t2");
        Assert.Equal(4, second.WaitForExit());
        Assert.StartsWith($"TransportPerf: cannot listen on port {port}", second.Error, StringComparison.Ordinal);
        RunFolder.End(first);
    }

    [Theory]
    [InlineData("-summaryFile /dev/full -jsonFile client.json")]
    [InlineData("-jsonFile /dev/full -summaryFile client.out")]
    public void Run_FullDisk_RunsOnAndIsTold(string options)
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start(TransportPerf, Server + "-msgRate 1000 -latencyMsgRate 0");
        RunningTool client = folder.Start(TransportPerf,
            $"{Timed}-appType client -statsFile c -msgRate 1000 -latencyMsgRate 0 {options} -p {server.Port}");
        client.ExpectExit(7, "/dev/full");
        server.ExpectExit(0);
        Assert.Contains("--- OVERALL SUMMARY ---", client.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_FullConsole_RunsOnAndIsTold()
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start(TransportPerf, Server + "-msgRate 1000 -latencyMsgRate 0");
        ToolProcess client = folder.StartProcess(TransportPerf,
            $"{Timed}-appType client -statsFile c -summaryFile s -msgRate 1000 -latencyMsgRate 0 -p {server.Port}", ">/dev/full");
        client.ExpectExit(7, "standard output");
        server.ExpectExit(0);
        Assert.Contains("--- OVERALL SUMMARY ---", File.ReadAllText(folder.PathOf("s")), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_ThresholdMissed_IsTold()
    {
        using RunFolder folder = new();
        (RunningTool server, RunningTool client) = Start(folder, "-msgRate 1000 -latencyMsgRate 0",
            Timed + "-msgRate 1000 -latencyMsgRate 0 -assert rate>=1000000");
        client.ExpectExit(6, "rate>=1000000: rate is");
        Assert.StartsWith("TransportPerf: rate>=1000000: rate is", client.Error, StringComparison.Ordinal);
        server.ExpectExit(0);
    }

    private static (RunningTool Server, RunningTool Client) Start(RunFolder folder, string serverOptions, string clientOptions)
    {
        RunningTool server = folder.Start(TransportPerf, Server + serverOptions);
        return (server, folder.Start(TransportPerf, $"{Client}{clientOptions} -p {server.Port}"));
    }

    private static void ExpectConserved(RunFolder folder)
    {
        (JsonElement server, JsonElement client) = (folder.Final("server.json"), folder.Final("client.json"));
        Assert.Equal((server.Count("messagesSent"), client.Count("messagesSent")),
            (client.Count("messagesReceived"), server.Count("messagesReceived")));
    }
}
