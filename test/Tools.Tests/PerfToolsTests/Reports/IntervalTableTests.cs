using PerfTools.Reports;
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

    public void Dispose() => _folder.Dispose();
}
