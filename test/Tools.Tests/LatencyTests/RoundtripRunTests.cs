using System.Text.Json;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The scenarios of the guide with its options, and what lies around them; in this process, on the loopback.</summary>
public class RoundtripRunTests
{
    private const string Groups = "-mcast_rcv_addr 225.1.2.3 -multicast_ttl 1";

    [Theory]
    [InlineData("-transport 2 -peer shmem://", false, 1)]
    [InlineData("-transport 2 -peer shmem://", false, 4)]
    [InlineData("-transport 2 -peer shmem://", true, 1)]
    [InlineData("-transport 2 -peer shmem://", true, 4)]
    [InlineData("-transport 1", false, 1)]
    [InlineData("-transport 1", false, 4)]
    [InlineData("-transport 1 " + Groups, false, 4)]
    [InlineData("-transport 1 " + Groups, true, 4)]
    [InlineData("-transport 1 -dropRate 0.05", true, 4)]
    [InlineData("-transport 2 -dropRate 0.05", true, 4)]
    [InlineData("-transport 16", false, 2)]
    [InlineData("-transport 32", false, 2)]
    public void Run_ScenarioOfTheGuide_IsSuccessfulWithItsCounts(string more, bool reliable, int subscribers)
    {
        string all = $"-domainId {RoundtripRuns.NextDomain} {more} {(reliable ? "-reliable" : "")}";
        bool isUdp = more.StartsWith("-transport 1", StringComparison.Ordinal)
            && !more.StartsWith("-transport 16", StringComparison.Ordinal);
        string peers = isUdp ? string.Concat(Enumerable.Range(2, subscribers).Select(i => $" -peer 127.0.0.{i}")) : "";
        string[] others =
        [
            .. Enumerable.Range(1, subscribers).Select(i =>
                $"{all.Replace("225.1.2.3", "225.3.2.1", StringComparison.Ordinal)} -cookie {i} {(i < subscribers ? "-noecho" : "")}"
                + (isUdp ? $" -nic 127.0.0.{i + 1} -peer 127.0.0.1" : "")),
        ];

        RoundtripRuns runs =
            RoundtripRuns.Run($"{all}{(isUdp ? " -nic 127.0.0.1" : "")}{peers} -subscribers {subscribers} -numIter 60 -maxSize 128 -verify",
                others);

        Assert.All(runs.Sides, side => Assert.Equal((0, ""), (side.ExitCode, side.Error)));
        Assert.Equal("Test successful!", runs.Publisher.LastLine);
        Assert.Equal("Test successful: 245 messages received, 245 replies sent.", runs.Sides[^1].LastLine);
        Assert.All(runs.Sides.Skip(1).SkipLast(1), side => Assert.Equal(245, side.Messages + (reliable ? 0 : side.Lost)));
        Assert.Equal(4,
            runs.Publisher.Output.Split('\n').Count(line =>
                line.Length > 60 && line.Split(',').Length == 9 && line[5] is >= '0' and <= '9'));
    }

    [Fact]
    public void Run_BestEffortWithLosses_HasAllSamplesAndCountsTheRest()
    {
        using RunDirectory folder = new();
        int domain = RoundtripRuns.NextDomain;
        RoundtripRuns runs = RoundtripRuns.Run(
            $"-domainId {domain} -numIter 50 -maxSize 32 -replyTimeout 10 -dropRate 0.05,3 -jsonFile {folder.File("p")}",
            $"-domainId {domain} -dropRate 0.05,5 -jsonFile {folder.File("s")}");

        Assert.Equal(0, runs.Publisher.ExitCode);
        JsonElement publisher = folder.ReadFinal("p"), subscriber = folder.ReadFinal("s");
        Assert.All(publisher.GetProperty("sizes").EnumerateArray(), size => Assert.Equal(
            size.GetProperty("rounds").GetInt64(), size.GetProperty("samples").GetInt64() + 1 + size.GetProperty("lost").GetInt64()));
        JsonElement counts = subscriber.GetProperty("overall").GetProperty("counts");
        Assert.Equal(
            publisher.GetProperty("overall").GetProperty("counts").GetProperty("messagesSent").GetInt64(),
            counts.GetProperty("messagesReceived").GetInt64() + counts.GetProperty("lost").GetInt64());
        Assert.True(counts.GetProperty("droppedByOption").GetInt64() > 0);
        Assert.True(subscriber.GetProperty("resources").GetProperty("steady").GetProperty("coreCpuPercent").GetDouble() >= 0);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 2)]
    public void Run_TwoDomainsAtOnce_NeitherSeesTheOther(params int[] transports)
    {
        RoundtripRuns[] both = new RoundtripRuns[2];
        Parallel.For(0, 2, i =>
        {
            int domain = RoundtripRuns.NextDomain;
            both[i] = RoundtripRuns.Run($"-domainId {domain} -transport {transports[i]} -numIter 100 -maxSize 16",
                $"-domainId {domain} -transport {transports[i]}");
        });
        Assert.All(both, runs =>
        {
            Assert.Equal("Test successful: 102 messages received, 102 replies sent.", runs.Sides[1].LastLine);
            Assert.DoesNotContain("foreign", runs.Publisher.Output, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Run_SecondPublisherOfADomain_IsRefusedByPortAndByLock()
    {
        foreach (string transport in new[] { "1", "2", "32" })
        {
            int domain = RoundtripRuns.NextDomain;
            string arguments = $"-domainId {domain} -transport {transport} -numIter 1 -maxSize 16";
            RoundtripRuns.Side first = new("-publish " + arguments), second = new("-publish " + arguments),
            subscriber = new($"-subscribe -domainId {domain} -transport {transport}");
            TestThread holder = new(first.Run);
            holder.Start();
            Assert.True(SpinWait.SpinUntil(() => first.Output.Contains("Waiting", StringComparison.Ordinal), TimeSpan.FromSeconds(20)));
            second.Run();
            Assert.Equal(4, second.ExitCode);
            Assert.Contains($"domain {domain} is in use", second.Error, StringComparison.Ordinal);
            subscriber.Run();
            holder.Join();
            Assert.Equal((0, 0), (first.ExitCode, subscriber.ExitCode));
        }
    }

    [Fact]
    public void Run_RefusedSubscriber_EndsWithItsReasonAndTheTestGoesOn()
    {
        int domain = RoundtripRuns.NextDomain;
        string all = $"-domainId {domain} ";
        RoundtripRuns.Side reliable = new($"-subscribe {all} -cookie 1 -reliable");
        RoundtripRuns.Side publisher = new($"-publish {all} -numIter 10 -maxSize 16"), good = new($"-subscribe {all}");
        TestThread thread = new(publisher.Run);
        thread.Start();
        reliable.Run();
        Thread.Sleep(300); // it may have announced itself twice before it was heard: the second refusal must not reach the next side
        good.Run();
        thread.Join();

        Assert.Equal((4, "LatencyPerf: refused: the publisher was started without -reliable\n"), (reliable.ExitCode, reliable.Error));
        Assert.Equal((0, "", 0, ""), (publisher.ExitCode, publisher.Error, good.ExitCode, good.Error));
        Assert.Contains("Refused cookie 1 at 127.0.0.1:", publisher.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_NobodyComes_EndsWhenAsked()
    {
        using StringWriter output = new(), error = new();
        Assert.Equal(4, LatencyPerf.Program.Run(["-publish", "-domainId", $"{RoundtripRuns.NextDomain}", "-waitTime", "1"], output, error));
        Assert.Equal("LatencyPerf: no subscriber came\n", error.ToString());
    }

    [Fact]
    public void Run_FilesAndThresholds_AreOfEverySize()
    {
        using RunDirectory folder = new();
        int domain = RoundtripRuns.NextDomain;
        RoundtripRuns runs = RoundtripRuns.Run(
            $"-domainId {domain} -numIter 100 -maxSize 32 -replyTimeout 60000 -oneWay -jsonFile {folder.File("p")} -hlogFile {folder.File("h")} "
                + $"-summaryFile {folder.File("t")} "
            + "-assert p90@16<10s,lost<1,p99@32<10s", $"-domainId {domain}");

        Assert.Equal((6, "LatencyPerf: p99@32<10s: p99: 100 samples, 1,000 needed\n"), (runs.Publisher.ExitCode, runs.Publisher.Error));
        Assert.Equal(runs.Publisher.Output, folder.Read("t"));
        Assert.Contains("p90@16<10s: ", runs.Publisher.Output, StringComparison.Ordinal);
        Assert.StartsWith("#[Histogram log format version 1.3]", folder.Read("h-rtt-16.hlog"), StringComparison.Ordinal);
        Assert.True(File.Exists(folder.File("h-rtt-32.hlog")));
        JsonElement final = folder.ReadFinal("p");
        Assert.Equal(3, File.ReadLines(folder.File("p")).Count());
        JsonElement size = final.GetProperty("sizes")[1];
        Assert.Equal((32, 100), (size.GetProperty("bytes").GetInt32(), size.GetProperty("samples").GetInt32()));
        Assert.Equal(JsonValueKind.Null, size.GetProperty("p99Micros").ValueKind);
        Assert.Equal(size.GetProperty("averageMicros").GetDouble() / 2, size.GetProperty("oneWayMicros").GetProperty("average").GetDouble(),
            5);
        Assert.True(final.GetProperty("closedLoop").GetBoolean());
    }

    [Fact]
    public void Run_WithRotate_TurnsTheJsonLinesAtAWholeLine()
    {
        using RunDirectory folder = new();
        int domain = RoundtripRuns.NextDomain;
        RoundtripRuns runs = RoundtripRuns.Run($"-domainId {domain} -numIter 20 -maxSize 256 -jsonFile {folder.File("p")} -rotate 1KB,8",
            $"-domainId {domain}");

        Assert.Equal(0, runs.Publisher.ExitCode);
        string[] files = [.. ((string[])["p.4", "p.3", "p.2", "p.1", "p"]).Select(folder.File).Where(File.Exists)];
        Assert.InRange(files.Length, 3, 5);
        Assert.Equal([16, 32, 64, 128, 256, 0], files.SelectMany(File.ReadLines).Select(SizeOf));
    }

    [Fact]
    public void Run_BaselineOfOtherConditions_IsRefusedByTheFirstDifference()
    {
        using RunDirectory folder = new();
        int domain = RoundtripRuns.NextDomain;
        RoundtripRuns.Run($"-domainId {domain} -numIter 20 -maxSize 16 -jsonFile {folder.File("b")}", $"-domainId {domain}");
        using StringWriter output = new(), error = new();
        Assert.Equal(3, LatencyPerf.Program.Run(["-publish", "-transport", "2", "-baseline", folder.File("b")], output, error));
        Assert.Equal($"LatencyPerf: {folder.File("b")}: of another test: transport is UDPv4 there and shared memory here\n",
            error.ToString());

        RoundtripRuns runs = RoundtripRuns.Run(
            $"-domainId {domain} -numIter 20 -maxSize 32 -subscribers 2 -baseline {folder.File("b")}", $"-domainId {domain} -noecho",
            $"-domainId {domain} -cookie 2");
        Assert.Contains("bytes, ave us, 50% us (estimate)", runs.Publisher.Output, StringComparison.Ordinal);
        Assert.Contains("    32,      -,      -\n", runs.Publisher.Output, StringComparison.Ordinal);
    }

    // The size of a line; 0 for the final one.
    private static int SizeOf(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.TryGetProperty("bytes", out JsonElement bytes) ? bytes.GetInt32() : 0;
    }
}
