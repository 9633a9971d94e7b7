using System.Text.Json;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Results.Files;
using Xunit;

namespace Tools.Tests.BenchmarkRuns;

public class RoleWindowTests
{
    private static readonly CollectionNames Names = new("updatesSent", "updatesNotSent", "updateLatency");
    private static readonly DateTime Start = new(2026, 11, 21, 12, 0, 0, DateTimeKind.Utc);

    [Fact]
    public void Between_TwoCollections_TakesOnlyWhatLiesBetweenThem()
    {
        CollectionLine[] lines = [Line(1, 3.0, 999), Line(2, 3.5, 1000), Line(3, 3.9, 1100), Line(4, 4.5, 1200), Line(5, 9, 9999)];
        RoleWindow window = RoleWindow.Between(lines, Start.AddSeconds(2), Start.AddSeconds(4))!;
        Assert.Equal((2, 1.0, 2300, 2), (window.Seconds, window.CpuSeconds, window.Messages, window.NotSent));
        Assert.Equal(1150, window.Rate);
        Assert.Equal(1e9 / 2300, window.NanosPerMessage);
    }

    [Theory]
    [InlineData(2.4, 4.4, 2200)]
    [InlineData(1.6, 3.6, 2200)]
    [InlineData(2.6, 4.6, 2400)]
    public void Between_TimesOfAnotherRole_TakesTheNearestCollections(double from, double to, long messages)
    {
        CollectionLine[] lines = [Line(1, 1, 1000), Line(2, 2, 1000), Line(3, 3, 1050), Line(4, 4, 1150), Line(5, 5, 1250)];
        Assert.Equal(messages, RoleWindow.Between(lines, Start.AddSeconds(from), Start.AddSeconds(to))!.Messages);
    }

    [Fact]
    public void Between_NoIntervalInIt_IsNothing()
    {
        Assert.Null(RoleWindow.Between([], Start, Start.AddSeconds(9)));
        Assert.Null(RoleWindow.Between([Line(1, 1, 1000)], Start, Start.AddSeconds(9)));
        Assert.Null(RoleWindow.Between([Line(1, 1, 1000), Line(2, 2, 1000)], Start.AddSeconds(8), Start.AddSeconds(9)));
    }

    [Fact]
    public void Between_LatencyOfSomeIntervals_IsTheMedianOfThose()
    {
        CollectionLine[] lines =
        [
            Line(1, 1, 1), Line(2, 2, 1) with { P50Micros = 40, P99Micros = 90 }, Line(3, 3, 1) with { P50Micros = 50 },
            Line(4, 4, 1) with { P50Micros = 900, P99Micros = 70 },
        ];
        RoleWindow window = RoleWindow.Between(lines, Start, Start.AddSeconds(4))!;
        Assert.Equal((50, 80), (window.P50Micros, window.P99Micros));
    }

    [Fact]
    public void Read_LineOfACollection_TakesItsFigures()
    {
        CollectionLine? line = Read("""
            {"final":false,"second":3,"utc":"2026-11-21T12:00:03.250Z","intervalSeconds":0.5,
             "overall":{"counts":{"updatesSent":700,"updatesNotSent":5},"updateLatency":{"count":9,"p50Micros":85,"p99Micros":null}},
             "threads":[],"process":{"cpuSeconds":1.25}}
            """);
        Assert.Equal(
            new CollectionLine
            {
                Second = 3,
                Utc = Start.AddSeconds(3.25),
                Seconds = 0.5,
                CpuSeconds = 1.25,
                Messages = 700,
                NotSent = 5,
                P50Micros = 85,
            },
            line);
    }

    [Fact]
    public void Read_FinalLine_IsNothing() => Assert.Null(Read("""{"final":true,"overall":{"counts":{"updatesSent":700}}}"""));

    private static CollectionLine Line(int second, double cpuSeconds, long messages) => new()
    {
        Second = second,
        Utc = Start.AddSeconds(second),
        Seconds = 1,
        CpuSeconds = cpuSeconds,
        Messages = messages,
        NotSent = 1,
    };

    private static CollectionLine? Read(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return CollectionLine.Read(new JsonView(document.RootElement), Names);
    }
}
