using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class CpuClockTests
{
    private const long Millis = 1_000_000;

    public static TheoryData<string> Clocks => new(All.Keys);

    private static readonly Dictionary<string, CpuClock> All = new()
    {
        ["framework"] = new CpuClock.FrameworkCpuClock(),
        ["current"] = CpuClock.Current,
    };

    [Theory, MemberData(nameof(Clocks))]
    public void ProcessNanos_ThreadThatWorks_GrowsByItsWork(string name)
    {
        CpuClock clock = All[name];
        CpuReading from = clock.Read();
        Assert.True(SpinWait.SpinUntil(() => clock.ProcessNanos - from.ProcessNanos >= 20 * Millis, TimeSpan.FromMinutes(1)));
        Assert.True(CpuUse.OfProcess(from, clock.Read()) is { UsedNanos: >= 20 * Millis });
    }

    [Fact]
    public void ProcessNanos_KernelAndFramework_CountTheSame()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the kernel's clocks are read on Linux only");
        long before = All["framework"].ProcessNanos;
        long kernel = CpuClock.Current.ProcessNanos;
        Assert.InRange(kernel, before - (20 * Millis), All["framework"].ProcessNanos + (20 * Millis)); // one clock tick of each running thread
    }

    [Fact]
    public void ThreadNanos_ThreadThatWaits_HardlyGrows()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "single threads are known on Linux only");
        long? before = CpuClock.Current.ThreadNanos;
        long processBefore = CpuClock.Current.ProcessNanos;
        TestThread other = new(() =>
            SpinWait.SpinUntil(() => CpuClock.Current.ProcessNanos - processBefore >= 50 * Millis, TimeSpan.FromMinutes(1)));
        other.Start();
        other.Join();
        Assert.InRange((CpuClock.Current.ThreadNanos - before)!.Value, 0, 50 * Millis);
    }

    [Fact]
    public void ThreadNanos_Framework_IsUnknown() => Assert.Null(All["framework"].ThreadNanos);

    [Fact]
    public void Use_BetweenTwoReadings_IsItsShareOfTheTime()
    {
        CpuReading from = new(1_000 * Millis, 200 * Millis, 50 * Millis);
        CpuReading to = new(3_000 * Millis, 700 * Millis, 150 * Millis);
        CpuUse process = CpuUse.OfProcess(from, to)!.Value;
        Assert.Equal((2, 0.5, 25), (process.Seconds, process.CpuSeconds, process.CorePercent));
        Assert.Equal(25.0 / Environment.ProcessorCount, process.MachinePercent, 9);
        Assert.Equal(5, CpuUse.OfThread(from, to)!.Value.CorePercent);
    }

    [Fact]
    public void Use_WithoutBothEnds_IsUnknown()
    {
        CpuReading reading = new(1, 2, null);
        Assert.Null(CpuUse.OfProcess(null, reading));
        Assert.Null(CpuUse.OfProcess(reading, reading));
        Assert.Null(CpuUse.OfThread(reading, reading with { AtNanos = 5, ThreadNanos = 7 }));
        Assert.Equal(0, default(CpuUse).CorePercent);
    }
}
