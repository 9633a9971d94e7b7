using LatencyPerf.Links;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>A round over a real link allocates nothing at the publisher, and nothing at the echoer.</summary>
public class LinkAllocationTests
{
    private const int Rounds = 300;
    private const int Margin = 20;
    private const int Runs = 3; // of which one allocates nothing: a way that was not gone before, such as into sleep, costs once

    [Theory(DisableParallelization = true)] // a collection may empty the pools of arrays
    [InlineData("1", 1)]
    [InlineData("1", 2)]
    [InlineData("1 -reliable", 1)]
    [InlineData("2", 1)]
    [InlineData("16", 1)]
    [InlineData("32", 1)]
    public void TryRun_AfterWarmUp_AllocatesNothing(string transport, int subscribers)
    {
        string all = $"-domainId {RoundtripRuns.NextDomain} -transport {transport} ";
        using ILink link =
            TestPlace.Find(OptionLines.Accept(LatencyPerfOptionTable.Instance,
                $"-publish {all} -maxSize 64 -subscribers {subscribers}").LoadLinkOptions()).CreateLink();
        long[] echoed = new long[subscribers + 1];
        using CancellationTokenSource stop = new();
        TestThread[] threads =
            [.. Enumerable.Range(1,
                subscribers).Select(cookie => new TestThread(() => echoed[cookie] = Echo(all, cookie, cookie == subscribers, stop.Token)))];
        foreach (TestThread thread in threads)
            thread.Start();

        RendezvousTerms terms = ConversationPair.CreateTerms(subscribers, transport.EndsWith("-reliable", StringComparison.Ordinal)) with
        {
            Identity = new TestIdentity(OptionLines.Accept(LatencyPerfOptionTable.Instance, "-publish " + all).DomainId, 0,
                ConversationPair.Session),
        };
        LinkReader reader = new(link, isBusy: false, spinNanos: 0);
        Meet(new PublisherRendezvous(terms), link, reader);
        RoundLoop loop = new(terms.Reliable ? new StrictRounds(terms) : new BestEffortRounds(terms, 1_000_000_000), link, reader,
            verifies: false, stop.Token);
        Assert.True(Run(loop));
        bool isWhole = true;
        long allocated = long.MaxValue;
        for (int i = 0; i < Runs && isWhole; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            isWhole = Run(loop);
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        stop.Cancel();
        foreach (TestThread thread in threads)
            thread.Join();

        Assert.True(isWhole, loop.Trouble);
        Assert.Equal(0, allocated);
        Assert.Equal(0, echoed[subscribers]);
    }

    private static void Meet(PublisherRendezvous meeting, ILink link, LinkReader reader)
    {
        for (int i = 0; i < 10_000 && !meeting.IsComplete; i++)
        {
            long now = PerfCommon.Measurement.Clock.NowNanos;
            if (reader.TryRead(Math.Min(meeting.NextWakeNanos, now + 10_000_000), out Span<byte> datagram)
                && DatagramHeader.TryRead(datagram, out DatagramHeader header))
            {
                meeting.Receive(header, datagram[DatagramHeader.Bytes..], link.Source, now, link);
            }

            meeting.Tick(now, link);
        }

        Assert.True(meeting.IsComplete);
        link.EndRendezvous();
    }

    private static bool Run(RoundLoop loop)
    {
        for (int i = 0; i < Rounds; i++)
        {
            if (!loop.TryRun(64, DatagramMarks.None))
                return false;
        }

        return true;
    }

    // The least that one of the runs made this thread allocate.
    private static long Echo(string all, int cookie, bool echoes, CancellationToken stop)
    {
        LatencyPerfOptions options = OptionLines.Accept(LatencyPerfOptionTable.Instance, $"-subscribe {all} -cookie {cookie}");
        using ILink link = TestPlace.Find(options.LoadLinkOptions()).CreateLink();
        SubscriberRendezvous meeting = new(options.DomainId, cookie, new Announcement(options.UsesStrictDelivery, !echoes, 1, null));
        SubscriberConversation conversation = new(meeting, echoes, options.UsesStrictDelivery);
        LinkReader reader = new(link, isBusy: false, spinNanos: 0);
        long least = long.MaxValue, begin = 0, data = 0;
        while (!stop.IsCancellationRequested)
        {
            long now = PerfCommon.Measurement.Clock.NowNanos;
            if (reader.TryRead(Math.Min(conversation.NextWakeNanos, now + 10_000_000), out Span<byte> datagram))
                conversation.Receive(datagram, now, link);
            else
                conversation.Tick(now, link);
            if (!conversation.HasData)
                continue;
            long place = ++data % Rounds;
            if (place == Margin)
                begin = GC.GetAllocatedBytesForCurrentThread();
            else if (place == Rounds - Margin && data > Rounds)
                least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - begin);
        }

        return least;
    }
}
