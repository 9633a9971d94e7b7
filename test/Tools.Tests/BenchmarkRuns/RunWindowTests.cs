using System.Globalization;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Machine;
using PerfTools.Scenarios;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.BenchmarkRuns;

public sealed class RunWindowTests : IDisposable
{
    private static readonly DateTime Start = new(2026, 8, 1, 12, 0, 0, DateTimeKind.Utc);
    private static readonly Scenario Transport = ScenarioList.All.First(s => s.Name == "transport");
    private readonly TestFolder _folder = new();

    // Ten seconds of 1,000 messages; the first eight cost 500 ms of processor time each, the last two 100 ms.
    [Fact]
    public void Read_FromSecondEight_LeavesTheStartOut()
    {
        WriteLines(10);
        RunWindow window = RunWindow.Read(_folder.FullPath, Transport, fromSecond: 8, CreateLoad(busyTicks: 150), passNanos: 63)!;
        Assert.Equal(2, window.Roles.Count);
        Assert.Equal(2_000, window.Client.Messages);
        Assert.Equal(100_000, window.Client.NanosPerMessage, precision: 3);
        Assert.Equal(200_000, window.NanosPerMessage, precision: 3);
        Assert.Equal(9.5, window.Client.P50Micros);
    }

    // 150 of 200 ticks busy, of which two roles with 100 ms a second use 10 %.
    [Theory]
    [InlineData(150, 0.65, true)]
    [InlineData(58, 0.19, false)]
    public void Read_ForeignLoad_MarksTheRun(int busyTicks, double share, bool isDisturbed)
    {
        WriteLines(10);
        RunWindow window = RunWindow.Read(_folder.FullPath, Transport, fromSecond: 8, CreateLoad(busyTicks), passNanos: 63)!;
        Assert.Equal(share, window.ForeignShare!.Value, precision: 6);
        Assert.Equal(isDisturbed, window.IsDisturbed);
    }

    [Fact]
    public void Read_RunEndsBeforeTheWindow_IsNothing()
    {
        WriteLines(8);
        Assert.Null(RunWindow.Read(_folder.FullPath, Transport, fromSecond: 8, new LoadLog(), passNanos: 63));
    }

    public void Dispose() => _folder.Dispose();

    private void WriteLines(int seconds)
    {
        foreach (Role role in Transport.Roles)
            File.WriteAllLines(_folder.PathOf(role.JsonFile), Enumerable.Range(1, seconds).Select(CreateLine));
    }

    private static string CreateLine(int second)
    {
        string utc = Start.AddSeconds(second).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        double cpu = Math.Min(second, 8) * 0.5 + Math.Max(second - 8, 0) * 0.1;
        string counts = """{"messagesSent":1000,"messagesReceived":1000}""";
        return string.Create(CultureInfo.InvariantCulture, $$"""
            {"second":{{second}},"utc":"{{utc}}","intervalSeconds":1,"process":{"cpuSeconds":{{cpu}} },
            "overall":{"counts":{{counts}},"latency":{"p50Micros":{{second}},"p99Micros":{{second * 2}} } } }
            """).Replace("\n", "", StringComparison.Ordinal);
    }

    private static LoadLog CreateLoad(int busyTicks)
    {
        LoadLog load = new();
        for (int second = 0; second <= 10; second++)
            load.Add(Start.AddSeconds(second), new ProcessorUse(second * busyTicks, second * 200, Processors: 2));
        return load;
    }
}
