using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using Xunit;

namespace PerfCommon.Tests.Hosting.Control;

/// <summary>The rate of updates as a setting of a running program.</summary>
[Trait("Category", "Fast")]
public sealed class RateSettingTests
{
    private readonly List<int> _applied = [];
    private readonly RoleSettings _settings;

    public RateSettingTests() => _settings = new RoleSettings<Rate>(
        new(1_000), rate => rate.PerSecond == 7 ? "not seven" : null, Apply, [RateSetting.Create<Rate>(o => o.PerSecond, (o, v) => o with { PerSecond = v })]);

    [Fact]
    public void States_OfTheRate_AreItsValueUnitAndLimit() =>
        Assert.Equal([new SettingState("rate", "1000", "1/s", "a whole number, 0 or at least the tick rate", 0)], _settings.States);

    [Theory]
    [InlineData("0", null)]
    [InlineData("2000", null)]
    [InlineData("-1", "rate: '-1' is not a whole number, 0 or at least the tick rate")]
    [InlineData("1.5", "rate: '1.5' is not a whole number, 0 or at least the tick rate")]
    [InlineData("7", "not seven")]
    public void TryChange_Rate_IsAppliedWhereItCanBe(string text, string? problem)
    {
        Assert.Equal(problem, _settings.TryChange([("rate", text)], out IReadOnlyList<SettingChange> changes));
        Assert.Equal(problem is null ? [new SettingChange("rate", text, "1000")] : [], changes);
        Assert.Equal(problem is null ? [text] : [], _applied.Select(rate => $"{rate}"));
        Assert.Equal(problem is null ? text : "1000", _settings.States[0].Value);
    }

    [Fact]
    public void TryChange_TheSameRate_AppliesNothing()
    {
        Assert.Null(_settings.TryChange([("rate", "1000")], out IReadOnlyList<SettingChange> changes));
        Assert.Equal([new("rate", "1000", "1000")], changes);
        Assert.Empty(_applied);
    }

    [Fact]
    public void Apply_Rate_IsThatOfEveryPlan()
    {
        BurstPlan[] plans = [Create(), Create()];
        RateSetting.Apply(plans, 3_000);
        Assert.All(plans, plan => Assert.Equal(30, plan.CountIn(new TickInfo(0, 0, 0, 0, 0))));
    }

    private static BurstPlan Create() =>
        new(MessageKind.Update, rate: 1_000, stampRate: 0, tickRate: 100, seed: 1, LatencyUnit.Microseconds) { MayChange = true };

    private Rate Apply(Rate rate)
    {
        _applied.Add(rate.PerSecond);
        return rate;
    }

    private sealed record Rate(int PerSecond);
}
