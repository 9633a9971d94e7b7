using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class SlowCauseTests
{
    private static readonly SlowCause Nothing = new()
    {
        Workers = [("the worker of the provider", 60), ("the worker of the consumer", 40)],
        ForeignPercent = 90
    };

    [Fact]
    public void Find_NothingProven_IsSilent() => Assert.Null(Nothing.Find());

    [Fact]
    public void Find_WorkerAtItsLimit_IsNamed() => Assert.Equal(
        "the worker of the consumer used 95 % of a core",
        (Nothing with
        {
            Workers = [("the worker of the provider", 94.9), ("the worker of the consumer", 95)],
            MaxLagMicros = 2_000_000
        }).Find());

    [Fact]
    public void Find_FewerBuffersThanATickFills_SaysHowManyAreNeeded() => Assert.Equal(
        "50 output buffers are fewer than the 1,000 that a tick fills; -outputBufs 1000 is needed",
        (Nothing with { Stopped = 1, OutputBuffers = 50, BuffersPerTick = 1_000 }).Find());

    [Fact]
    public void Find_BuffersUsedUp_NamesTheReader() => Assert.Equal(
        "the output buffers were used up, as the reader at 10.1.2.3:40000 had a backlog, and other programs used 90 % of the machine",
        (Nothing with
        {
            Stopped = 1,
            OutputBuffers = 50,
            BuffersPerTick = 50,
            SlowPeer = "10.1.2.3:40000",
            MaxLagMicros = 200_000
        }).Find());

    [Theory]
    [InlineData(50, "the reader at 10.1.2.3:40000 had a backlog")]
    [InlineData(49.9, "the connection to 10.1.2.3:40000 took no more, though its reader had room")]
    public void Find_BuffersUsedUp_BlamesTheReaderOnlyWithoutRoom(double peerLimitedPercent, string expected) => Assert.Equal(
        $"the output buffers were used up, as {expected}, and other programs used 90 % of the machine",
        (Nothing with { Stopped = 1, SlowPeer = "10.1.2.3:40000", PeerLimitedPercent = peerLimitedPercent }).Find());

    [Theory]
    [InlineData(null, 49.9, "the link from 10.1.2.1 to 10.1.2.3 took no more than 80 Mbit/s (round trip 0.12 to 25.5 ms, path MTU 1500, "
        + "21 of 4,200 segments resent (0.5 %)), though its reader had room")]
    [InlineData(88.8, 49.9, "the link from 10.1.2.1 to 10.1.2.3 took no more than 80 Mbit/s (round trip 0.12 to 25.5 ms, path MTU 1500, "
        + "21 of 4,200 segments resent (0.5 %)), as its card eth0 has 89 Mbit/s, though its reader had room")]
    [InlineData(89.0, 50.0, "the reader at 10.1.2.3:40000 had a backlog")]
    public void Find_BuffersUsedUpBetweenHosts_BlamesTheLinkUnlessTheReaderHadNoRoom(double? cardMegabits, double peerLimitedPercent, string expected) =>
        Assert.Equal($"the output buffers were used up, as {expected}, and other programs used 90 % of the machine", (Nothing with
        {
            Stopped = 1,
            SlowPeer = "10.1.2.3:40000",
            PeerLimitedPercent = peerLimitedPercent,
            Path = new()
            {
                Role = "provider",
                Local = "10.1.2.1",
                Peer = "10.1.2.3",
                Card = "eth0",
                CardMegabits = cardMegabits,
                Connections = 1,
                MinRoundTripMicros = 120,
                RoundTripMicros = 25_500,
                PathMtuBytes = 1_500,
                SegmentsSent = 4_200,
                SegmentsResent = 21,
                BytesSent = 50_030_000,
                BytesResent = 30_000,
                BusySeconds = 5,
            },
        }).Find());

    [Theory]
    [InlineData(100_000, 90,
        "ticks started up to 100 ms late though no worker used a whole core, and other programs used 90 % of the machine")]
    [InlineData(1_012_345, 19, "ticks started up to 1,012 ms late though no worker used a whole core")]
    [InlineData(99_999, 90, null)]
    public void Find_LateTicks_SaysHowLate(double maxLagMicros, double foreignPercent, string? expected) =>
        Assert.Equal(expected, (Nothing with { MaxLagMicros = maxLagMicros, ForeignPercent = foreignPercent }).Find());
}
