using System.Buffers.Binary;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The rounds of a publisher, datagram by datagram: when it may go on, what it sends again, and what it counts.</summary>
[Trait("Category", "Fast")]
public sealed class RoundRulesTests
{
    private const long Milli = Clock.NanosPerMilli;

    private readonly DatagramRecord _output = new();

    /// <summary>A group does not show that a peer is gone; a unicast datagram does.</summary>
    [Theory]
    [InlineData(false, "")]
    [InlineData(true, " Reliable")]
    public void Probe_Rounds_SendAStartToEverySubscriber(bool reliable, string mark)
    {
        RendezvousTerms terms = ConversationPair.CreateTerms(3, reliable);
        RoundDelivery rounds = reliable ? new StrictRounds(terms) : new BestEffortRounds(terms, Milli);
        rounds.Probe(_output);
        Assert.Equal([$"1: Start 0{mark}", $"2: Start 0{mark}", $"3: Start 0{mark}"], _output.Take());
        Assert.Equal(0UL, rounds.Sequence);
    }

    [Fact]
    public void Strict_Rounds_AskForAcknowledgementsFourTimesAWindow()
    {
        StrictRounds rounds = new(ConversationPair.CreateTerms(1, reliable: true, window: 8));
        for (ulong round = 1; round <= 6; round++)
        {
            Send(rounds, 100);
            Assert.True(Reply(rounds, round, 100));
        }

        Assert.Equal([.. Enumerable.Range(1, 6).Select(i => $"data: Data {i} Reliable{(i % 2 == 0 ? ", AckWanted" : "")} [20: {i} at 100]")], _output.Take());
        Assert.Equal((6UL, true, true, long.MaxValue), (rounds.Sequence, rounds.MayBegin, rounds.IsSettled, rounds.NextWakeNanos));
    }

    /// <summary>A window may be open: one more waits for the slowest subscriber.</summary>
    [Fact]
    public void Strict_AtItsWindow_WaitsForTheSlowest()
    {
        StrictRounds rounds = new(ConversationPair.CreateTerms(2, reliable: true, window: 4));
        for (ulong round = 1; round <= 4; round++)
        {
            Assert.True(rounds.MayBegin);
            Send(rounds, 0);
            Assert.True(Reply(rounds, round, 0, from: 2));
        }

        Assert.Equal((false, false), (rounds.MayBegin, rounds.IsSettled));
        Other(rounds, DatagramKind.Ack, 1, from: 1, 0);
        Assert.Equal((true, false), (rounds.MayBegin, rounds.IsSettled));
        Other(rounds, DatagramKind.Ack, 4, from: 1, 0);
        Assert.Equal((true, true), (rounds.MayBegin, rounds.IsSettled));
        Other(rounds, DatagramKind.Ack, 2, from: 1, 0); // an older one takes nothing back
        Assert.True(rounds.IsSettled);
        Other(rounds, DatagramKind.Ack, 5, from: 1, 0); // of a round that was never sent
        Assert.Equal(1, rounds.Foreign);
    }

    /// <summary>Without a datagram for 5 ms, doubling to 100, all that miss something are polled; with one the silence begins anew.</summary>
    [Fact]
    public void Strict_Silence_IsEndedByPollsThatGetRarer()
    {
        StrictRounds rounds = new(ConversationPair.CreateTerms(2, reliable: true, window: 4));
        Send(rounds, 1_000);
        _output.Take();
        long at = 1_000;
        foreach (long wait in (long[])[5, 10, 20, 40, 80, 100, 100])
        {
            Assert.Equal(at + (wait * Milli), rounds.NextWakeNanos);
            rounds.Tick(at + (wait * Milli) - 1, _output);
            Assert.Empty(_output.Take());
            at += wait * Milli;
            rounds.Tick(at, _output);
            Assert.Equal(["1: Heartbeat 1 Reliable [1-1]", "2: Heartbeat 1 Reliable [1-1]"], _output.Take());
        }

        Other(rounds, DatagramKind.Ack, 1, from: 1, at + 500);
        Assert.Equal(at + 500 + (5 * Milli), rounds.NextWakeNanos);
        rounds.Tick(at + 500 + (5 * Milli), _output);
        Assert.Equal(["2: Heartbeat 1 Reliable [1-1]"], _output.Take());
        Assert.True(Reply(rounds, 1, at + (6 * Milli), from: 2));
        Assert.Equal(long.MaxValue, rounds.NextWakeNanos);
    }

    [Theory]
    [InlineData(-1, null)]
    [InlineData(0, "no progress for 10 s: cookie 1 has 0 of 1")]
    public void Strict_WithoutProgress_EndsAfterTenSeconds(long beyond, string? trouble)
    {
        StrictRounds rounds = new(ConversationPair.CreateTerms(2, reliable: true, window: 4));
        Send(rounds, 1_000);
        Reply(rounds, 1, 1_000, from: 2);
        Other(rounds, DatagramKind.Ack, 0, from: 1, 5_000 * Milli); // it is alive, and has nothing new
        rounds.Tick(1_000 + (10 * Clock.NanosPerSecond) + beyond, _output);
        Assert.Equal(trouble, rounds.Trouble);
    }

    /// <summary>What a subscriber misses is sent to it alone, marked, and not again within 4 ms.</summary>
    [Fact]
    public void Strict_Nack_SendsWhatIsMissingOnceInFourMillis()
    {
        StrictRounds rounds = new(ConversationPair.CreateTerms(2, reliable: true, window: 4));
        for (ulong round = 1; round <= 4; round++)
        {
            Send(rounds, 0);
            Reply(rounds, round, 0, from: 2);
        }

        _output.Take();
        Nack(rounds, after: 1, missing: 0b101, from: 1, 1_000); // 2 and 4
        Assert.Equal(["1: Data 2 Reliable, AckWanted, Resent [20: 2 at 0]", "1: Data 4 Reliable, AckWanted, Resent [20: 4 at 0]"], _output.Take());
        Nack(rounds, 1, 0b111, from: 1, 1_000 + (4 * Milli) - 1);
        Assert.Equal(["1: Data 3"], [.. _output.Take().Select(sent => sent[..9])]);
        Nack(rounds, 1, 0b111, from: 2, 1_000 + (4 * Milli) - 1); // another subscriber
        Assert.Equal(3, _output.Take().Count);
        Nack(rounds, 1, 0b001, from: 1, 1_000 + (4 * Milli));
        Assert.Equal(["1: Data 2"], [.. _output.Take().Select(sent => sent[..9])]);
        Nack(rounds, 1, 0b1000, from: 1, 90 * Milli); // 5, which was never sent
        Assert.Equal((0, 7L), (_output.Take().Count, rounds.Resent));
        Nack(rounds, 5, 1, from: 1, 90 * Milli);
        Assert.Equal((0, 1L), (_output.Take().Count, rounds.Foreign));
    }

    /// <summary>Only its reply ends the echoer's round: an acknowledgement of the open round counts up to the one before.</summary>
    [Fact]
    public void Strict_AcknowledgementOfTheEchoer_DoesNotStandForItsReply()
    {
        StrictRounds rounds = new(ConversationPair.CreateTerms(1, reliable: true, window: 4));
        Send(rounds, 0);
        Other(rounds, DatagramKind.Ack, 1, from: 1, 0);
        Assert.False(rounds.IsSettled);
        Assert.True(Reply(rounds, 1, 0));
        Assert.True(rounds.IsSettled);
        Assert.False(Reply(rounds, 1, 0));
        Assert.Equal((1L, 0L, 0L), (rounds.Duplicates, rounds.Late, rounds.Foreign));
    }

    /// <summary>A round without a reply in time is lost; its reply is late once, with its time, up to 64 rounds later.</summary>
    [Fact]
    public void BestEffort_RoundWithoutAReply_IsLostAtItsTime()
    {
        BestEffortRounds rounds = new(ConversationPair.CreateTerms(1), replyTimeoutNanos: 50);
        Send(rounds, 1_000);
        Assert.Equal((1_050, false), (rounds.NextWakeNanos, rounds.IsLost));
        rounds.Tick(1_049, _output);
        Assert.False(rounds.IsLost);
        rounds.Tick(1_050, _output);
        Assert.Equal((true, long.MaxValue, true, true), (rounds.IsLost, rounds.NextWakeNanos, rounds.MayBegin, rounds.IsSettled));
        Send(rounds, 2_000);
        Assert.False(rounds.IsLost);
        Assert.True(Reply(rounds, 2, 2_010));
        rounds.Tick(2_050, _output);
        Assert.False(rounds.IsLost);
        Assert.False(Reply(rounds, 1, 5_000));
        Assert.False(Reply(rounds, 1, 6_000));
        Assert.False(Reply(rounds, 2, 6_000));
        Assert.Equal((1L, 4_000L, 2L, 0L), (rounds.Late, rounds.LongestLateNanos, rounds.Duplicates, rounds.Foreign));
    }

    [Fact]
    public void BestEffort_LateReplies_KeepTheLongestAndTheLastRounds()
    {
        BestEffortRounds rounds = new(ConversationPair.CreateTerms(1), replyTimeoutNanos: 50);
        for (int round = 1; round <= 65; round++)
        {
            Send(rounds, 1_000 * round);
            rounds.Tick((1_000 * round) + 50, _output);
        }

        Assert.False(Reply(rounds, 1, 100_000)); // 64 rounds ago: forgotten
        Assert.Equal((0L, 1L), (rounds.Late, rounds.Duplicates));
        Assert.False(Reply(rounds, 2, 100_000));
        Assert.False(Reply(rounds, 65, 100_000));
        Assert.Equal((2L, 98_000L, 1L), (rounds.Late, rounds.LongestLateNanos, rounds.Duplicates));
    }

    /// <summary>Datagrams of others, of unknown cookies and of kinds that a publisher does not receive are no part of the test.</summary>
    [Theory]
    [InlineData(nameof(DatagramKind.Reply), 7, 0, 1u, true)]
    [InlineData(nameof(DatagramKind.Reply), 7, 3, 1u, true)]
    [InlineData(nameof(DatagramKind.Reply), 8, 2, 1u, true)]
    [InlineData(nameof(DatagramKind.Reply), 7, 2, 2u, true)]
    [InlineData(nameof(DatagramKind.Reply), 7, 1, 1u, true)] // not the echoer
    [InlineData(nameof(DatagramKind.Ready), 7, 1, 1u, false)]
    [InlineData(nameof(DatagramKind.Primed), 7, 1, 1u, false)]
    [InlineData(nameof(DatagramKind.Data), 7, 1, 1u, true)]
    [InlineData(nameof(DatagramKind.Announce), 7, 1, 1u, true)]
    public void Datagram_OfAnother_IsForeign(string kindName, int domain, int from, uint session, bool isForeign)
    {
        DatagramKind kind = Enum.Parse<DatagramKind>(kindName);
        BestEffortRounds rounds = new(ConversationPair.CreateTerms(2), replyTimeoutNanos: 50);
        Send(rounds, 0);
        byte[] datagram = DatagramRecord.Data(1, kind: kind, from: from);
        DatagramHeader header = new(kind, domain, from, DatagramMarks.None, session == 1 ? ConversationPair.Session : session, 20, 1);
        Assert.False(rounds.Receive(header, datagram, 0, _output));
        Assert.Equal((isForeign ? 1 : 0, null), (rounds.Foreign, rounds.Trouble));
        Assert.True(Reply(rounds, 1, 0, from: 2));
    }

    [Fact]
    public void Subscriber_ThatWasInterrupted_IsNamed()
    {
        BestEffortRounds rounds = new(ConversationPair.CreateTerms(2), replyTimeoutNanos: 50);
        Other(rounds, DatagramKind.Ended, 0, from: 2, 0);
        Other(rounds, DatagramKind.Ended, 0, from: 1, 0);
        Assert.Equal(("the subscriber with cookie 2 was interrupted", 0L), (rounds.Trouble, rounds.Foreign));
    }

    [Fact]
    public void WarmUp_Rounds_AreOfTheirOwnKind()
    {
        BestEffortRounds rounds = new(ConversationPair.CreateTerms(1), replyTimeoutNanos: 50, isWarmUp: true);
        rounds.Prepare(20, DatagramMarks.Lead);
        rounds.Send(7, _output);
        Assert.Equal(["data: Prime 1 Lead [20: 1 at 7]"], _output.Take());
        Assert.False(Reply(rounds, 1, 0));
        Assert.Equal(1, rounds.Foreign);
        byte[] primed = DatagramRecord.Data(1, kind: DatagramKind.Primed, from: 1);
        Assert.True(DatagramHeader.TryRead(primed, out DatagramHeader header));
        Assert.True(rounds.Receive(header, primed, 0, _output));
    }

    private void Send(RoundDelivery rounds, long nowNanos)
    {
        rounds.Prepare(20, DatagramMarks.None);
        rounds.Send(nowNanos, _output);
    }

    private bool Reply(RoundDelivery rounds, ulong sequence, long nowNanos, int from = 1)
    {
        byte[] reply = DatagramRecord.Data(sequence, kind: DatagramKind.Reply, from: from);
        Assert.True(DatagramHeader.TryRead(reply, out DatagramHeader header));
        return rounds.Receive(header, reply, nowNanos, _output);
    }

    private void Other(RoundDelivery rounds, DatagramKind kind, ulong sequence, int from, long nowNanos)
    {
        byte[] datagram = new byte[DatagramHeader.Bytes];
        DatagramHeader header = new(kind, 7, from, DatagramMarks.None, ConversationPair.Session, 0, sequence);
        header.Write(datagram);
        Assert.False(rounds.Receive(header, datagram, nowNanos, _output));
    }

    private void Nack(RoundDelivery rounds, ulong after, ulong missing, int from, long nowNanos)
    {
        byte[] datagram = new byte[DatagramHeader.Bytes + NackBody.Bytes];
        DatagramHeader header = new(DatagramKind.Nack, 7, from, DatagramMarks.None, ConversationPair.Session, NackBody.Bytes, after);
        header.Write(datagram);
        BinaryPrimitives.WriteUInt64BigEndian(datagram.AsSpan(DatagramHeader.Bytes), missing);
        Assert.False(rounds.Receive(header, datagram, nowNanos, _output));
    }
}
