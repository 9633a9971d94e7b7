using System.Globalization;
using System.Net;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>ConsPerf and TransportPerf against a peer whose clock is another one.</summary>
public sealed class ClockRunTests : IDisposable
{
    private const string Key = "0123456789abcdef0123456789abcdef";
    private const string Load = "-itemCount 100";
    private const double MaxQuietPpm = 40;
    private const double LongestMicros = 30_000_000;

    private readonly RunFolder _folder = new();

    [Theory]
    [InlineData(5_000, 400)]
    [InlineData(-5_000, -400)]
    [InlineData(5_000, 0)]
    [InlineData(5_000, 0, "kernel")]
    public void Run_ProviderOfAnotherClock_IsCorrectedWithABound(long aheadSeconds, double ppm, string stamps = "user")
    {
        (long ahead, string limits) = AnotherClock(aheadSeconds, ppm);
        using ClockAnswerer answerer = Listen(() => Clock.NowNanos is var own ? own + ahead + (long)(own * ppm * 1e-6) : 0);
        RunningTool provider = _folder.StartProcess("ProvPerf", "-p 0 -jsonFile prov.json -updateRate 2000 -latencyUpdateRate 500", limits: limits);
        RunningTool consumer = _folder.RunSteadily(provider, $"{Load} {ClockOf(answerer)} -clockStamps {stamps}");
        RunFolder.End(provider);

        JsonElement overall = _folder.Final("cons.json").GetProperty("overall");
        JsonElement latency = overall.GetProperty("whole").GetProperty("latency"), clock = overall.GetProperty("clock");
        double bound = clock.GetProperty("boundMicros").GetDouble();
        Assert.InRange(latency.GetProperty("minMicros").GetDouble(), 0, LongestMicros);
        Assert.InRange(latency.GetProperty("maxMicros").GetDouble(), 0, LongestMicros);
        Assert.InRange(bound, 0.1, LongestMicros);
        Assert.Matches("^(bounded|coarse)$", clock.GetProperty("state").GetString());

        Assert.Equal((stamps == "user" || LinuxClock.IsUsed ? stamps : "no-kernel", "user"),
            (clock.GetProperty("stamps").GetString(), clock.GetProperty("peerStamps").GetString()));

        // Where the true difference is one number, all that was used lies within the bound of it.
        (long least, long most) = (clock.GetProperty("usedMinNanos").GetInt64(), clock.GetProperty("usedMaxNanos").GetInt64());
        Assert.InRange(most, least, long.MaxValue);
        if (ppm == 0)
            Assert.InRange(Math.Max(Math.Abs(least - ahead), Math.Abs(most - ahead)), 0, (long)(bound * 1_000) + 1);

        // A line that is off by the bound at each end of its second is off by so much in its slope: on a loaded machine, answers are late.
        double slope = MaxQuietPpm + (2 * bound);
        Assert.InRange(clock.GetProperty("driftPpm").GetDouble(), ppm - slope, ppm + slope);
        Assert.Equal((0, 0), (overall.GetProperty("counts").Number("beyondBound"), latency.Number("negative")));
        Assert.Contains(" us (clock)", consumer.WaitForLine("Latency(usec)"), StringComparison.Ordinal);
        string[] shown = [.. _folder.Lines("ConsSummary.out").Where(line => line.StartsWith("  Latency bound: ", StringComparison.Ordinal))];
        Assert.NotEmpty(shown);
        Assert.All(shown, line => Assert.EndsWith(" us (clock: final)", line, StringComparison.Ordinal));
        Assert.Equal("final", clock.GetProperty("line").GetString());
        string[] rows = _folder.Lines("ConsStats1.csv");
        Assert.EndsWith(", clockBoundMicros", rows[0], StringComparison.Ordinal);
        Assert.All(rows.Skip(1), row => Assert.Equal(rows[0].Split(", ").Length, row.Split(", ").Length));
    }

    /// <summary>Either side of TransportPerf corrects the stamps that it receives: those of a server, or of a client whose messages it only counts.</summary>
    [Theory]
    [InlineData(5_000, 400, false)]
    [InlineData(-5_000, 0, false)]
    [InlineData(5_000, 0, true)]
    public void Run_TransportOfAnotherClock_IsCorrectedWithABound(long aheadSeconds, double ppm, bool isAtServer)
    {
        const string Rates = "-msgRate 2000 -latencyMsgRate 500", Silent = "-msgRate 0 -latencyMsgRate 0";
        (long ahead, string limits) = AnotherClock(aheadSeconds, ppm);
        using ClockAnswerer answerer = Listen(() => Clock.NowNanos is var own ? own + ahead + (long)(own * ppm * 1e-6) : 0);
        string measures = $"{Silent} {ClockOf(answerer)} -writeStatsInterval 1 -latencyFile late";
        const string Server = "-p 0 -runTime 600 -jsonFile server.json -summaryFile server.out -statsFile server";
        RunningTool server = isAtServer ? _folder.Start("TransportPerf", $"{Server} {measures}")
            : _folder.StartProcess("TransportPerf", $"{Server} {Rates}", limits: limits);
        string clientLine = $"-appType client -p {server.Port} -runTime 600 -jsonFile client.json -summaryFile client.out -statsFile client";
        RunningTool client = isAtServer ? _folder.StartProcess("TransportPerf", $"{clientLine} {Rates}", limits: limits)
            : _folder.Start("TransportPerf", $"{clientLine} {measures}");
        (RunningTool measuring, string name) = isAtServer ? (server, "server") : (client, "client");
        measuring.WaitForTraffic();
        measuring.WaitForLine(" us (clock)", 3);
        RunFolder.End(client);
        server.ExpectExit(0);

        JsonElement overall = _folder.Final($"{name}.json").GetProperty("overall");
        JsonElement latency = overall.GetProperty("latency"), clock = overall.GetProperty("clock");
        double bound = clock.GetProperty("boundMicros").GetDouble();
        Assert.InRange(latency.GetProperty("minMicros").GetDouble(), 0, LongestMicros);
        Assert.InRange(latency.GetProperty("maxMicros").GetDouble(), 0, LongestMicros);
        Assert.Matches("^(bounded|coarse)$", clock.GetProperty("state").GetString());
        if (ppm == 0)
        {
            (long least, long most) = (clock.GetProperty("usedMinNanos").GetInt64(), clock.GetProperty("usedMaxNanos").GetInt64());
            Assert.InRange(Math.Max(Math.Abs(least - ahead), Math.Abs(most - ahead)), 0, (long)(bound * 1_000) + 1);
        }

        Assert.Equal((0, 0), (overall.GetProperty("counts").Number("beyondBound"), latency.Number("negative")));
        Assert.Equal(latency.Number("count") + overall.GetProperty("counts").Number("uncorrected"),
            overall.GetProperty("counts").Number("latencyMessagesReceived"));
        Assert.Contains(_folder.Lines($"{name}.out"), line => line.TrimStart().StartsWith("Latency bound: ", StringComparison.Ordinal));
        string[] rows = _folder.Lines($"{name}1.csv"), samples = _folder.Lines("late1.csv");
        Assert.EndsWith(", clockBoundMicros", rows[0], StringComparison.Ordinal);
        Assert.All(rows.Skip(1), row => Assert.Equal(rows[0].Split(", ").Length, row.Split(", ").Length));
        Assert.All(samples.Skip(1), line => Assert.InRange(long.Parse(line.Split(", ")[2], CultureInfo.InvariantCulture), 0, (long)LongestMicros * 1_000));
    }

    [Fact]
    public void Run_TransportClockThatIsWrong_ShowsNoLatencyAndFails()
    {
        using ClockAnswerer answerer = Listen(() => Clock.NowNanos - (5_000 * Clock.NanosPerSecond));
        RunningTool server = _folder.Start("TransportPerf", "-p 0 -runTime 600 -msgRate 2000 -latencyMsgRate 500 -summaryFile s -statsFile s");
        RunningTool client = _folder.Start("TransportPerf", $"-appType client -p {server.Port} -runTime 5 -msgRate 0 -latencyMsgRate 0 "
            + $"-jsonFile client.json -summaryFile c -statsFile c {ClockOf(answerer)}");
        client.ExpectExit(5, "clock-wrong");
        server.ExpectExit(0);
        JsonElement overall = _folder.Final("client.json").GetProperty("overall");
        Assert.Equal("clock-wrong", overall.GetProperty("clock").GetProperty("state").GetString());
        Assert.True(overall.GetProperty("counts").Number("beyondBound") > 0);
        Assert.Equal(0, overall.GetProperty("latency").Number("count"));
    }

    // The clock is said to be ahead and is not: latencies below 0 disprove the bound.
    [Fact]
    public void Run_ClockThatIsWrong_ShowsNoLatencyAndFails()
    {
        using ClockAnswerer answerer = Listen(() => Clock.NowNanos - (5_000 * Clock.NanosPerSecond));
        RunningTool provider = _folder.StartProvider("-updateRate 2000 -latencyUpdateRate 500");
        RunningTool consumer = _folder.RunConsumer(provider, $"{Load} -writeStatsInterval 1 -steadyStateTime 12 {ClockOf(answerer)}");
        consumer.ExpectExit(5, "clock-wrong");
        JsonElement overall = _folder.Final("cons.json").GetProperty("overall");
        Assert.Equal("clock-wrong", overall.GetProperty("clock").GetProperty("state").GetString());
        Assert.True(overall.GetProperty("counts").Number("beyondBound") > 0);
        Assert.Equal(0, overall.GetProperty("whole").GetProperty("latency").Number("count"));
    }

    [Fact]
    public void Run_ProviderOfTheSameClock_IsNotCorrected()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "other systems have no name for a clock");
        using ClockAnswerer answerer = Listen(() => Clock.NowNanos);
        RunningTool provider = _folder.StartProvider("-updateRate 2000 -latencyUpdateRate 500");
        RunningTool consumer = _folder.RunSteadily(provider, $"{Load} {ClockOf(answerer)}");
        JsonElement clock = _folder.Final("cons.json").GetProperty("overall").GetProperty("clock");
        Assert.Equal(("same", 0), (clock.GetProperty("state").GetString(), clock.GetProperty("boundMicros").GetDouble()));
        Assert.Equal((0, 0), (clock.GetProperty("usedMinNanos").GetInt64(), clock.GetProperty("usedMaxNanos").GetInt64()));
        Assert.Equal(0, clock.Number("exchanges"));
        Assert.Contains("(same clock)", consumer.WaitForLine("Latency(usec)"), StringComparison.Ordinal);
    }

    /// <summary>Every output names what passes the probes on.</summary>
    [Theory]
    [InlineData("ConsPerf", "cons.json", "ConsSummary.out")]
    [InlineData("TransportPerf", "client.json", "client.out")]
    public void Run_ClockThroughARelay_IsCorrectedAndSaysSo(string tool, string json, string summary)
    {
        (long ahead, string limits) = AnotherClock(5_000, 0);
        using ClockAnswerer answerer = Listen(() => Clock.NowNanos + ahead);
        using ClockRelay relay = ClockRelay.Listen(
            new IPEndPoint(IPAddress.Loopback, 0), System.Text.Encoding.ASCII.GetBytes(Key), () => answerer.Local, () => Clock.NowNanos);
        string clockOption = $"{ClockOf(relay.Local)} -clockVia rank_0";
        bool isOfItems = tool == "ConsPerf";
        RunningTool sender = _folder.StartProcess(isOfItems ? "ProvPerf" : tool, isOfItems ? "-p 0 -jsonFile s.json -updateRate 2000 -latencyUpdateRate 500"
            : "-p 0 -runTime 600 -jsonFile s.json -summaryFile s.out -statsFile s -msgRate 2000 -latencyMsgRate 500", limits: limits);
        RunningTool receiver = isOfItems ? _folder.RunSteadily(sender, $"{Load} {clockOption}")
            : _folder.Start(tool, $"-appType client -p {sender.Port} -runTime 600 -msgRate 0 -latencyMsgRate 0 -writeStatsInterval 1 "
                + $"-jsonFile {json} -summaryFile {summary} -statsFile client {clockOption}");
        Assert.Contains("+- ", receiver.WaitForLine(" us (clock via rank_0)"), StringComparison.Ordinal);
        if (!isOfItems)
            RunFolder.End(receiver);

        JsonElement clock = _folder.Final(json).GetProperty("overall").GetProperty("clock");
        double bound = clock.GetProperty("boundMicros").GetDouble();
        (long least, long most) = (clock.GetProperty("usedMinNanos").GetInt64(), clock.GetProperty("usedMaxNanos").GetInt64());
        Assert.InRange(Math.Max(Math.Abs(least - ahead), Math.Abs(most - ahead)), 0, (long)(bound * 1_000) + 1);
        Assert.Matches("^(bounded|coarse)$", clock.GetProperty("state").GetString());
        Assert.Equal("udp via rank_0", clock.GetProperty("transport").GetString());
        Assert.Contains(_folder.Lines(summary), line => line.Contains(" us (clock via rank_0: final)", StringComparison.Ordinal));
        Assert.Contains(_folder.Lines(summary), line => line.Contains($"{relay.Local} by udp via rank_0", StringComparison.Ordinal));
        Assert.InRange(relay.Passed, 2_000, long.MaxValue);
    }

    [Fact]
    public void Run_NobodyAnswersForTheClock_EndsWithFour()
    {
        using System.Net.Sockets.Socket taken = FreePorts.Refuse(out int port);
        File.WriteAllText(_folder.PathOf("key"), Key);
        RunningTool consumer = _folder.Start("ConsPerf", $"-clock 127.0.0.1:{port} -clockKey key");
        consumer.ExpectExit(4, "does not answer");
    }

    [Theory]
    [InlineData("-clock host:1", 2, "-clock needs -clockKey")]
    [InlineData("-clock host:1", 2, "-clock needs -clockKey", "TransportPerf")]
    [InlineData("-clock 127.0.0.1:9 -clockKey missing", 3, "no such file", "TransportPerf")]
    [InlineData("-clockKey key", 2, "-clockKey needs -clock")]
    [InlineData("-clockStamps kernel", 2, "-clockStamps kernel needs -clock")]
    [InlineData("-clockRate 51", 2, "-clockRate needs -clock")]
    [InlineData("-clock 127.0.0.1:9 -clockKey key -clockRate 1001", 2, "-clockRate")]
    [InlineData("-clockVia rank_0", 2, "-clockVia needs -clock")]
    [InlineData("-clock 127.0.0.1:9 -clockKey key -clockVia \u00fc", 2, "-clockVia")]
    [InlineData("-clock nowhere -clockKey key", 2, "host:port")]
    [InlineData("-clock 127.0.0.1:9 -clockKey missing", 3, "no such file")]
    [InlineData("-clock 127.0.0.1:9 -clockKey short", 3, "32 or more")]
    public void Run_BadOptions_AreRefused(string options, int code, string reason, string tool = "ConsPerf")
    {
        File.WriteAllText(_folder.PathOf("short"), "short");
        _folder.Start(tool, options).ExpectExit(code, reason);
    }

    public void Dispose() => _folder.Dispose();

    // By how much a program reads a clock that is ahead, and the environment that makes it do so.
    private static (long Ahead, string Limits) AnotherClock(long aheadSeconds, double ppm)
    {
        Assert.SkipUnless(ToolProcess.OtherFolder is null, "native programs have no startup hooks");
        long ahead = Math.Max(aheadSeconds * Clock.NanosPerSecond, -Clock.NowNanos / 2); // no machine has been up for less than no time
        string hook = Path.Combine(AppContext.BaseDirectory, "StandIn.dll");
        return (ahead, string.Create(CultureInfo.InvariantCulture, $"export DOTNET_STARTUP_HOOKS='{hook}' OTHER_CLOCK={ahead},{ppm}"));
    }

    private static ClockAnswerer Listen(Func<long> now) =>
        ClockAnswerer.Listen(new IPEndPoint(IPAddress.Loopback, 0), System.Text.Encoding.ASCII.GetBytes(Key), now);

    private string ClockOf(ClockAnswerer answerer) => ClockOf(answerer.Local);

    private string ClockOf(IPEndPoint place)
    {
        File.WriteAllText(_folder.PathOf("key"), Key + "\n");
        return $"-clock {place} -clockKey key";
    }
}
