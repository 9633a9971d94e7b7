using PerfTools.Ranks;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>What NTP or PTP states of two clocks against what the probes found, with made-up states of the systems.</summary>
[Trait("Category", "Fast")]
public class ClockChecksTests
{
    private const long Hour = 3_600_000_000_000;
    private const double Today = 1_790_000_000_000_000;

    /// <summary>
    /// Both systems state that they are within their error of the true time. Rank 1's wall clock is ahead by a known time, and the probes know it to 10 us.
    /// </summary>
    [Theory]
    [InlineData(0, 100, 200, true)]
    [InlineData(290, 100, 200, true)]
    [InlineData(-290, 100, 200, true)]
    [InlineData(309, 100, 200, true)] // the bound of the probes reaches what is stated
    [InlineData(312, 100, 200, false)]
    [InlineData(-312, 100, 200, false)]
    [InlineData(2_000_000, 100, 200, false)]
    [InlineData(2_000_000, 16_000_000, 0, true)]
    [InlineData(12, 0, 0, false)]
    public void Of_TwoSynchronizedClocks_AgreeWhereBothIntervalsMeet(double aheadMicros, double error, double otherError, bool agrees)
    {
        RankClock zero = Create(0, Today, otherError), one = Create(1, Today - (5 * Hour / 1e3), error); // the uptimes differ by hours
        long offset = (5 * Hour) + (long)(aheadMicros * 1_000);
        ClockCheck check = Assert.Single(ClockChecks.Of([zero, one], [(1, 0, Probed(offset))]), check => check.By == "probes");
        Assert.Equal((1, 0, error + otherError, agrees), (check.Rank, check.Against, check.StatedMicros, check.Agrees));
        Assert.Equal((aheadMicros - 11, aheadMicros + 11), (Math.Round(check.MinMicros, 3), Math.Round(check.MaxMicros, 3)));
    }

    /// <summary>A clock that drifts during the run: every difference that was used is possible.</summary>
    [Fact]
    public void Of_LinesOfTheRun_GiveTheWholeInterval()
    {
        RunClock drifting = Probed(0) with { UsedMinNanos = -40_000, UsedMaxNanos = 70_000, State = "coarse" };
        ClockCheck check = Assert.Single(ClockChecks.Of([Create(0, Today, 1), Create(1, Today, 1)], [(0, 1, drifting)]));
        Assert.Equal((0, 1, -51.0, 81.0, true), (check.Rank, check.Against, Math.Round(check.MinMicros, 3), Math.Round(check.MaxMicros, 3), check.Agrees));
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(null, true)]
    public void Of_ClockThatIsNotSynchronized_StatesNothing(bool? one, bool? other)
    {
        ClockCheck check = Assert.Single(ClockChecks.Of(
            [Create(0, Today, 5) with { Synchronized = one }, Create(1, Today, 5) with { Synchronized = other }], [(0, 1, Probed(0))]));
        Assert.Equal((null, null), (check.StatedMicros, check.Agrees));
        Assert.Equal((-11.0, 11.0), (Math.Round(check.MinMicros, 3), Math.Round(check.MaxMicros, 3)));
    }

    [Theory]
    [InlineData("same")]
    [InlineData("unbounded")]
    [InlineData("clock-wrong")]
    public void Of_ProbesWithoutABound_CompareNothing(string state) => Assert.Empty(
        ClockChecks.Of([Create(0, Today, 5) with { OffsetMicros = null }, Create(1, Today, 5) with { OffsetMicros = null }],
            [(0, 1, Probed(0) with { State = state }), (0, 7, Probed(0)), (0, 1, Probed(0) with { BoundMicros = null })]));

    /// <summary>Of several programs that probed one clock the tightest counts; a pair without probes has its exchanges with rank 0.</summary>
    [Fact]
    public void Of_SeveralMeasurementsOfAPair_OneIsShown()
    {
        RankClock[] clocks =
        [
            Create(0, Today, 50), Create(1, Today, 50), Create(2, Today, 50) with { OffsetMicros = 900, ErrorMicros = 300 },
            Create(3, Today, 50) with { OffsetMicros = 350, ErrorMicros = 300 }, Create(4, Today, 50) with { Synchronized = false },
        ];
        ClockCheck[] checks = [.. ClockChecks.Of(clocks,
            [(0, 1, Probed(0) with { BoundMicros = 70 }), (0, 1, Probed(0)), (0, 1, Probed(0) with { BoundMicros = 30 })])];
        Assert.Equal([(0, 1, "probes", true), (2, 0, "rendezvous", false), (3, 0, "rendezvous", true)],
            checks.Select(check => (check.Rank, check.Against, check.By, check.Agrees!.Value)));
        Assert.Equal((11.0, 600.0, 1_200.0), (Math.Round(checks[0].MaxMicros, 3), checks[1].MinMicros, checks[1].MaxMicros));
    }

    [Fact]
    public void Of_NoClocks_IsNothing() => Assert.Empty(ClockChecks.Of([], []));

    // The readings of both wall clocks are exact to half a microsecond each.
    private static RankClock Create(int rank, double zero, double maxError) => new()
    {
        Rank = rank,
        OffsetMicros = 0,
        ErrorMicros = 0,
        Synchronized = true,
        MaxErrorMicros = maxError,
        EstimatedErrorMicros = maxError,
        ZeroUnixMicros = zero,
        ZeroErrorMicros = 0.5,
    };

    private static RunClock Probed(long offsetNanos) => SampleFigures.Clock with
    { OffsetNanos = offsetNanos, UsedMinNanos = offsetNanos, UsedMaxNanos = offsetNanos, BoundMicros = 10 };
}
