using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>
/// Sides as processes of their own, killed or stopped while the others measure; every phase and link has test/roundtrip-faults.sh.
/// </summary>
public sealed class RoundtripFaultTests : IDisposable
{
    private const int Kill = 9, Continue = 18;
    private const string Endless = "-numIter 1000000000 -maxSize 16";
    private static readonly TimeSpan MaxEnd = TimeSpan.FromSeconds(20); // five, on a machine that has nothing else to do

    private readonly RunDirectory _folder = new();
    private readonly List<ToolProcess> _sides = [];

    public void Dispose()
    {
        foreach (ToolProcess side in _sides)
            side.Dispose();
        _folder.Dispose();
    }

    [Theory]
    [InlineData("-transport 1")]
    [InlineData("-transport 2")]
    public async Task Publisher_Killed_SubscriberSaysSo(string transport)
    {
        ToolProcess[] sides = await StartAll($"-domainId {RoundtripRuns.NextDomain} {transport}", Endless, "");
        sides[0].Signal(Kill);
        Assert.Equal((5, "LatencyPerf: the publisher is gone"),
            (await End(sides[1]), sides[1].Error.Split(':')[0] + ":" + sides[1].Error.Split(':', '\n')[1]));
        Assert.Single(sides[1].Error.TrimEnd('\n').Split('\n'));
    }

    [Theory]
    [InlineData(Kill, 0, "the publisher is gone")]
    [InlineData(ToolProcess.Terminate, 1, "ended by SIGTERM")]
    public async Task Subscriber_OfATestThatBreaksOff_SaysWhatItHadCounted(int signal, int side, string reason)
    {
        ToolProcess[] sides = await StartAll($"-domainId {RoundtripRuns.NextDomain} -transport 2", Endless, "-jsonFile subscriber.jsonl");
        await Task.Delay(TimeSpan.FromMilliseconds(300), TestContext.Current.CancellationToken);
        sides[side].Signal(signal);
        await End(sides[1]);
        Match said = Regex.Match(sides[1].Output, @"^messages received (\d+)\nreplies sent (\d+)\nTest failed: .*$", RegexOptions.Multiline);
        Assert.True(said.Success, sides[1].Output);
        Assert.Contains(reason, said.Value, StringComparison.Ordinal);
        using JsonDocument final = JsonDocument.Parse(File.ReadAllText(Path.Combine(_folder.Path, "subscriber.jsonl")));
        JsonElement counts = final.RootElement.GetProperty("overall").GetProperty("counts");
        Assert.Equal(said.Groups[1].Value, counts.GetProperty("messagesReceived").GetRawText());
        Assert.Equal(said.Groups[2].Value, counts.GetProperty("repliesSent").GetRawText());
        Assert.InRange(counts.GetProperty("repliesSent").GetInt64(), 1, counts.GetProperty("messagesReceived").GetInt64());
    }

    [Fact]
    public async Task Echoer_KilledOnAGroup_EndsAllOthers()
    {
        string all = $"-domainId {RoundtripRuns.NextDomain} -nic 127.0.0.1";
        ToolProcess[] sides = await StartAll(all, Endless + " -subscribers 2", "-noecho -mcast_rcv_addr 225.3.2.1",
            "-cookie 2 -mcast_rcv_addr 225.3.2.1");
        sides[2].Signal(Kill);
        Assert.Equal((5, 5), (await End(sides[0]), await End(sides[1])));
        Assert.Contains("a subscriber is gone", sides[0].Error, StringComparison.Ordinal);
        Assert.Contains("publisher interrupted", sides[1].Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Subscriber_StoppedForAWhile_IsLateAndNothingIsLost()
    {
        ToolProcess[] sides = await StartAll($"-domainId {RoundtripRuns.NextDomain} -reliable", "-numIter 800 -maxSize 16 -interval 3000",
            "");
        sides[1].Signal(ToolProcess.Stop);
        await Task.Delay(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
        sides[1].Signal(Continue);
        Assert.Equal((0, 0), (await End(sides[0]), await End(sides[1])));
        Assert.Contains("Test successful: 802 messages received, 802 replies sent.", sides[1].Output, StringComparison.Ordinal);
        string row = sides[0].Output.Split('\n').Single(line => line.StartsWith("    16,", StringComparison.Ordinal));
        double maxMicros = double.Parse(row.Split(',')[^1], CultureInfo.InvariantCulture);
        Assert.SkipWhen(maxMicros < 100_000, "the machine was too busy to stop it before its end");
        Assert.True(maxMicros > 900_000, row); // the recovery is part of its sample
    }

    // Up to the first round.
    private async Task<ToolProcess[]> StartAll(string all, string publisher, params string[] subscribers)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "signals");
        _sides.Add(ToolProcess.Start("LatencyPerf", _folder.Path, $"-publish {all} {publisher}"));
        foreach (string subscriber in subscribers)
            _sides.Add(ToolProcess.Start("LatencyPerf", _folder.Path, $"-subscribe {all} {subscriber}"));
        long start = Stopwatch.GetTimestamp();
        while (!_sides[0].Output.Contains("Collecting", StringComparison.Ordinal))
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < MaxEnd, _sides[0].Output + _sides[0].Error);
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        return [.. _sides];
    }

    private static Task<int> End(ToolProcess side) =>
        side.ExitCode(TestContext.Current.CancellationToken).WaitAsync(MaxEnd, TestContext.Current.CancellationToken);
}
