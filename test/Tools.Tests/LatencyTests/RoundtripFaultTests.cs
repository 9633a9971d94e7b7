using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>
/// Sides as separate processes, killed or stopped while the others measure; every phase and link has test/roundtrip-faults.sh.
/// </summary>
public sealed class RoundtripFaultTests : IDisposable
{
    private const int Kill = 9;
    private const string Endless = "-numIter 1000000000 -maxSize 16";

    private readonly RunFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("-transport 1")]
    [InlineData("-transport 2")]
    public void Publisher_Killed_SubscriberSaysSo(string transport)
    {
        ToolProcess[] sides = StartAll($"-domainId {RoundtripRuns.NextDomain} {transport}", Endless, "");
        sides[0].Signal(Kill);
        Assert.Equal((5, "LatencyPerf: the publisher is gone"),
            (sides[1].WaitForExit(), sides[1].Error.Split(':')[0] + ":" + sides[1].Error.Split(':', '\n')[1]));
        Assert.Single(sides[1].Error.TrimEnd('\n').Split('\n'));
    }

    [Theory]
    [InlineData(Kill, 0, "the publisher is gone")]
    [InlineData(RunningTool.Terminate, 1, "ended by SIGTERM")]
    public void Subscriber_OfATestThatBreaksOff_SaysWhatItHadCounted(int signal, int side, string reason)
    {
        ToolProcess[] sides = StartAll($"-domainId {RoundtripRuns.NextDomain} -transport 2", Endless, "-jsonFile subscriber.jsonl");
        Thread.Sleep(300); // some rounds
        sides[side].Signal(signal);
        sides[1].WaitForExit();
        Match said = Regex.Match(sides[1].Output, @"^messages received (\d+)\nreplies sent (\d+)\nTest failed: .*$", RegexOptions.Multiline);
        Assert.True(said.Success, sides[1].Output);
        Assert.Contains(reason, said.Value, StringComparison.Ordinal);
        using JsonDocument final = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("subscriber.jsonl")));
        JsonElement counts = final.RootElement.GetProperty("overall").GetProperty("counts");
        Assert.Equal(said.Groups[1].Value, counts.GetProperty("messagesReceived").GetRawText());
        Assert.Equal(said.Groups[2].Value, counts.GetProperty("repliesSent").GetRawText());
        Assert.InRange(counts.GetProperty("repliesSent").GetInt64(), 1, counts.GetProperty("messagesReceived").GetInt64());
    }

    [Fact]
    public void Echoer_KilledOnAGroup_EndsAllOthers()
    {
        string all = $"-domainId {RoundtripRuns.NextDomain} -nic 127.0.0.1";
        ToolProcess[] sides = StartAll(all, Endless + " -subscribers 2", "-noecho -mcast_rcv_addr 225.3.2.1",
            "-cookie 2 -mcast_rcv_addr 225.3.2.1");
        sides[2].Signal(Kill);
        Assert.Equal((5, 5), (sides[0].WaitForExit(), sides[1].WaitForExit()));
        Assert.Contains("a subscriber is gone", sides[0].Error, StringComparison.Ordinal);
        Assert.Contains("publisher interrupted", sides[1].Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Subscriber_StoppedForAWhile_IsLateAndNothingIsLost()
    {
        ToolProcess[] sides = StartAll($"-domainId {RoundtripRuns.NextDomain} -reliable", "-numIter 2000 -maxSize 16 -interval 3000",
            "");
        Thread.Sleep(500); // past the lead round, whose time is no sample
        sides[1].Signal(ToolProcess.Pause);
        Thread.Sleep(2_000);
        Assert.SkipWhen(sides[0].HasExited, "the machine was too busy to stop it before its end");
        sides[1].Signal(ToolProcess.Continue);
        Assert.Equal((0, 0), (sides[0].WaitForExit(), sides[1].WaitForExit()));
        Assert.Contains("Test successful: 2002 messages received, 2002 replies sent.", sides[1].Output, StringComparison.Ordinal);
        string row = sides[0].Output.Split('\n').Single(line => line.StartsWith("    16,", StringComparison.Ordinal));
        double maxMicros = double.Parse(row.Split(',')[^1], CultureInfo.InvariantCulture);
        Assert.True(maxMicros > 900_000, row); // the recovery is part of its sample
    }

    // Up to the first round.
    private ToolProcess[] StartAll(string all, string publisher, params string[] subscribers)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "signals");
        ToolProcess[] sides =
        [
            _folder.StartProcess("LatencyPerf", $"-publish {all} {publisher}"),
            .. subscribers.Select(subscriber => _folder.StartProcess("LatencyPerf", $"-subscribe {all} {subscriber}")),
        ];
        sides[0].WaitForLine("Collecting");
        return sides;
    }
}
