using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The measurements of a test, recomputed from its files; in this process, on the loopback.</summary>
public sealed class RoundtripMeasureTests : IDisposable
{
    private const string Sizes = "-numIter 300 -maxSize 32";
    private const double NanosPerMicro = 1_000;

    private readonly RunDirectory _folder = new();
    private readonly int _domain = RoundtripRuns.NextDomain;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void OneWay_ByBaseline_IsWhatTheHistogramsSay()
    {
        RoundtripRuns.Run($"-domainId {_domain} {Sizes} {Files("one")}", $"-domainId {_domain}");
        RoundtripRuns.Run(
            $"-domainId {_domain} {Sizes} -subscribers 4 -baseline {_folder.File("one.jsonl")} {Files("four")}",
            [.. Enumerable.Range(1, 4).Select(cookie => $"-domainId {_domain} -cookie {cookie} {(cookie < 4 ? "-noecho" : "")}")]);
        foreach (JsonElement size in _folder.ReadFinal("four.jsonl").GetProperty("sizes").EnumerateArray())
        {
            LongHistogram one = ReadHistogram("one", size), four = ReadHistogram("four", size);
            JsonElement way = size.GetProperty("oneWayMicros");
            double average = (four.GetMean() - (one.GetMean() / 2)) / NanosPerMicro;
            double p50 = (four.GetValueAtPercentile(50) - (one.GetValueAtPercentile(50) / 2.0)) / NanosPerMicro;
            AssertWay(average, way.GetProperty("average"), four.GetMean() / NanosPerMicro / 500); // three digits of a histogram
            AssertWay(p50, way.GetProperty("p50"), 0.001);
        }
    }

    [Theory]
    [InlineData("1")]
    [InlineData("2")]
    public void Reliable_WithLosses_HasEveryRecoveryInItsSample(string transport)
    {
        string all = $"-domainId {_domain} -transport {transport} -reliable -dropRate 0.05";
        RoundtripRuns runs = RoundtripRuns.Run($"{all},2 {Sizes} -verify {Files("p")}", $"{all},3");
        Assert.All(runs.Sides, side => Assert.Equal((0, ""), (side.ExitCode, side.Error)));
        JsonElement[] sizes = [.. _folder.ReadFinal("p.jsonl").GetProperty("sizes").EnumerateArray()];
        Assert.All(sizes, size =>
        {
            LongHistogram trips = ReadHistogram("p", size);
            Assert.Equal((300L, 0L), (trips.TotalCount, size.GetProperty("lost").GetInt64()));
            Assert.Equal(size.GetProperty("maxMicros").GetDouble(), trips.GetMaxValue() / NanosPerMicro,
                trips.GetMaxValue() / NanosPerMicro / 500);
        });
        Assert.True(sizes.Sum(size => size.GetProperty("resent").GetInt64()) > 0);
        Assert.True(sizes.Max(size => size.GetProperty("maxMicros").GetDouble()) >= 5_000,
            "nobody asks for what is missing before 5 ms have passed");
    }

    [Fact]
    public void Run_ForeignDatagrams_AreCountedAndNothingElse()
    {
        using CancellationTokenSource stop = new();
        TestThread flood = new(() => Flood(21_000 + (36 * _domain), stop.Token));
        flood.Start();
        string all = $"-domainId {_domain} -reliable";
        RoundtripRuns runs = RoundtripRuns.Run($"{all} {Sizes} -subscribers 2 {Files("p")}", $"{all} -noecho", $"{all} -cookie 2");
        stop.Cancel();
        flood.Join();
        Assert.All(runs.Sides, side => Assert.Equal((0, ""), (side.ExitCode, side.Error)));
        Assert.Equal("Test successful: 603 messages received, 603 replies sent.", runs.Sides[2].LastLine);
        JsonElement counts = _folder.ReadFinal("p.jsonl").GetProperty("overall").GetProperty("counts");
        Assert.True(counts.GetProperty("foreign").GetInt64() > 100, counts.ToString());
        Assert.Equal((0, 0), (counts.GetProperty("lost").GetInt32(), counts.GetProperty("late").GetInt32()));
    }

    [Theory]
    [InlineData("-interval 2000", "", true)]
    [InlineData("-spin 100", "-spin 100", false)]
    public void Run_PacedOrSpinning_IsWhatWasAsked(string publisher, string subscriber, bool isPaced)
    {
        long start = Clock.NowNanos;
        RoundtripRuns runs = RoundtripRuns.Run($"-domainId {_domain} -numIter 200 -maxSize 16 {publisher} {Files("p")}",
            $"-domainId {_domain} {subscriber}");
        Assert.Equal((0, 0), (runs.Sides[0].ExitCode, runs.Sides[1].ExitCode));
        JsonElement final = _folder.ReadFinal("p.jsonl");
        Assert.Equal(!isPaced, final.GetProperty("closedLoop").GetBoolean());
        double seconds = final.GetProperty("overall").GetProperty("seconds").GetDouble();
        Assert.True(!isPaced || seconds >= 0.39, $"{seconds} s for 200 rounds of 2 ms, {(Clock.NowNanos - start) / 1e9} s in all");
        long late = final.GetProperty("sizes")[0].GetProperty("lateStarts").GetInt64();
        Assert.True(isPaced || late == 0);
    }

    private static void AssertWay(double expected, JsonElement found, double tolerance)
    {
        if (found.ValueKind == JsonValueKind.Null)
            Assert.True(expected <= tolerance); // below 0 there is none
        else
            Assert.Equal(expected, found.GetDouble(), tolerance);
    }

    // Whatever fits into a datagram: noise, headers of other sessions, cut packets.
    private static void Flood(int port, CancellationToken stop)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        IPEndPoint[] sides = [new(IPAddress.Loopback, port), new(IPAddress.Loopback, port + 1)];
        Random random = new(1);
        byte[] noise = new byte[200];
        byte[] packet = GoldenDatagrams.Bytes(DatagramKind.Reply);
        for (int i = 0; !stop.IsCancellationRequested; i++)
        {
            random.NextBytes(noise);
            socket.SendTo(i % 2 == 0 ? noise.AsSpan(0, random.Next(noise.Length)) : packet.AsSpan(0, random.Next(packet.Length + 1)),
                sides[i / 2 % 2]);
            if (i % 64 == 0)
                Thread.Sleep(1);
        }
    }

    private string Files(string name) => $"-jsonFile {_folder.File(name + ".jsonl")} -hlogFile {_folder.File(name)}";

    private LongHistogram ReadHistogram(string name, JsonElement size)
    {
        LongHistogram sum = LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);
        foreach (HistogramLogInterval interval in HistogramLogReader.ReadFile(
            _folder.File($"{name}-rtt-{size.GetProperty("bytes").GetInt32()}.hlog")))
        {
            sum.Add(interval.Histogram);
        }

        return sum;
    }
}
