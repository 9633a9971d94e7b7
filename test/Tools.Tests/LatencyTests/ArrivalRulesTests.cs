using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The data that a subscriber receives, packet by packet: what is delivered, counted and sent, and when.</summary>
[Trait("Category", "Fast")]
public sealed class ArrivalRulesTests
{
    private const long Milli = Clock.NanosPerMilli;
    private const int Window = 8;

    private readonly DatagramRecord _output = new();

    [Fact]
    public void Strict_PacketsInOrder_AreRepliedToAtOnce()
    {
        StrictArrivals arrivals = CreateStrict(echoes: true);
        for (ulong sequence = 1; sequence <= 3; sequence++)
        {
            Receive(arrivals, DatagramRecord.Data(sequence, sequence == 2
                ? DatagramMarks.Lead | DatagramMarks.Resent | DatagramMarks.AckWanted : DatagramMarks.None), 0);
        }

        Assert.Equal(["data: Reply 1 Reliable [20: 1 at 1000]", "data: Reply 2 Reliable, Lead [20: 2 at 2000]", "data: Reply 3 Reliable [20: 3 at 3000]"],
            _output.Take());
        Assert.Equal((3L, 3L, 0L, 0L, 0L, long.MaxValue),
            (arrivals.Received, arrivals.Replied, arrivals.Lost, arrivals.Duplicates, arrivals.Late, arrivals.NextWakeNanos));
    }

    /// <summary>One that does not reply acknowledges after 5 ms, or when it is asked to.</summary>
    [Fact]
    public void Strict_WithoutReplies_AcknowledgesOnRequestOrAfterAWhile()
    {
        StrictArrivals arrivals = CreateStrict(echoes: false);
        Receive(arrivals, DatagramRecord.Data(1), 100);
        Receive(arrivals, DatagramRecord.Data(2), 200);
        Assert.Equal((0, 100 + (5 * Milli)), (_output.Take().Count, arrivals.NextWakeNanos));
        arrivals.Tick(99 + (5 * Milli), _output);
        Assert.Empty(_output.Take());
        arrivals.Tick(100 + (5 * Milli), _output);
        Assert.Equal(["0: Ack 2"], _output.Take());
        Assert.Equal(long.MaxValue, arrivals.NextWakeNanos);
        Receive(arrivals, DatagramRecord.Data(3, DatagramMarks.AckWanted), 300);
        Assert.Equal(["0: Ack 3"], _output.Take());
        Assert.Equal((long.MaxValue, 3L, 0L), (arrivals.NextWakeNanos, arrivals.Received, arrivals.Replied));
    }

    /// <summary>A gap is reported with the first packet after it, and every 5 ms until it is filled; then all is delivered in order.</summary>
    [Fact]
    public void Strict_Gap_IsReportedUntilItIsFilled()
    {
        StrictArrivals arrivals = CreateStrict(echoes: true);
        Receive(arrivals, DatagramRecord.Data(1), 0);
        _output.Take();
        Receive(arrivals, DatagramRecord.Data(4), 1_000);
        Assert.Equal(["0: Nack 1 [3]"], _output.Take()); // 2 and 3 are missing
        Assert.Equal(1_000 + (5 * Milli), arrivals.NextWakeNanos);
        Receive(arrivals, DatagramRecord.Data(6), 2_000);
        Assert.Equal(["0: Nack 1 [B]"], _output.Take()); // and 5
        Receive(arrivals, DatagramRecord.Data(3), 3_000);
        Assert.Empty(_output.Take()); // held: nothing beyond what is known
        arrivals.Tick(1_999 + (5 * Milli), _output);
        Assert.Empty(_output.Take());
        arrivals.Tick(2_000 + (5 * Milli), _output);
        Assert.Equal(["0: Nack 1 [9]"], _output.Take());
        Receive(arrivals, DatagramRecord.Data(2), 10 * Milli);
        Assert.Equal(["data: Reply 2 Reliable [20: 2 at 2000]", "data: Reply 3 Reliable [20: 3 at 3000]", "data: Reply 4 Reliable [20: 4 at 4000]"],
            _output.Take());
        Assert.NotEqual(long.MaxValue, arrivals.NextWakeNanos); // 5 is missing still
        Receive(arrivals, DatagramRecord.Data(5), 11 * Milli);
        Assert.Equal(2, _output.Take().Count);
        Assert.Equal((6L, 6L, 0L, long.MaxValue), (arrivals.Received, arrivals.Replied, arrivals.Duplicates, arrivals.NextWakeNanos));
        arrivals.RecordLast(6);
        Assert.Equal(0, arrivals.Lost);
        arrivals.RecordLast(9);
        Assert.Equal(3, arrivals.Lost);
    }

    /// <summary>The window: a packet that far after the next one is not held, the one before it is; time after time.</summary>
    [Fact]
    public void Strict_AtTheWindow_HoldsWhatFits()
    {
        StrictArrivals arrivals = CreateStrict(echoes: false);
        ulong next = 1;
        for (int round = 0; round < 100; round++, next += Window)
        {
            Receive(arrivals, DatagramRecord.Data(next + Window), 0);
            Assert.Empty(_output.Take());
            for (ulong sequence = next + 1; sequence < next + Window; sequence++)
                Receive(arrivals, DatagramRecord.Data(sequence), 0);
            Assert.Equal(Window - 1, _output.Take().Count(sent => sent.StartsWith("0: Nack", StringComparison.Ordinal)));
            Receive(arrivals, DatagramRecord.Data(next, DatagramMarks.AckWanted), 0);
            Assert.Equal([$"0: Ack {next + Window - 1}"], _output.Take());
            Assert.Equal((long)(next + Window - 1), arrivals.Received);
        }

        Assert.Equal((0L, 0L), (arrivals.Duplicates, arrivals.Lost));
    }

    [Theory]
    [InlineData(false, 1, "0: Ack 2")] // delivered before
    [InlineData(false, 2, "0: Ack 2")]
    [InlineData(true, 1, "0: Nack 2 [1]")]
    [InlineData(true, 4, null)] // held before
    public void Strict_PacketASecondTime_IsCountedAndAnswered(bool hasGap, int sequence, string? answer)
    {
        StrictArrivals arrivals = CreateStrict(echoes: false);
        Receive(arrivals, DatagramRecord.Data(1), 0);
        Receive(arrivals, DatagramRecord.Data(2), 0);
        if (hasGap)
            Receive(arrivals, DatagramRecord.Data(4), 0);
        _output.Take();
        Receive(arrivals, DatagramRecord.Data((ulong)sequence), 0);
        Assert.Equal(answer is null ? [] : [answer], _output.Take());
        Assert.Equal((1L, 2L), (arrivals.Duplicates, arrivals.Received));
    }

    /// <summary>The sender says what it still has: what is missing is requested, and where nothing is, the last reply is sent once more.</summary>
    [Theory]
    [InlineData(2, "0: Ack 2|data: Reply 2 Reliable, Resent [20: 2 at 2000]")]
    [InlineData(1, "0: Ack 2|data: Reply 2 Reliable, Resent [20: 2 at 2000]")]
    [InlineData(3, "0: Nack 2 [1]")]
    [InlineData(10, "0: Nack 2 [FF]")]
    [InlineData(11, "")] // beyond what it may have sent
    public void Strict_Heartbeat_RequestsWhatIsMissing(int last, string answer)
    {
        StrictArrivals arrivals = CreateStrict(echoes: true);
        Receive(arrivals, DatagramRecord.Data(1), 0);
        Receive(arrivals, DatagramRecord.Data(2), 0);
        _output.Take();
        arrivals.ReceiveHeartbeat(new RetainedRange(1, (ulong)last), 500, _output);
        Assert.Equal(answer, string.Join('|', _output.Take()));
        Assert.Equal(answer.Contains("Nack", StringComparison.Ordinal) ? 500 + (5 * Milli) : long.MaxValue, arrivals.NextWakeNanos);
    }

    [Fact]
    public void Strict_HeartbeatWithoutReplies_IsAcknowledgedAlone()
    {
        StrictArrivals arrivals = CreateStrict(echoes: false);
        arrivals.ReceiveHeartbeat(new RetainedRange(0, 0), 0, _output);
        Receive(arrivals, DatagramRecord.Data(1), 0);
        arrivals.ReceiveHeartbeat(new RetainedRange(1, 1), 0, _output);
        Assert.Equal(["0: Ack 0", "0: Ack 1"], _output.Take());
        Assert.Equal(long.MaxValue, arrivals.NextWakeNanos);
    }

    [Theory]
    [InlineData(true, "data: Primed 5 Reliable [20: 5 at 5000]")]
    [InlineData(false, null)]
    public void Prime_IsAnsweredByTheEchoerAndNotCounted(bool echoes, string? answer)
    {
        Arrivals[] both = [CreateStrict(echoes), new BestEffortArrivals(new TestIdentity(7, 2, ConversationPair.Session), echoes, DatagramMarks.Reliable)];
        foreach (Arrivals arrivals in both)
        {
            arrivals.ReceivePrime(DatagramRecord.Data(5, kind: DatagramKind.Prime), _output);
            Assert.Equal(answer is null ? [] : [answer], _output.Take());
            Assert.Equal((0L, 0L), (arrivals.Received, arrivals.Replied));
        }
    }

    /// <summary>Where packets may be lost, a gap is lost until its packet comes; up to 63 back it is known.</summary>
    [Theory]
    [InlineData(63, 0, 1)]
    [InlineData(64, 1, 0)]
    public void BestEffort_OldPacket_IsLateWhileItIsRemembered(int behind, int duplicates, int late)
    {
        BestEffortArrivals arrivals = CreateBestEffort();
        Receive(arrivals, DatagramRecord.Data(1), 0);
        Receive(arrivals, DatagramRecord.Data(3), 0);
        ulong last = 2 + (ulong)behind;
        for (ulong sequence = 4; sequence <= last; sequence++)
            Receive(arrivals, DatagramRecord.Data(sequence), 0);
        Assert.Equal(((long)last - 1, 1L), (arrivals.Received, arrivals.Lost));
        _output.Take();
        Receive(arrivals, DatagramRecord.Data(2), 0);
        Assert.Equal((duplicates, late, 1L - late, (long)last - 1 + late), (arrivals.Duplicates, arrivals.Late, arrivals.Lost, arrivals.Received));
        Assert.Empty(_output.Take()); // its publisher waits no more
        Receive(arrivals, DatagramRecord.Data(2), 0);
        Assert.Equal(duplicates + 1, arrivals.Duplicates);
    }

    [Fact]
    public void BestEffort_StepsOfEveryLength_AreLostAndRememberedApart()
    {
        for (ulong step = 1; step <= 70; step++)
        {
            BestEffortArrivals arrivals = CreateBestEffort();
            Receive(arrivals, DatagramRecord.Data(1), 0);
            Receive(arrivals, DatagramRecord.Data(1 + step), 0);
            Assert.Equal((2L, (long)step - 1, 2L), (arrivals.Received, arrivals.Lost, arrivals.Replied));
            Receive(arrivals, DatagramRecord.Data(1), 0);
            Receive(arrivals, DatagramRecord.Data(1 + step), 0);
            Assert.Equal((2L, 0L), (arrivals.Duplicates, arrivals.Late));
            if (step == 1)
                continue;
            Receive(arrivals, DatagramRecord.Data(step), 0); // the one before the last
            Assert.Equal((1L, (long)step - 2, 3L), (arrivals.Late, arrivals.Lost, arrivals.Received));
        }
    }

    [Fact]
    public void BestEffort_LastNumber_CountsWhatIsMissingAtTheEnd()
    {
        BestEffortArrivals arrivals = CreateBestEffort();
        Receive(arrivals, DatagramRecord.Data(1), 0);
        Receive(arrivals, DatagramRecord.Data(4), 0);
        arrivals.RecordLast(4);
        arrivals.RecordLast(3);
        Assert.Equal(2, arrivals.Lost);
        arrivals.RecordLast(7);
        Assert.Equal((5L, 2L, long.MaxValue), (arrivals.Lost, arrivals.Received, arrivals.NextWakeNanos));
        Assert.Equal(["data: Reply 1 [20: 1 at 1000]", "data: Reply 4 [20: 4 at 4000]"], _output.Take());
    }

    private static StrictArrivals CreateStrict(bool echoes) => new(
        new TestIdentity(7, 2, ConversationPair.Session), echoes, DatagramMarks.Reliable, new WelcomeTerms(1, 2, null, 100, 16, 64, Window));

    private static BestEffortArrivals CreateBestEffort() => new(new TestIdentity(7, 2, ConversationPair.Session), echoes: true, DatagramMarks.None);

    private void Receive(Arrivals arrivals, byte[] datagram, long nowNanos)
    {
        Assert.True(DatagramHeader.TryRead(datagram, out DatagramHeader header));
        arrivals.ReceiveData(header, datagram, nowNanos, _output);
    }
}
