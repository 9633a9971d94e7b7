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
