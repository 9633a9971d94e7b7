using LatencyPerf.Protocol;
using Xunit;

namespace Tools.Tests.LatencyTests;

public class DeliveryTests
{
    private const int Seeds = 1_000;
    private const int Rounds = 60;

    [Fact]
    public void Strict_AnyNetwork_DeliversEverythingOnceAndInOrder()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            int window = 2 << (seed % 6);
            ConversationPair pair = new(
                new SimulatedNetwork(seed, lossShare: 0.3 * (seed % 7) / 6, oddShare: 0.1 * (seed % 3)) { Subscribers = 4 },
                ConversationPair.CreateTerms(4, reliable: true, window));
            pair.Meet();
            for (int i = 0; i < Rounds; i++)
                Assert.True(pair.RunRound(), $"seed {seed}, round {i}");
            pair.Settle();
            pair.End();

            Assert.Equal(Enumerable.Range(1, Rounds).Select(i => (ulong)i), pair.Replies);
            Assert.All(pair.Subscribers, one => Assert.Equal((Rounds, 0L), (one.Counts!.Value.Received, one.Counts.Value.Lost)));
            Assert.Equal(Rounds, pair.Subscribers[3].Counts!.Value.Replied);
            Assert.All(pair.Subscribers.SkipLast(1), one => Assert.Equal(0, one.Counts!.Value.Replied));
        }
    }

    [Fact]
    public void Strict_SilentReceiver_StopsAtTheWindowAndNamesTheCookie()
    {
        ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 2 },
            ConversationPair.CreateTerms(2, reliable: true, window: 4));
        pair.Meet();
        for (ulong i = 1; i <= 4; i++)
        {
            Assert.True(pair.Rounds.MayBegin);
            pair.Rounds.Prepare(32, DatagramMarks.None);
            pair.Rounds.Send(1, pair.PublisherEnd);
            DatagramHeader reply = new(DatagramKind.Reply, 7, 2, DatagramMarks.Reliable, ConversationPair.Session, 32, i);
            byte[] datagram = new byte[56];
            DataPacket.Stamp(datagram.AsSpan(DatagramHeader.Bytes), i, 1);
            Assert.True(pair.Rounds.Receive(reply, datagram, 1, pair.PublisherEnd));
        }

        Assert.False(pair.Rounds.MayBegin);
        pair.Rounds.Tick(StrictRounds.PatienceNanos + 2, pair.PublisherEnd);
        Assert.Equal("no progress for 10 s: cookie 1 has 0 of 4", pair.Rounds.Trouble);
    }

    [Fact]
    public void BestEffort_AnyNetwork_CountsEveryRoundAndEveryPacket()
    {
        for (int seed = 0; seed < Seeds / 10; seed++)
        {
            ConversationPair pair = new(new SimulatedNetwork(seed, lossShare: 0.05, oddShare: 0.02) { Subscribers = 2 },
                ConversationPair.CreateTerms(2));
            pair.Meet();
            int lost = 0;
            for (int i = 0; i < Rounds; i++)
                lost += pair.RunRound() ? 0 : 1;
            pair.RunUntil(() => pair.Network.NextArrivalNanos == long.MaxValue);
            pair.End();

            Assert.Equal(Rounds, pair.Replies.Count + lost);
            Assert.All(pair.Subscribers, one => Assert.Equal(Rounds, one.Counts!.Value.Received + one.Counts.Value.Lost));
        }
    }

    [Fact]
    public void BestEffort_ReplyBehindItsTime_IsLateOnceThenDuplicate()
    {
        ConversationPair pair = new(new SimulatedNetwork(1, lossShare: 1) { Subscribers = 1 }, ConversationPair.CreateTerms(1));
        pair.Rounds.Prepare(32, DatagramMarks.None);
        pair.Rounds.Send(1_000, pair.PublisherEnd);
        pair.Rounds.Tick(50_001_000, pair.PublisherEnd);
        Assert.True(pair.Rounds.IsLost);

        byte[] late = GoldenDatagrams.Bytes(DatagramKind.Reply);
        DataPacket.Stamp(late.AsSpan(DatagramHeader.Bytes), 1, 1_000);
        DatagramHeader header = new(DatagramKind.Reply, 7, 1, DatagramMarks.None, ConversationPair.Session, 18, 1);
        Assert.False(pair.Rounds.Receive(header, late, 60_001_000, pair.PublisherEnd));
        Assert.False(pair.Rounds.Receive(header, late, 70_001_000, pair.PublisherEnd));

        Assert.Equal((1, 60_000_000L, 1L), (pair.Rounds.Late, pair.Rounds.LongestLateNanos, pair.Rounds.Duplicates));
    }

    // Memory that is shared has no checksum: a number that was written over must not make everything that follows old.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Take_HeaderWithADamagedNumber_IsForeignAndMovesNobodyOn(bool reliable)
    {
        ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 1 }, ConversationPair.CreateTerms(1, reliable));
        pair.Meet();
        Assert.True(pair.RunRound());
        byte[] data = new byte[DatagramHeader.Bytes + 32];
        new DatagramHeader(DatagramKind.Data, 7, 0, DatagramMarks.None, ConversationPair.Session, 32, ulong.MaxValue).Write(data);
        DataPacket.Stamp(data.AsSpan(DatagramHeader.Bytes), 2, 1);
        pair.Subscribers[0].Receive(data, pair.Network.NowNanos, pair.PublisherEnd);
        byte[] reply = [.. data];
        DatagramHeader older = new(DatagramKind.Reply, 7, 1, DatagramMarks.None, ConversationPair.Session, 32, 1);
        Assert.False(pair.Rounds.Receive(older, reply, pair.Network.NowNanos, pair.PublisherEnd));

        Assert.True(pair.RunRound());
        pair.Settle();
        pair.End();
        Assert.Equal((2L, 0L, 1L, 1L, 0L), (pair.Subscribers[0].Counts!.Value.Received, pair.Subscribers[0].Counts!.Value.Lost,
            pair.Subscribers[0].Foreign, pair.Rounds.Foreign, pair.Rounds.Duplicates));
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(2, true)]
    [InlineData(3, false)]
    public void Receive_ReplyOfNoSubscriber_IsForeign(int from, bool isOurs)
    {
        foreach (bool reliable in new[] { false, true })
        {
            ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 2 }, ConversationPair.CreateTerms(2, reliable));
            pair.Rounds.Prepare(32, DatagramMarks.None);
            pair.Rounds.Send(1, pair.PublisherEnd);
            byte[] datagram = new byte[DatagramHeader.Bytes + 32];
            DataPacket.Stamp(datagram.AsSpan(DatagramHeader.Bytes), 1, 1);
            DatagramHeader header = new(DatagramKind.Reply, 7, from, DatagramMarks.None, ConversationPair.Session, 32, 1);
            pair.Rounds.Receive(header, datagram, 2, pair.PublisherEnd);
            Assert.Equal(isOurs ? 0 : 1, pair.Rounds.Foreign);
            Assert.False(pair.Rounds.Receive(header with { Session = 1 }, datagram, 3, pair.PublisherEnd));
            Assert.Equal(isOurs ? 1 : 2, pair.Rounds.Foreign);
        }
    }

    [Fact]
    public void BestEffortArrivals_GapThenItsPacket_IsLateAndNotLost()
    {
        BestEffortArrivals arrivals = new(new TestIdentity(7, 1, 1), echoes: true, DatagramMarks.None);
        SimulatedNetwork.End output = new SimulatedNetwork(1).CreateEnd(1);
        foreach (ulong sequence in new ulong[] { 1, 4, 4, 2, 2 })
            arrivals.ReceiveData(new(DatagramKind.Data, 7, 0, DatagramMarks.None, 1, 16, sequence), new byte[40], 1, output);
        arrivals.RecordLast(6);

        Assert.Equal((3, 3, 1, 2), (arrivals.Received, arrivals.Lost, arrivals.Late, arrivals.Duplicates));
        Assert.Equal(2, arrivals.Replied);
    }

    // A receiver that says over and over what it misses gets each of it once, until it says so again when its repeat is due.
    [Fact]
    public void Strict_NacksWithoutEnd_BringEachDatagramOnceInFourMillis()
    {
        const int rounds = 40, nacks = 1_000;
        ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 2 }, ConversationPair.CreateTerms(2, reliable: true));
        pair.Meet();
        for (int i = 0; i < rounds; i++)
            pair.RunRound();
        long before = pair.Rounds.Resent, sentBefore = pair.PublisherEnd.SentBytes;
        foreach (long now in new long[] { 0, 3_999_999, 4_000_000 })
        {
            for (int i = 0; i < nacks; i++)
                Nack(pair, (ulong)(i % rounds), pair.Network.NowNanos + now);
        }

        Assert.Equal(2 * rounds, pair.Rounds.Resent - before);
        Assert.Equal(2 * rounds * (DatagramHeader.Bytes + 32), pair.PublisherEnd.SentBytes - sentBefore);
    }

    [Fact]
    public void StrictArrivals_DatagramsBeyondTheWindow_AreNotHeld()
    {
        const int Window = 8;
        StrictArrivals arrivals = new(new TestIdentity(7, 1, 1), echoes: false, DatagramMarks.Reliable,
            new WelcomeTerms(1, 1, null, 1, 16, DataPacket.MaxBytes, Window));
        SimulatedNetwork.End output = new SimulatedNetwork(1, lossShare: 1).CreateEnd(1);
        for (ulong sequence = 2; sequence <= 100; sequence++)
            Take(sequence);
        Take(1);
        Assert.Equal(Window, arrivals.Received); // the first, and those held after it
        Take(Window + 1);
        Assert.Equal(Window + 1, arrivals.Received);

        void Take(ulong sequence) =>
            arrivals.ReceiveData(new(DatagramKind.Data, 7, 0, DatagramMarks.Reliable, 1, 16, sequence), new byte[40], 1, output);
    }

    [Fact]
    public void StrictArrivals_WindowThatIsOnlyAnnounced_TakesNoMemory()
    {
        WelcomeTerms terms = new(1, 1, null, 1, 16, DataPacket.MaxBytes, LatencyPerf.Protocol.Windows.Max);
        long before = GC.GetAllocatedBytesForCurrentThread();
        StrictArrivals arrivals = new(new TestIdentity(7, 1, 1), echoes: false, DatagramMarks.Reliable, terms);
        SimulatedNetwork.End output = new SimulatedNetwork(1, lossShare: 1).CreateEnd(1);
        for (ulong sequence = 2; sequence < 12; sequence++)
            arrivals.ReceiveData(new(DatagramKind.Data, 7, 0, DatagramMarks.Reliable, 1, 16, sequence), new byte[40], 1, output);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
        byte[] first = new byte[40];
        arrivals.ReceiveData(new(DatagramKind.Data, 7, 0, DatagramMarks.Reliable, 1, 16, 1), first, 1, output);
        Assert.Equal(11, arrivals.Received);
    }

    [Fact(DisableParallelization = true)] // a collection may empty the pools of arrays
    public void Rounds_WithoutTrouble_AllocateNothing()
    {
        foreach (bool reliable in new[] { false, true })
        {
            ConversationPair pair = new(new SimulatedNetwork(1, lossShare: 1) { Subscribers = 1 },
                ConversationPair.CreateTerms(1, reliable));
            SimulatedNetwork.End lost = new SimulatedNetwork(1, lossShare: 1) { Subscribers = 1 }.CreateEnd(0);
            byte[] reply = GoldenDatagrams.Bytes(DatagramKind.Reply);
            RunRounds(pair.Rounds, lost, reply, 200);
            long before = GC.GetAllocatedBytesForCurrentThread();
            RunRounds(pair.Rounds, lost, reply, 2_000);
            Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        }
    }

    // Reports that all datagrams after a number are missing.
    private static void Nack(ConversationPair pair, ulong sequence, long nowNanos)
    {
        byte[] nack = new byte[DatagramHeader.Bytes + NackBody.Bytes];
        nack.AsSpan(DatagramHeader.Bytes).Fill(0xFF);
        DatagramHeader header = new(DatagramKind.Nack, 7, 1, DatagramMarks.None, ConversationPair.Session, NackBody.Bytes, sequence);
        pair.Rounds.Receive(header, nack, nowNanos, pair.PublisherEnd);
    }

    private static void RunRounds(RoundDelivery rounds, SimulatedNetwork.End output, byte[] reply, int count)
    {
        for (int i = 0; i < count; i++)
        {
            rounds.Prepare(18, DatagramMarks.None);
            rounds.Send(1, output);
            DatagramHeader header = new(DatagramKind.Reply, 7, 1, DatagramMarks.None, ConversationPair.Session, 18, rounds.Sequence);
            DataPacket.Stamp(reply.AsSpan(DatagramHeader.Bytes), rounds.Sequence, 1);
            if (!rounds.Receive(header, reply, 1, output))
                throw new InvalidOperationException("no reply");
        }
    }
}
