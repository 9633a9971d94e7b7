using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

[Trait("Category", "Fast")]
public class NetworkPathTests
{
    private static readonly TcpFacts First = new()
    {
        BusyMicros = 1_000,
        PeerLimitedMicros = 10,
        PathMtu = 1_500,
        RoundTripMicros = 70,
        MinRoundTripMicros = 50,
        SegmentsSent = 100,
        SegmentsResent = 1,
        BytesSent = 10_000,
        BytesResent = 100,
    };

    private static readonly TcpFacts Second = new()
    {
        BusyMicros = 3_000,
        PeerLimitedMicros = 20,
        PathMtu = 1_400,
        RoundTripMicros = 60,
        MinRoundTripMicros = 40,
        SegmentsSent = 200,
        SegmentsResent = 2,
        BytesSent = 20_000,
        BytesResent = 300,
    };

    [Fact]
    public void Merge_SameAddresses_AddsCountsAndKeepsTheExtremes()
    {
        NetworkPath sum = Assert.Single(
            NetworkPath.Merge([Path("a", "b", First), Path("a", "b", Second), Path("a", "b", Second with { MinRoundTripMicros = null })]));
        Assert.Equal(new("a", "b", 3, new()
        {
            BusyMicros = 7_000,
            PeerLimitedMicros = 50,
            PathMtu = 1_400,
            RoundTripMicros = 70,
            MinRoundTripMicros = 40,
            SegmentsSent = 500,
            SegmentsResent = 5,
            BytesSent = 50_000,
            BytesResent = 700,
        }, MaxBusyMicros: 3_000), sum);
    }

    [Fact]
    public void Merge_RoundTripKnownLater_IsKept() =>
        Assert.Equal(40u, NetworkPath.Merge([Path("a", "b", First with { MinRoundTripMicros = null }), Path("a", "b", Second)])[0].Facts.MinRoundTripMicros);

    [Fact]
    public void Merge_OtherAddresses_AreOtherPathsInTheirOrder() => Assert.Equal(
        [("a", "b", 2), ("b", "a", 1), ("a", "c", 1)],
        NetworkPath.Merge([Path("a", "b", First), Path("b", "a", First), Path("a", "c", First), Path("a", "b", Second)])
            .Select(path => (path.Local, path.Peer, path.Connections)));

    [Fact]
    public void Merge_MorePairsThanAreKept_KeepsTheFirst()
    {
        NetworkPath[] paths = [.. Enumerable.Range(0, NetworkPath.MaxKept + 1).Select(i => Path("a", $"b{i}", First))];
        Assert.Equal(paths[..^1], NetworkPath.Merge(paths));
    }

    [Fact]
    public void Of_AConnectionOverLoopback_HasItsAddressesAndWhatTheSystemCounted()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the statistics of a connection are read from Linux");
        using LoopbackPair pair = new();
        pair.Client.Close(); // the statistics are those of its end
        NetworkPath path = Assert.IsType<NetworkPath>(NetworkPath.Of(pair.Client));
        Assert.Equal(("127.0.0.1", "127.0.0.1", 1), (path.Local, path.Peer, path.Connections));
        Assert.InRange(path.Facts.BytesSent, 1, 10_000); // its handshake
        Assert.Equal(path.Facts.BusyMicros, path.MaxBusyMicros);
    }

    private static NetworkPath Path(string local, string peer, TcpFacts facts) => new(local, peer, 1, facts, facts.BusyMicros);
}
