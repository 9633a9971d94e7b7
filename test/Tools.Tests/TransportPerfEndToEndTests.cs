using System.Globalization;
using System.Text.Json;
using Xunit;

namespace Tools.Tests;

[Collection("processes")]
public sealed class TransportPerfEndToEndTests
{
    private const int UnreadMillis = 200;
    private const string Server = "-p 0 -runTime 900 -connType socket -tickRate 1000 -appType server -jsonFile server.json -summaryFile server.out -statsFile server ";
    private const string Client = "-connType socket -runTime 3 -tickRate 1000 -appType client -jsonFile client.json -summaryFile client.out -statsFile client -writeStatsInterval 1 ";

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("-msgRate 100000 -latencyMsgRate 1000", "-latencyMsgRate 0 -msgRate 0")]
    [InlineData("-reflectMsgs", "-msgRate 100000 -latencyMsgRate 1000")]
    [InlineData("-msgRate 50000", "-msgRate 70000 -latencyMsgRate all")]
    [InlineData("-msgRate 100000 -pack 10", "-msgRate 100000 -pack 50")]
    [InlineData("-msgRate 20000 -threads 2", "-msgRate 20000 -threads 3")]
    [InlineData("-msgRate 20000 -busyRead", "-msgRate 20000 -busyRead")]
    [InlineData("-msgRate 20000 -directWrite -tcpDelay", "-msgRate 20000 -highWaterMark 1")]
    [InlineData("-msgRate 5000 -msgSize 20000", "-msgRate 5000 -msgSize 16")]
    [InlineData("-msgRate 50000 -compressionType zlib -compressionLevel 1", "-msgRate 50000 -compressionType zlib -pack 10")]
    [InlineData("-msgRate 50000 -compressionType lz4 -pack 50", "-msgRate 50000 -compressionType lz4 -msgSize 400")]
    [InlineData("-msgRate 100000 -outputBufs 20", "-msgRate 100000 -outputBufs 1")]
    public async Task Run_BothSides_CountTheSame(string serverOptions, string clientOptions)
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + serverOptions);
        int port = await server.ListeningPort(Cancel);
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path, Client + clientOptions + Port(port));
        Assert.Equal((0, ""), (await client.ExitCode(Cancel), client.Error));
        Assert.Equal((0, ""), (await server.ExitCode(Cancel), server.Error));
        (JsonElement sent, JsonElement received) = (directory.ReadFinal("server.json"), directory.ReadFinal("client.json"));
        AssertConserved(sent, received);
        AssertConserved(received, sent);
        Assert.True(Count(sent, "messagesSent") > 0);
    }

    [Fact]
    public async Task Run_Reflection_ReturnsEverything()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-reflectMsgs");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            Client + "-msgRate 10000 -latencyMsgRate 1000 -latencyFile late" + Port(await server.ListeningPort(Cancel)));
        Assert.Equal(0, await client.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
        JsonElement figures = directory.ReadFinal("client.json").GetProperty("overall");
        Assert.True(figures.GetProperty("latency").GetProperty("count").GetInt64() > 100); // of some 3,000 on a quiet machine
        string[] lines = directory.Read("late1.csv").Split('\n');
        Assert.Equal("Send Time, Receive Time, Latency(nsec)", lines[0]);
        Assert.Equal(figures.GetProperty("latency").GetProperty("count").GetInt64(), lines.Length - 2);
    }

    [Fact]
    public async Task Run_SteadyState_CollectsNoGarbage()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path,
            Server + "-msgRate 100000 -latencyMsgRate all -writeStatsInterval 1");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            Client + "-msgRate 100000 -latencyMsgRate all" + Port(await server.ListeningPort(Cancel)));
        Assert.Equal(0, await client.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
        foreach (string file in (string[])["server.json", "client.json"])
            Assert.Equal(Collections(directory.ReadFirst(file)), Collections(directory.ReadFinal(file)));
    }

    [Fact]
    public async Task Run_Files_AreWhole()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-msgRate 10000");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            Client + "-msgRate 10000" + Port(await server.ListeningPort(Cancel)));
        Assert.Equal(0, await client.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
        string summary = directory.Read("client.out");
        Assert.StartsWith("--- TEST INPUTS ---\n\n", summary, StringComparison.Ordinal);
        Assert.Contains("--- OVERALL SUMMARY ---\n\nStatistics:\n", summary, StringComparison.Ordinal);
        Assert.Contains("  Messages not sent: 0\n", summary, StringComparison.Ordinal);
        string[] rows = directory.Read("client1.csv").Split('\n');
        Assert.StartsWith("UTC, Msgs sent, Bytes sent, Msgs received", rows[0], StringComparison.Ordinal);
        Assert.All(rows[1..^1], row => Assert.Equal(rows[0].Split(',').Length, row.Split(',').Length));
        Assert.Equal(Count(directory.ReadFinal("client.json"), "messagesSent"),
            rows[1..^1].Sum(row => long.Parse(row.Split(',')[1], CultureInfo.InvariantCulture)));
        Assert.Contains(summary[summary.IndexOf("Statistics:", StringComparison.Ordinal)..], client.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_DefaultNames_CarryTheProcessId()
    {
        using RunDirectory directory = new();
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path, "-appType client -p 1 -runTime 1");
        Assert.Equal(4, await client.ExitCode(Cancel));
        Assert.Equal(["TransportStats1_*.csv", "TransportSummary_*.out"],
            Directory.GetFiles(directory.Path).Select(f =>
                string.Join('_', Path.GetFileName(f).Split('_')[0], "*" + Path.GetExtension(f))).Order());
    }

    [Theory]
    [InlineData(ToolProcess.Interrupt, 130)]
    [InlineData(ToolProcess.Terminate, 143)]
    public async Task Run_Signalled_WritesEverythingFirst(int signal, int exitCode)
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-msgRate 50000");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            Client.Replace("-runTime 3", "-runTime 60", StringComparison.Ordinal) + "-msgRate 50000"
                + Port(await server.ListeningPort(Cancel)));
        await client.Measured(Cancel); // a server ends with its last client only when messages went between them
        Assert.SkipWhen(client.Ignores(signal), "the signal is ignored by whoever started the tests");
        client.Signal(signal);
        Assert.Equal(exitCode, await client.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
        Assert.Single(client.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        AssertConserved(directory.ReadFinal("client.json"), directory.ReadFinal("server.json"));
        AssertConserved(directory.ReadFinal("server.json"), directory.ReadFinal("client.json"));
        Assert.Contains("--- OVERALL SUMMARY ---", directory.Read("client.out"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_ServerEndsFirst_IsConservedToo()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-msgRate 50000");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            Client.Replace("-runTime 3", "-runTime 60", StringComparison.Ordinal) + "-msgRate 50000"
                + Port(await server.ListeningPort(Cancel)));
        await client.Connected(Cancel);
        server.Signal(ToolProcess.Terminate);
        Assert.Equal(143, await server.ExitCode(Cancel));
        Assert.Equal(5, await client.ExitCode(Cancel));
        AssertConserved(directory.ReadFinal("client.json"), directory.ReadFinal("server.json"));
        AssertConserved(directory.ReadFinal("server.json"), directory.ReadFinal("client.json"));
    }

    [Fact]
    public async Task Run_ServerKilled_ClientSaysNotComparable()
    {
        using RunDirectory directory = new();
        ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-msgRate 50000");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            Client.Replace("-runTime 3", "-runTime 60", StringComparison.Ordinal) + "-msgRate 50000"
                + Port(await server.ListeningPort(Cancel)));
        await client.Connected(Cancel);
        // what it does not read makes its end a reset; a kill between two messages would look like an end in good order
        server.Signal(ToolProcess.Stop);
        await Task.Delay(UnreadMillis, Cancel);
        server.Dispose();
        Assert.Equal(5, await client.ExitCode(Cancel));
        Assert.Contains("not comparable", directory.Read("client.out"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_NoServer_IsToldAtTheEndOfTheRunTime()
    {
        using RunDirectory directory = new();
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path, "-appType client -p 1 -runTime 1 -summaryFile s");
        Assert.Equal(4, await client.ExitCode(Cancel));
        Assert.StartsWith("TransportPerf: not connected within the run time", client.Error, StringComparison.Ordinal);
        Assert.Contains("will retry every second", client.Output, StringComparison.Ordinal);
        Assert.Contains("No latency information was received.", directory.Read("s"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_PortInUse_IsToldAtOnce()
    {
        using RunDirectory directory = new();
        using ToolProcess first = ToolProcess.Start("TransportPerf", directory.Path, Server);
        int port = await first.ListeningPort(Cancel);
        using ToolProcess second = ToolProcess.Start("TransportPerf", directory.Path, $"-p {port} -summaryFile s2 -statsFile t2");
        Assert.Equal(4, await second.ExitCode(Cancel));
        Assert.StartsWith($"TransportPerf: cannot listen on port {port}", second.Error, StringComparison.Ordinal);
        first.Signal(ToolProcess.Terminate);
        Assert.Equal(143, await first.ExitCode(Cancel));
    }

    [Theory]
    [InlineData("-summaryFile /dev/full")]
    [InlineData("-jsonFile /dev/full")]
    public async Task Run_FullDisk_RunsOnAndIsTold(string option)
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-msgRate 1000 -latencyMsgRate 0");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            $"-runTime 3 -appType client -statsFile c -msgRate 1000 -latencyMsgRate 0 {option}" + Port(await server.ListeningPort(Cancel)));
        Assert.Equal(7, await client.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
        Assert.Contains("--- OVERALL SUMMARY ---", client.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_FullConsole_RunsOnAndIsTold()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-msgRate 1000 -latencyMsgRate 0");
        using ToolProcess client = ToolProcess.StartRedirected("TransportPerf", directory.Path,
            "-runTime 3 -appType client -statsFile c -summaryFile s -msgRate 1000 -latencyMsgRate 0"
                + Port(await server.ListeningPort(Cancel)), ">/dev/full");
        Assert.Equal(7, await client.ExitCode(Cancel));
        Assert.Equal(0, await server.ExitCode(Cancel));
        Assert.Contains("--- OVERALL SUMMARY ---", directory.Read("s"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_ThresholdMissed_IsTold()
    {
        using RunDirectory directory = new();
        using ToolProcess server = ToolProcess.Start("TransportPerf", directory.Path, Server + "-msgRate 1000 -latencyMsgRate 0");
        using ToolProcess client = ToolProcess.Start("TransportPerf", directory.Path,
            "-runTime 3 -appType client -statsFile c -summaryFile s -msgRate 1000 -latencyMsgRate 0 -assert rate>=1000000"
                + Port(await server.ListeningPort(Cancel)));
        Assert.Equal(6, await client.ExitCode(Cancel));
        Assert.StartsWith("TransportPerf: rate>=1000000: rate is", client.Error, StringComparison.Ordinal);
    }

    private static string Port(int port) => string.Create(CultureInfo.InvariantCulture, $" -p {port}");

    private static void AssertConserved(JsonElement sender, JsonElement receiver) =>
        Assert.Equal(Count(sender, "messagesSent"), Count(receiver, "messagesReceived"));

    private static int Collections(JsonElement final) => final.GetProperty("process").GetProperty("gen0Collections").GetInt32();

    private static long Count(JsonElement final, string name) =>
        final.GetProperty("overall").GetProperty("counts").GetProperty(name).GetInt64();
}
