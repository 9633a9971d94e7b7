using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Each circumstance of a slow run at the limit from which it is beyond doubt.</summary>
[Trait("Category", "Fast")]
public class EvidenceLimitsTests
{
    [Theory]
    [InlineData(4.99, null)]
    [InlineData(5, "the host took 5 % of the processors for other guests")]
    [InlineData(100, "the host took 100 % of the processors for other guests")]
    public void Find_StolenTime_IsToldFromFivePercentOn(double percent, string? expected) => AssertFinds(expected, new() { StolenPercent = percent });

    [Theory]
    [InlineData(15.99, null)]
    [InlineData(16, "memory ran short, 16 MB went to the disk and back")]
    public void Find_Swapping_IsToldFromSixteenMegabytesOn(double megabytes, string? expected) => AssertFinds(expected, new() { SwappedMegabytes = megabytes });

    [Theory]
    [InlineData(1_799.9, null)]
    [InlineData(1_800, "the roles had 1,800 of the 2,000 MB that they may have")]
    public void Find_Memory_IsFullAtNineTenths(double megabytes, string? expected) =>
        AssertFinds(expected, new() { RolesMegabytes = megabytes, AllowedMegabytes = 2_000 });

    [Fact]
    public void Find_MemoryWithoutALimit_IsNeverFull() => AssertFinds(null, new() { RolesMegabytes = double.MaxValue });

    [Theory]
    [InlineData(10, 199.9, null)] // 2 % of the time
    [InlineData(10, 200, "200 ms in all, 2 %")]
    [InlineData(1, 99.9, null)]
    [InlineData(1, 100, "100 ms in all, 10 %")]
    [InlineData(0, 100, null)] // no steady state
    [InlineData(5, 100, "100 ms in all, 2 %")] // both limits at once
    [InlineData(5.01, 100, null)]
    public void Find_Pauses_AreToldFromBothLimitsOn(double seconds, double millis, string? expected) => AssertFinds(
        expected is null ? null : $"garbage collections stopped the consumer for {expected} of the time",
        new() { SteadySeconds = seconds, Pauses = [("consumer", millis)] });

    [Fact]
    public void Find_PausesOfSeveralRoles_AreThoseOfTheLongest() => AssertFinds(
        "garbage collections stopped the hub for 900 ms in all, 9 % of the time",
        new() { SteadySeconds = 10, Pauses = [("provider", 300), ("hub", 900), ("consumer", 500)] });

    /// <summary>Images are as fast as requested from nine tenths of the rate on, and their time matters from a second on.</summary>
    [Theory]
    [InlineData(1_000, 1, 1_000.0, "1.0 s as 1,000")]
    [InlineData(1_000, 0.99, 1_000.0, null)]
    [InlineData(900, 1, 1_000.0, "1.0 s as 1,000")]
    [InlineData(899, 1, 1_000.0, null)]
    [InlineData(5_000, 2, 1_000.0, "2.0 s as 1,000")]
    [InlineData(1_000, 1, 0.0, null)]
    [InlineData(1_000, 1, null, null)]
    [InlineData(0, 1, 1_000.0, null)]
    public void Find_Images_AreToldWhereTheirRequestsTookTheTime(long count, double seconds, double? rate, string? expected) => AssertFinds(
        expected is null ? null : $"the images took {expected} a second were asked for (-requestRate)",
        new() { Images = new(count, seconds), RequestRate = rate });

    [Theory]
    [InlineData("bbr", true)]
    [InlineData("cubic", false)]
    [InlineData("reno", false)]
    [InlineData(null, false)]
    public void Find_CongestionControl_IsToldOfTheOneThatPaces(string? name, bool isTold) =>
        AssertFinds(isTold ? "the congestion control of this machine, bbr, paces what it sends" : null, new() { CongestionControl = name });

    [Fact]
    public void Find_AllOfThem_AreInTheirOrder() => Assert.Equal(
        ["the host", "memory ran", "the roles", "garbage collections", "the images", "the congestion"],
        new SlowEvidence
        {
            CongestionControl = "bbr",
            RequestRate = 10,
            Images = new(100, 10),
            Pauses = [("hub", 900)],
            SteadySeconds = 10,
            AllowedMegabytes = 10,
            RolesMegabytes = 10,
            SwappedMegabytes = 100,
            StolenPercent = 50,
        }.Find().Select(one => string.Join(' ', one.Split(' ').Take(2))));

    private static void AssertFinds(string? expected, SlowEvidence evidence) => Assert.Equal(expected is null ? [] : [expected], evidence.Find());
}
