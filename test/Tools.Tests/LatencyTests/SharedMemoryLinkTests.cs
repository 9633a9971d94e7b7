using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public class SharedMemoryLinkTests
{
    private const int Datagrams = 3;
    private const long LongNanos = 60_000_000_000;

    // A subscriber that others wake finds several datagrams at once; the last of them must not wait for the next.
    [Fact]
    public void Wait_DatagramsThatCameTogether_AreNotSleptOn()
    {
        SharedPlace place = new(RoundtripRuns.NextDomain);
        using SharedMemoryLink publisher = new(place, IDatagramOutput.Publisher, new SharedLayout(64, 256, 1));
        using SharedMemoryLink subscriber = new(place, 1, default);
        subscriber.Send(IDatagramOutput.Publisher, new byte[16]); // finds the memory
        for (int i = 0; i < Datagrams; i++)
            publisher.SendData(new byte[16]);

        Assert.True(ReadsAll(subscriber), "the subscriber sleeps beside a datagram");
    }

    [Fact]
    public void Wait_RepliesThatCameTogether_AreNotSleptOn()
    {
        SharedPlace place = new(RoundtripRuns.NextDomain);
        using SharedMemoryLink publisher = new(place, IDatagramOutput.Publisher, new SharedLayout(64, 256, 1));
        using SharedMemoryLink subscriber = new(place, 1, default);
        for (int i = 0; i < Datagrams; i++)
            subscriber.Send(IDatagramOutput.Publisher, new byte[16]);

        Assert.True(ReadsAll(publisher), "the publisher sleeps beside a reply");
    }

    /// <summary>Each side receives what is sent to it or to all; the publisher knows the sender until the rendezvous has ended.</summary>
    [Fact]
    public void Send_ToOneAndToAll_ReachesThoseAlone()
    {
        SharedPlace place = new(RoundtripRuns.NextDomain);
        using SharedMemoryLink publisher = new(place, IDatagramOutput.Publisher, new SharedLayout(64, 256, 2));
        using SharedMemoryLink one = new(place, 1, default), two = new(place, 2, default);
        one.Send(IDatagramOutput.Publisher, Datagram(1));
        two.Send(IDatagramOutput.Publisher, Datagram(2));
        Assert.True(publisher.TryReceive(out Span<byte> first));
        (byte from, PeerAddress oneAt) = (first[0], publisher.Source!);
        Assert.Equal([2], ReadAll(publisher));
        Assert.Equal((1, "shmem://1", "shmem://2"), (from, oneAt.Text, publisher.Source!.Text));
        publisher.Send(2, Datagram(20));
        publisher.SendData(Datagram(30));
        publisher.Answer(oneAt, Datagram(10));
        Assert.Equal([30, 10], ReadAll(one));
        Assert.Equal([20, 30], ReadAll(two));

        one.EndRendezvous();
        Assert.True(File.Exists(place.MemoryPath));
        publisher.EndRendezvous();
        Assert.False(File.Exists(place.MemoryPath));
        one.SendData(Datagram(3));
        Assert.Equal([3], ReadAll(publisher));
        Assert.Null(publisher.Source);
    }

    [Fact]
    public void LookForPeers_SideThatIsGone_IsNamed()
    {
        SharedPlace place = new(RoundtripRuns.NextDomain);
        SharedMemoryLink publisher = new(place, IDatagramOutput.Publisher, new SharedLayout(64, 256, 2));
        SharedMemoryLink one = new(place, 1, default);
        using SharedMemoryLink two = new(place, 2, default);
        two.Send(IDatagramOutput.Publisher, Datagram(2));
        publisher.SendData(Datagram(30));
        Assert.Equal([30], ReadAll(two));
        publisher.Admit(1, new PeerAddress("shmem://1", "shmem://"));
        Assert.Equal((true, false), (publisher.IsReachable(1), publisher.IsReachable(2)));
        one.Dispose();
        Assert.False(publisher.IsReachable(1));
        publisher.LookForPeers();
        Assert.Equal("the subscriber with cookie 1 is gone: its lock is free", publisher.Broken);
        Assert.Null(two.Broken);
        publisher.Dispose();
        two.LookForPeers();
        Assert.Equal("its lock on the shared memory is free", two.Broken);
    }

    [Fact]
    public void Wait_WithoutAPublisher_EndsAtItsTime()
    {
        using SharedMemoryLink subscriber = new(new SharedPlace(RoundtripRuns.NextDomain), 1, default);
        TestThread waiting = new(() => subscriber.Wait(5_000_000));
        waiting.Start();
        Assert.True(waiting.Join(TimeSpan.FromSeconds(60)));
    }

    private static byte[] Datagram(byte first) => [first, .. new byte[15]];

    private static List<byte> ReadAll(SharedMemoryLink link)
    {
        List<byte> received = [];
        while (link.TryReceive(out Span<byte> datagram))
            received.Add(datagram[0]);
        return received;
    }

    private static bool ReadsAll(SharedMemoryLink link)
    {
        int received = 0;
        TestThread reader = new(() =>
        {
            while (received < Datagrams)
            {
                link.Wait(LongNanos);
                received += link.TryReceive(out _) ? 1 : 0;
            }
        });
        reader.Start();
        return reader.Join(TimeSpan.FromSeconds(60));
    }
}
