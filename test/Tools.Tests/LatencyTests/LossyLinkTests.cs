using LatencyPerf.Links;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>A link that drops on purpose, and the reader of a link without datagrams.</summary>
[Trait("Category", "Fast")]
public sealed class LossyLinkTests : IDisposable
{
    private readonly List<(int Peer, byte First)> _sent = [];
    private readonly DirectLink _inner;

    public LossyLinkTests() => _inner = new DirectLink((peer, datagram) => _sent.Add((peer, datagram[0])), () => { })
    {
        KernelDrops = 7,
        Broken = "the wire",
        IsRefused = true,
    };

    public void Dispose() => _inner.Dispose();

    [Theory]
    [InlineData(0.0, 200, 200)]
    [InlineData(1.0, 0, 0)]
    [InlineData(0.25, 110, 190)]
    public void TryReceive_DropsItsShareAndCountsIt(double rate, int least, int most)
    {
        using LossyLink link = new(_inner, rate, seed: 3);
        for (int i = 0; i < 200; i++)
            _inner.Arrive(1, Heartbeat());
        int received = 0;
        while (link.TryReceive(out _))
            received++;
        Assert.InRange(received, least, most);
        Assert.Equal(200 - received, link.Dropped);
    }

    /// <summary>All but what arrives is that of the link below.</summary>
    [Fact]
    public void Members_OfALossyLink_AreThoseOfTheLinkBelow()
    {
        using LossyLink link = new(_inner, 1, seed: 3);
        Assert.Equal((7L, "the wire", true, false), (link.KernelDrops, link.Broken, link.PollRefusal(), link.PollRefusal()));
        link.Send(3, [1]);
        link.SendData([2]);
        link.Wait(0);
        link.EndRendezvous();
        Assert.Equal((1, true), (_inner.Waits, _inner.HasEndedRendezvous));
        Assert.Equal([1, 2], _sent.Select(one => one.First));
        Assert.Equal(3, _sent[0].Peer);
    }

    [Theory]
    [InlineData(true, 0, 0)]
    [InlineData(false, 0, 1)]
    [InlineData(false, 1_000, 1)]
    public void TryRead_WithoutADatagram_HasNone(bool isBusy, long spinNanos, int waits)
    {
        LinkReader reader = new(_inner, isBusy, spinNanos);
        Assert.False(reader.TryRead(0, out Span<byte> none));
        Assert.Equal((0, waits), (none.Length, _inner.Waits));
    }

    private static byte[] Heartbeat()
    {
        byte[] datagram = new byte[DatagramHeader.Bytes];
        new DatagramHeader(DatagramKind.Heartbeat, 7, 1, DatagramMarks.None, 0, 0, 0).Write(datagram);
        return datagram;
    }
}
