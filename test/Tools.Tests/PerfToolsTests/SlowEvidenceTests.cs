using PerfTools.Machine;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Each rule alone, over facts as a run leaves them.</summary>
[Trait("Category", "Fast")]
public class SlowEvidenceTests
{
    private const string Paced = "the congestion control of this machine, bbr, paces what it sends";

    // A good run of ten seconds.
    private static readonly SlowEvidence Good = new()
    {
        StolenPercent = 1,
        SwappedMegabytes = 0,
        RolesMegabytes = 130,
        AllowedMegabytes = 2_048,
        Pauses = [("provider", 9), ("consumer", 12)],
        SteadySeconds = 10,
        Images = new(10_000, 0.02),
        RequestRate = 500_000,
        CongestionControl = "cubic",
    };

    private static readonly SlowCause Slow = new() { Workers = [("the worker of the provider", 60)], Circumstances = Good };

    [Fact]
    public void Find_GoodRun_IsSilent() => Assert.Empty(Good.Find());

    [Fact]
    public void Find_NothingKnown_IsSilent() => Assert.Empty(new SlowEvidence().Find());

    [Theory]
    [InlineData(4.9, null)]
    [InlineData(12, "the host took 12 % of the processors for other guests")]
    public void Find_TimeStolenByTheHost_IsTold(double percent, string? expected) =>
        AssertFinds(Good with { StolenPercent = percent }, expected);

    [Theory]
    [InlineData(15, null)]
    [InlineData(1_234.5, "memory ran short, 1,234 MB went to the disk and back")]
    public void Find_Swapping_IsTold(double megabytes, string? expected) =>
        AssertFinds(Good with { SwappedMegabytes = megabytes }, expected);

    [Theory]
    [InlineData(145, null)]
    [InlineData(140, "the roles had 130 of the 140 MB that they may have")]
    public void Find_MemoryAtItsLimit_IsTold(double allowed, string? expected) =>
        AssertFinds(Good with { AllowedMegabytes = allowed }, expected);

    [Theory]
    [InlineData(10, 199, null)]
    [InlineData(1, 99, null)]
    [InlineData(10, 812, "garbage collections stopped the consumer for 812 ms in all, 8 % of the time")]
    public void Find_Collections_AreTold(double seconds, double millis, string? expected) =>
        AssertFinds(Good with { SteadySeconds = seconds, Pauses = [("provider", 9), ("consumer", millis)] }, expected);

    [Theory]
    [InlineData(0.9, 1_000, null)]
    [InlineData(5, 500_000, null)]
    [InlineData(5, 2_000, "the images took 5.0 s as 2,000 a second were asked for (-requestRate)")]
    public void Find_ImagesAsFastAsAskedFor_AreTold(double seconds, double rate, string? expected) =>
        AssertFinds(Good with { Images = new(10_000, seconds), RequestRate = rate }, expected);

    [Theory]
    [InlineData(1, 10, 10.0, 60, "the connection took no more, though its reader had room; " + Paced)]
    [InlineData(1, 10, 60.0, 60, "the reader had a backlog")]
    [InlineData(1, 10, null, 60, "the reader had a backlog")]
    [InlineData(1, 10, 10.0, 92, "the connection took no more, though its reader had room")]
    [InlineData(1, 50, 10.0, 60, "the connection took no more, though its reader had room, and other programs used 50 % of the machine")]
    [InlineData(0, 10, 10.0, 60, null)]
    public void Find_Pacing_IsToldWhereThePeerHadRoomAndEverybodyTime(
        long stopped, double foreign, double? peerLimited, double core, string? expected) => Assert.Equal(
        expected is null ? null : "the output buffers were used up, as " + expected,
        (Slow with
        {
            Stopped = stopped,
            ForeignPercent = foreign,
            PeerLimitedPercent = peerLimited,
            Workers = [("the worker of the provider", core)],
            Circumstances = Good with { CongestionControl = "bbr" }
        }).Find());

    [Fact]
    public void Find_Several_AreJoinedBehindTheLimit() => Assert.Equal(
        "ticks started up to 200 ms late though no worker used a whole core; the host took 12 % of the processors for other guests",
        (Slow with { MaxLagMicros = 200_000, Circumstances = Good with { StolenPercent = 12 } }).Find());

    [Fact]
    public void Parse_SwapUseOfTheKernel_IsInMegabytes()
    {
        SwapUse before = SwapUse.Parse("nr_free_pages 5\npswpin 10\npswpout 20\n")!.Value,
        after = SwapUse.Parse("pswpin 266\npswpout 20\n")!.Value;
        Assert.Equal(256.0 * Environment.SystemPageSize / 1_048_576, after.MegabytesSince(before));
        Assert.Null(SwapUse.Parse("nothing"));
    }

    [Fact]
    public void StolenShareSince_TicksOfTheHost_IsAPartOfAll() =>
        Assert.Equal(0.25,
            new ProcessorUse(0, 400, 2) { StolenTicks = 60 }.StolenShareSince(new ProcessorUse(0, 200, 2) { StolenTicks = 10 }));

    private static void AssertFinds(SlowEvidence circumstances, string? expected)
    {
        Assert.Equal(expected is null ? [] : [expected], circumstances.Find());
        Assert.Equal(expected, (Slow with { Circumstances = circumstances }).Find());
    }
}
