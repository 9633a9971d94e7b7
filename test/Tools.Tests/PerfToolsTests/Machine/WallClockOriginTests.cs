using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

/// <summary>The wall clock read next to the monotonic one, with clocks that advance by what each reading takes.</summary>
[Trait("Category", "Fast")]
public class WallClockOriginTests
{
    private const long Second = 1_000_000_000;
    private static readonly DateTime Zero = DateTime.UnixEpoch.AddSeconds(1_700_000_000);

    [Theory]
    [InlineData(0)]
    [InlineData(77 * Second)]
    [InlineData(-5_000 * Second)]
    public void Read_SlowReadings_HaveTheTruthWithinTheirError(long start)
    {
        Random random = new(7);
        for (int i = 0; i < 1_000; i++)
        {
            long now = start;
            WallClockOrigin origin = WallClockOrigin.Read(() => now += random.Next(50_000), () => Zero.AddTicks((now += random.Next(50_000)) / 100));
            Assert.InRange(1_700_000_000e6, origin.UnixMicros - origin.ErrorMicros, origin.UnixMicros + origin.ErrorMicros);
            Assert.InRange(origin.ErrorMicros, 0.1, 50.5);
        }
    }

    [Fact]
    public void Read_OneReadingIsQuick_ThatOneCounts()
    {
        long now = 0, reading = 0;
        long Advance() => now += ++reading is 7 or 8 or 9 ? 10 : 100_000; // the third reading's three
        WallClockOrigin origin = WallClockOrigin.Read(Advance, () => Zero.AddTicks(Advance() / 100));
        Assert.Equal(15, reading);
        Assert.InRange(origin.ErrorMicros, 0.1, 0.3);
    }

    [Fact]
    public void Read_ThisMachine_HasAnError()
    {
        WallClockOrigin first = WallClockOrigin.Read(() => PerfCommon.Measurement.Clock.NowNanos, () => DateTime.UtcNow);
        Assert.InRange(first.ErrorMicros, 0.1, 1e6);
    }
}
