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

    // Of a long measurement the clock is the mean of what is read within it, too.
    [Theory]
    [InlineData(0, null)] // 3,000 and 2,800
    [InlineData(2, "clock 2,400 MHz instead of 3,000 MHz")] // 3,000, 2,000, 2,000, 2,600
    public void End_ClockThatWasLowMeanwhile_IsTold(int readingsWithin, string? expected)
    {
        ClockReading[] second = readingsWithin == 0 ? [new(3_000, null), new(2_800, null)]
            : [new(3_000, null), new(2_000, null), new(2_000, null), new(2_600, null)];
        Queue<ClockReading> left = new([new(3_000, null), new(3_000, null), .. second, new(3_000, null)]);
        ManualTimer clock = new();
        using ClockWatch watch = new(left.Dequeue, clock);
        watch.Begin();
        Action late = clock.Due!;
        Assert.Null(watch.End());
        watch.Begin();
        Assert.Equal((TimeSpan.FromMilliseconds(500), TimeSpan.FromMilliseconds(500)), clock.Period);
        for (int i = 0; i < readingsWithin; i++)
            clock.Due!();
        Assert.Equal(expected, watch.End());
        Assert.True(clock.IsDisposed);
        late(); // belongs to a measurement that is over
        Assert.Empty(left);
    }

    private sealed class ManualTimer : TimeProvider, ITimer
    {
        public Action? Due { get; private set; }

        public (TimeSpan First, TimeSpan Next) Period { get; private set; }

        public bool IsDisposed { get; private set; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            (Due, Period, IsDisposed) = (() => callback(state), (dueTime, period), false);
            return this;
        }

        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() => IsDisposed = true;

        public ValueTask DisposeAsync() => default;
    }

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
