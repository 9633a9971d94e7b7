using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

public sealed class ProcessorClocksTests : IDisposable
{
    private readonly RunDirectory _root = new();

    public void Dispose() => _root.Dispose();

    [Fact]
    public void Read_TwoProcessors_IsTheMeanClockAndAllThrottling()
    {
        WriteProcessor("cpu0", "3000000\n", "2\n", "5\n");
        WriteProcessor("cpu1", "2000000\n", "1\n", "5\n");
        Write("cpufreq", "scaling_cur_freq", "1\n"); // no processor
        Assert.Equal(new ClockReading(2_500, 13), new ProcessorClocks(_root.Path).Read());
    }

    [Fact]
    public void Read_ClockWithoutHeat_TellsTheClock()
    {
        Write("cpu0/cpufreq", "scaling_cur_freq", "2400000\n");
        Write("cpu10/cpufreq", "scaling_cur_freq", "<unknown>\n");
        Assert.Equal(new ClockReading(2_400, null), new ProcessorClocks(_root.Path).Read());
    }

    [Fact]
    public void Read_GuestWithoutEither_TellsNothing()
    {
        Assert.Equal(default, new ProcessorClocks(_root.Path).Read());
        Write("cpu0/topology", "core_id", "0\n");
        Assert.Equal(default, new ProcessorClocks(_root.Path).Read());
    }

    [Fact]
    public void Read_Again_SeesWhatChanged()
    {
        WriteProcessor("cpu0", "3000000", "2", "5");
        ProcessorClocks clocks = new(_root.Path);
        ClockReading before = clocks.Read();
        WriteProcessor("cpu0", "1500000", "3", "9");
        Assert.Equal((new ClockReading(3_000, 7), new ClockReading(1_500, 12)), (before, clocks.Read()));
    }

    private void WriteProcessor(string name, string kilohertz, string cores, string packages)
    {
        Write($"{name}/cpufreq", "scaling_cur_freq", kilohertz);
        Write($"{name}/thermal_throttle", "core_throttle_count", cores);
        Write($"{name}/thermal_throttle", "package_throttle_count", packages);
    }

    private void Write(string folder, string name, string text)
    {
        string path = Path.Combine(_root.Path, "sys/devices/system/cpu", folder);
        Directory.CreateDirectory(path);
        File.WriteAllText(Path.Combine(path, name), text);
    }
}

[Trait("Category", "Fast")]
public sealed class ClockWatchTests
{
    [Theory]
    [InlineData(3_000, null)]
    [InlineData(2_701, null)]
    [InlineData(2_690, "clock 2,690 MHz instead of 3,000 MHz")]
    [InlineData(4_000, null)]
    public void End_ClockBelowThatOfTheFirst_IsTold(double second, string? expected) =>
        Assert.Equal([null, expected], Watch(new(3_000, null), new(second, null)));

    [Fact]
    public void End_ClockThatStaysLow_HoldsFromTheThirdOn() => Assert.Equal(
        [null, "clock 2,000 MHz instead of 3,000 MHz", "clock 2,000 MHz instead of 3,000 MHz", null, null, "clock 1,500 MHz instead of 2,000 MHz"],
        Watch(new(3_000, 0), new(2_000, 0), new(2_000, 0), new(2_000, 0), new(2_000, 0), new(1_500, 0)));

    [Fact]
    public void End_ThrottledMeanwhile_IsToldEachTime() => Assert.Equal(
        ["processors throttled for heat 3 times", null],
        WatchPairs((new(null, 4), new(null, 7)), (new(null, 7), new(null, 7))));

    [Fact]
    public void End_NothingKnown_SaysNothing() => Assert.Equal([null, null], Watch(default, default));

    // The same at the begin and at the end of each measurement.
    private static string?[] Watch(params ClockReading[] readings) => WatchPairs([.. readings.Select(reading => (reading, reading))]);

    private static string?[] WatchPairs(params (ClockReading Begin, ClockReading End)[] readings)
    {
        Queue<ClockReading> left = new(readings.SelectMany(pair => (ClockReading[])[pair.Begin, pair.End]));
        using ClockWatch watch = new(left.Dequeue, new Search.SteppingClock());
        return [.. readings.Select(_ =>
        {
            watch.Begin();
            return watch.End();
        })];
    }
}
