using System.Net.Sockets;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport.Tls;
using PerfCommon.Transport;
using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>NIProvPerf as a separate process against a hub of the tests, and the counts of both.</summary>
public class PublisherRunTests
{
    private const string Small = "-itemCount 300 -updateRate 20000 -writeStatsInterval 1";
    private const string Long = Small + " -runTime 600";
    private const string FirstImages = " images (total: 300)";

    [Fact]
    public void Run_TimeOver_IsZeroAndConservesEveryCount()
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        Start(folder, hub, Small + " -runTime 10").ExpectExit(0);

        (JsonElement sent, HubPeer received) = Compare(folder, hub);
        Assert.Equal("run time expired", sent.GetProperty("exitReason").GetString());
        Assert.True(sent.GetProperty("overall").GetProperty("sendRate").GetDouble() > 0);
        Assert.Equal(Enumerable.Range(0, 300).Select(i => ($"RDT{i + 1}", -6 - i)), received.Images);
        Assert.Equal("NIProvPerf", received.Publisher!.ApplicationName);
        Assert.Equal(("NI_PUB", (ushort)1), (received.Service.Name, received.Service.Id));
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("NIProvSummary.out"));
        string[] stats = folder.Lines("NIProvStats1.csv");
        Assert.StartsWith("UTC, Images sent, Updates sent, CPU usage (%), Memory (MB), ", stats[0], StringComparison.Ordinal);
        Assert.All(stats, line => Assert.Equal(stats[0].Split(", ").Length, line.Split(", ").Length));
    }

    [Theory]
    [InlineData(RunningTool.Interrupt, 130, "SIGINT")]
    [InlineData(RunningTool.Terminate, 143, "SIGTERM")]
    public void Run_Signalled_ConservesEveryCount(int signal, int code, string name)
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        RunningTool publisher = Start(folder, hub, Long);
        publisher.WaitForLine(FirstImages);
        publisher.Signal(signal);
        publisher.ExpectExit(code, name);

        Compare(folder, hub);
    }

    [Theory]
    [InlineData("-maxPackCount 10")]
    [InlineData("-latencyUpdateRate all -stamp due")]
    [InlineData("-preEnc -measureEncode")]
    [InlineData("-directWrite -tcpDelay -tickRate 7 -latencyUpdateRate 7")]
    [InlineData("-outputBufs 1 -highWaterMark 1 -refreshBurstSize 1")]
    [InlineData("-connType websocket")]
    [InlineData("-compressionType lz4")]
    [InlineData("-compressionType zlib")]
    [InlineData("-useServiceId -serviceId 300 -serviceName TEST_FEED -uname someone")]
    [InlineData("-runTime 0 -updateSize 54 -latencyUpdateRate all")]
    [InlineData("-updateSize 6000 -updateRate 1000 -nanoTime")]
    [InlineData("-updateSize 108,5 -maxPackCount 10")]
    public void Run_Varied_ConservesEveryCount(string options)
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        string usual = options.Contains("-runTime", StringComparison.Ordinal) ? Small : Long;
        Interrupt(
            Start(folder, hub,
                $"{(options.Contains("-updateRate", StringComparison.Ordinal) ? usual.Replace("-updateRate 20000 ", "", StringComparison.Ordinal) : usual)} {options}"));

        (_, HubPeer received) = Compare(folder, hub);
        if (options.Contains("-serviceId", StringComparison.Ordinal))
            Assert.Equal(("TEST_FEED", (ushort)300, "someone"), (received.Service.Name, received.Service.Id, received.Publisher!.UserName));
        if (options.Contains("all", StringComparison.Ordinal))
            Assert.Equal(received.Updates, received.Stamped);
    }

    [Fact]
    public void Run_Encrypted_ConservesEveryCount()
    {
        using RunFolder folder = new();
        TestCertificates.WriteTo(folder);
        TlsServerSettings certificate = TlsServerSettings.Load(folder.PathOf("server.pem"), folder.PathOf("server.key"));
        using TestHub hub = new(new ListenOptions { Port = 0, Tls = certificate });
        Interrupt(Start(folder, hub, $"{Long} -connType encrypted -castore ca.pem"));

        Compare(folder, hub);
    }

    [Fact]
    public void Run_ThroughAProxy_ConservesEveryCount()
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        using TunnelProxy proxy = new();
        Interrupt(Start(folder, hub, $"{Long} -proxy -ph localhost -pp {proxy.Port}"));

        Compare(folder, hub);
        Assert.Equal(1, proxy.Tunnels);
    }

    [Fact]
    public void Run_TwoThreads_ShareItemsAndCommonItems()
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        RunningTool publisher = Start(folder, hub, "-itemCount 101 -commonItemCount 10 -threads 2 -updateRate 10000 -runTime 600");
        publisher.WaitForLine("(total: 50)");
        publisher.WaitForLine("(total: 51)");
        RunFolder.End(publisher);

        IReadOnlyList<HubPeer> peers = hub.End();
        JsonElement sent = folder.Final("niprov.json");
        Assert.Equal([50, 51], peers.Select(peer => peer.Images.Count).Order());
        Assert.Equal(91, peers.SelectMany(peer => peer.Images).Select(image => image.Name).Distinct().Count());
        Assert.All(peers, peer => Assert.Empty(peer.Faults));
        Assert.Equal(peers.Sum(peer => peer.Updates), sent.Count("updatesSent"));
        Assert.Equal([51, 50], sent.GetProperty("threads").EnumerateArray().Select(thread => thread.Number("counts", "imagesSent")));
        Assert.True(File.Exists(folder.PathOf("NIProvStats2.csv")));
    }

    [Fact]
    public void Run_Parts_ShareTheItems()
    {
        using RunFolder first = new(), second = new();
        using TestHub hub = new();
        const string Shared = "-itemCount 101 -commonItemCount 10 -updateRate 10000 -runTime 600";
        RunningTool other = Start(second, hub, Shared + " -part 2/2");
        RunningTool publisher = Start(first, hub, Shared + " -part 1/2");
        other.WaitForLine("(total: 50)");
        publisher.WaitForLine("(total: 51)");
        RunFolder.End(publisher, other);

        IReadOnlyList<HubPeer> peers = hub.End();
        Assert.Equal((51, 50), (first.Final("niprov.json").Count("imagesSent"), second.Final("niprov.json").Count("imagesSent")));
        Assert.Equal(Enumerable.Range(1, 91).Select(i => $"RDT{i}").Order(),
            peers.SelectMany(peer => peer.Images).Select(image => image.Name).Distinct().Order());
        Assert.All(peers, peer => Assert.Empty(peer.Faults));
    }

    [Theory]
    [InlineData("-updateSize 54 -latencyUpdateRate all", 54)]
    [InlineData("-updateSize 301 -nanoTime", 301)]
    public void Run_UpdateSize_HasEveryUpdateOfThatSizeAndEachCountsOn(string options, int bytes)
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        Interrupt(Start(folder, hub, $"{Long} {options}"));

        (_, HubPeer received) = Compare(folder, hub);
        Assert.True(received.Updates > 0);
        Assert.Equal([bytes], received.UpdateSizes);
        Assert.Equal(0, received.CountsOutOfOrder);
    }

    [Fact]
    public void Run_NanoTime_StampsInNanoseconds()
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        ulong before = (ulong)Clock.NowNanos;
        Interrupt(Start(folder, hub, Long + " -nanoTime"));

        (_, HubPeer received) = Compare(folder, hub);
        Assert.InRange(received.LastStamp, before, (ulong)Clock.NowNanos);
    }

    [Fact]
    public void Run_WithoutUpdates_SendsTheImages()
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        Start(folder, hub, "-itemCount 300 -updateRate 0 -latencyUpdateRate 0 -runTime 10").ExpectExit(0);

        (_, HubPeer received) = Compare(folder, hub);
        Assert.Equal(0, received.Updates);
    }

    [Fact]
    public void Login_Rejected_StaysSilentToTheEndAndIsFour()
    {
        using RunFolder folder = new();
        using TestHub hub = new(create: () => new HubPeer { Refusal = "Login denied" });
        RunningTool publisher = Start(folder, hub, Small + " -runTime 10");
        publisher.WaitForLine("staying connected without sending anything.");
        publisher.ExpectExit(4, "Login denied");

        HubPeer received = Assert.Single(hub.End());
        Assert.Empty(received.Faults);
        Assert.Equal(0, folder.Final("niprov.json").Count("imagesSent") + folder.Final("niprov.json").Count("updatesNotSent"));
    }

    [Fact]
    public void Login_WithoutAnAnswer_IsFour()
    {
        using RunFolder folder = new();
        using TestHub hub = new(create: () => new HubPeer { IsSilent = true });
        Start(folder, hub, Small + " -runTime 10").ExpectExit(4, "no answer to the login");
    }

    [Fact]
    public void Hub_NotThere_RetriesToTheEndThenIsFour()
    {
        using RunFolder folder = new();
        using Socket silent = FreePorts.Refuse(out int port);
        RunningTool publisher = folder.Start("NIProvPerf", $"-p {port} -jsonFile niprov.json -runTime 10 {Small}");

        publisher.ExpectExit(4, "Connection refused");
        Assert.Contains("will retry every second", publisher.Output, StringComparison.Ordinal);
        Assert.Equal(4, folder.Final("niprov.json").Number("exitCode"));
    }

    [Fact]
    public void Hub_Late_IsFound()
    {
        using RunFolder folder = new();
        int port = FreePort.Find();
        RunningTool publisher = folder.Start("NIProvPerf", $"-p {port} -jsonFile niprov.json {Long}");
        publisher.WaitForLine("will retry every second");
        using TestHub hub = new(new ListenOptions { Port = port });
        Interrupt(publisher);

        Compare(folder, hub);
    }

    [Fact]
    public void Hub_Gone_IsFiveAndNotComparable()
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        RunningTool publisher = Start(folder, hub, Long);
        publisher.WaitForLine(FirstImages);
        hub.End();

        publisher.ExpectExit(5, "connection lost");
        Assert.False(folder.Final("niprov.json").IsComparable());
        Assert.Contains("--- OVERALL SUMMARY ---", folder.Lines("NIProvSummary.out"));
    }

    [Theory]
    [InlineData("rate>=1,notSent<1000000,lost<1,memory<4096MB", 0)]
    [InlineData("rate>=1000000", 6)]
    public void Thresholds_AreJudged(string thresholds, int code)
    {
        using RunFolder folder = new();
        using TestHub hub = new();
        Start(folder, hub, $"{Small} -runTime 10 -assert {thresholds}").ExpectExit(code, code == 0 ? null : "rate>=1000000");
        Assert.Equal(thresholds.Split(',').Length, folder.Final("niprov.json").GetProperty("assertions").GetArrayLength());
    }

    private static RunningTool Start(RunFolder folder, TestHub hub, string options) =>
        folder.Start("NIProvPerf", $"-p {hub.Port} -jsonFile niprov.json {options}");

    private static void Interrupt(RunningTool publisher)
    {
        publisher.WaitForLine(FirstImages);
        RunFolder.End(publisher);
    }

    // One connection, on which nothing came that should not, and as many of each kind as were sent.
    private static (JsonElement Sent, HubPeer Received) Compare(RunFolder folder, TestHub hub)
    {
        HubPeer received = Assert.Single(hub.End());
        JsonElement sent = folder.Final("niprov.json");
        Assert.Empty(received.Faults);
        Assert.Equal([-1], received.Directories);
        Assert.Equal(300, received.Images.Count);
        Assert.Equal(sent.Count("imagesSent"), received.Images.Count);
        Assert.Equal(sent.Count("updatesSent"), received.Updates);
        Assert.Equal(sent.Count("updateLatenciesSent"), received.Stamped);
        Assert.True(sent.IsComparable());
        return (sent, received);
    }
}
