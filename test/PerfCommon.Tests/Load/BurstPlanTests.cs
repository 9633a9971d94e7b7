using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Load;

public class BurstPlanTests
{
    private const int TickRate = 100;

    [Fact]
    public void ChangeRate_InMidRun_HoldsFromTheNextTickOnForAllConnections()
    {
        BurstPlan plan = Create(1_000, stampRate: 10);
        Assert.Equal([10, 10], CountsOf(plan, tick: 5, connections: 2));
        Assert.Equal(10, plan.CountIn(Tick(6)));
        plan.ChangeRate(2_000);
        Assert.Equal(10, plan.CountIn(Tick(6)));
        Assert.Equal([20, 20], CountsOf(plan, tick: 7, connections: 2));
        plan.ChangeRate(0);
        Assert.Equal(0, plan.CountIn(Tick(8)));
    }

    [Fact]
    public void ChangeRate_Twice_TakesTheLast()
    {
        BurstPlan plan = Create(1_000, stampRate: 10);
        plan.ChangeRate(5_000);
        plan.ChangeRate(3_000);
        Assert.Equal(30, plan.CountIn(Tick(0)));
    }

    [Fact]
    public void StampPlaceIn_AfterAChange_LiesWithinTheBurst()
    {
        BurstPlan plan = Create(100_000, stampRate: TickRate);
        plan.ChangeRate(100);
        plan.CountIn(Tick(0));
        Assert.All(Enumerable.Range(0, 500), tick => Assert.Equal(0, plan.StampPlaceIn(Tick(tick), connection: 0)));
    }

    [Fact]
    public void CountIn_Profile_FollowsItFromTheFirstTickAskedForUntilTheRateIsChanged()
    {
        const int First = 700; // before it there was no stream to send on
        BurstPlan plan = new(MessageKind.Update, 4_000, stampRate: TickRate, TickRate, seed: 1, LatencyUnit.Microseconds)
        {
            Profile = RateProfile.TryParse("1000:1,4000:1"),
            MayChange = true,
        };
        Assert.Equal(10, plan.CountIn(Tick(First)));
        Assert.Equal(0, plan.SkippedBefore(Tick(First) with { SkippedBefore = 50 }));
        Assert.Equal((10, 40), (plan.CountIn(Tick(First + 99)), plan.CountIn(Tick(First + 100))));
        Assert.Equal(50, plan.SkippedBefore(Tick(First + 101) with { SkippedBefore = 2 }));
        Assert.All(Enumerable.Range(First, 99), tick => Assert.InRange(plan.StampPlaceIn(Tick(tick), connection: 0), 0, 9));
        Assert.Equal((10, 10, 40), (plan.CountIn(Tick(3)), plan.CountIn(Tick(102)), plan.CountIn(Tick(103)))); // ticks that count from 0 again
        plan.ChangeRate(500);
        Assert.Equal(5, plan.CountIn(Tick(104)));
        Assert.Equal(100, plan.SkippedBefore(Tick(200) with { SkippedBefore = 20 }));
    }

    /// <summary>The remainder of a rate is on the first ticks of each second, of skipped ones too.</summary>
    [Theory]
    [InlineData(120, 20, 220)] // 20 of the first 30 ticks of a second
    [InlineData(150, 20, 200)] // none of them
    [InlineData(131, 2, 21)]
    [InlineData(131, 131, 1_370)]
    public void SkippedBefore_RateWithARemainder_IsThatOfTheSkippedTicks(int index, int skipped, long messages) =>
        Assert.Equal(messages, Create(1_030, stampRate: 10).SkippedBefore(Tick(index) with { SkippedBefore = skipped }));

    [Theory]
    [InlineData(0, false, false)]
    [InlineData(0, true, true)]
    [InlineData(1, false, true)]
    [InlineData(1_000, false, true)]
    public void IsOn_RateAndWhetherItMayChange_Decide(int rate, bool mayChange, bool isOn) =>
        Assert.Equal(isOn,
            new BurstPlan(MessageKind.Update, rate, 0, TickRate, seed: 1, LatencyUnit.Microseconds) { MayChange = mayChange }.IsOn);

    private static BurstPlan Create(int rate, int stampRate) =>
        new(MessageKind.Update, rate, stampRate, TickRate, seed: 1, LatencyUnit.Microseconds);

    private static IEnumerable<int> CountsOf(BurstPlan plan, int tick, int connections) =>
        [.. Enumerable.Repeat(0, connections).Select(_ => plan.CountIn(Tick(tick)))];

    private static TickInfo Tick(int index) => new(index, index % TickRate, DueNanos: 0, LagNanos: 0, SkippedBefore: 0);
}
