using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

[Trait("Category", "Fast")]
public sealed class IntervalTableTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public void TryWrite_RunOfTwoRoles_HasARowForEachIntervalRoleAndThread()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 2);
        Assert.Null(IntervalTable.TryWrite(RecordedRun.Read(_folder.FullPath)));
        string[] lines = File.ReadAllLines(_folder.PathOf("intervals.csv"));
        Assert.Equal(
            "role,thread,utc,runSeconds,intervalSeconds,updateRate,sendLag.count,sendLag.avgMicros,sendLag.maxMicros,sendLag.p50Micros,sendLag.p99Micros,sendLag.p999Micros,"
            + "counts.updatesReceived,process.coreCpuPercent,process.workingSetBytes,process.queuedBytes,updateLatency.count,updateLatency.avgMicros,updateLatency.maxMicros,updateLatency.p50Micros,updateLatency.p99Micros,updateLatency.p999Micros",
            lines[0]);
        Assert.Equal(1 + (2 * 2 * 3), lines.Length);
        Assert.StartsWith("provider,0,2026-11-21T10:12:34.950Z,1.500,1.000137,100008,1010,40.5,", lines[1], StringComparison.Ordinal);
        Assert.StartsWith("provider,1,2026-11-21T10:12:34.950Z,1.500,1.000137,1,,,", lines[2], StringComparison.Ordinal);
        Assert.StartsWith("consumer,0,2026-11-21T10:12:35.350Z,1.900,1.000137,100008,,,,,,,100008,", lines[4], StringComparison.Ordinal);
        int queued = Array.IndexOf(lines[0].Split(','), "process.queuedBytes");
        Assert.Equal(["2048", "", "", "4096"], ((int[])[1, 2, 3, 7]).Select(row => lines[row].Split(',')[queued]));
        Assert.All(lines, line => Assert.Equal(lines[0].Split(',').Length, line.Split(',').Length));
    }

    /// <summary>The provider's clock is 1,000 s ahead, or so little that it may be right.</summary>
    [Theory]
    [InlineData(1_000_000_000, 20_000, "provider,0,2026-11-21T09:55:54.950Z,-998.500,1.000137,")]
    [InlineData(-250_000, 20_000, "provider,0,2026-11-21T10:12:35.200Z,1.750,1.000137,")]
    [InlineData(15_000, 20_000, "provider,0,2026-11-21T10:12:34.950Z,1.500,1.000137,")]
    public void TryWrite_RolesOfTwoClocks_HaveTheTimesOfRankZero(double offset, double error, string provider)
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 2);
        RunDocument run = RunFile.Read(_folder.PathOf(RunFile.Name)) with
        {
            Ranks = [Rank(0, "consumer"), Rank(1, "provider")],
            Clocks = [new() { Rank = 0, OffsetMicros = 0, ErrorMicros = 0 }, new() { Rank = 1, OffsetMicros = offset, ErrorMicros = error }],
        };
        File.WriteAllText(_folder.PathOf(RunFile.Name), RunFile.CreateText(run));
        Assert.Null(IntervalTable.TryWrite(RecordedRun.Read(_folder.FullPath)));
        string[] lines = File.ReadAllLines(_folder.PathOf("intervals.csv"));
        Assert.StartsWith(provider, lines.First(line => line.StartsWith("provider,0", StringComparison.Ordinal)), StringComparison.Ordinal);
        Assert.StartsWith("consumer,0,2026-11-21T10:12:35.350Z,1.900,", lines.First(line => line.StartsWith("consumer,0", StringComparison.Ordinal)),
            StringComparison.Ordinal);
        string[] times = [.. lines.Skip(1).Select(line => line.Split(',')[2])];
        Assert.Equal(times.Order(StringComparer.Ordinal), times);
    }

    private static RankDescription Rank(int rank, string role) => new()
    {
        Rank = rank,
        Ranks = 2,
        Host = "host",
        Address = "127.0.0.1",
        Roles = [role],
        Utc = new(2026, 11, 21, 10, 12, 33, DateTimeKind.Utc),
    };

    public void Dispose() => _folder.Dispose();
}
