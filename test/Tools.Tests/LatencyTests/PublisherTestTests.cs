using System.Globalization;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Tests of a publisher with one fault each: the counts, the sizes kept, and the reason given.</summary>
[Trait("Category", "Fast")]
public sealed class PublisherTestTests : IDisposable
{
    private const int Samples = 20;
    private const int LostInARow = 10;
    private const int AllRounds = 500 + (3 * (Samples + 1)); // with those of the warm-up, or more of these

    private readonly TestEvents _events = new();
    private readonly CancellationTokenSource _stop = new();
    private RendezvousTerms _terms = ConversationPair.CreateTerms(1) with { NumIter = Samples, MinBytes = 32, MaxBytes = 128 };
    private PublisherPlan _plan = new() { ReplyTimeoutNanos = 2 * Clock.NanosPerMilli, WaitNanos = 60 * Clock.NanosPerSecond };
    private SubscriberConversation[] _subscribers = [ConversationPair.Create(1)];
    private DirectLink? _link;
    private int _replies;

    public void Dispose()
    {
        _events.Dispose();
        _stop.Dispose();
        _link?.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Run_WithoutTrouble_HasEverySizeAndTheCountsOfTheSubscriber(bool reliable)
    {
        _terms = _terms with { Reliable = reliable };
        _subscribers = [ConversationPair.Create(1, reliable: reliable)];
        PublisherResult result = Run();
        Assert.Equal([32, 64, 128], result.Sizes.Select(size => size.Bytes));
        Assert.All(result.Sizes, size => Assert.Equal(
            (Samples, new RoundCounts { Rounds = Samples + 1 }), (size.Trips.Count + size.Counts.NotPositive, size.Counts with { NotPositive = 0 })));
        Assert.Equal((null, null, 3 * (Samples + 1)), (result.Trouble, result.Unfinished, (int)result.LastSequence));
        SubscriberCounts counts = Assert.Single(result.Subscribers)!.Value;
        Assert.Equal((3 * (Samples + 1), 3 * (Samples + 1), 0), ((int)counts.Received, (int)counts.Replied, (int)counts.Lost));
        Assert.Equal((5, 6), (result.KernelDrops, result.Dropped));
        Assert.True(result.Cpu is not null && _link!.HasEndedRendezvous);
        Assert.Equal([null, null, null, null, 32, 64, 128], Reported().Select(size => size?.Bytes));
    }

    /// <summary>The reply of the last round came, and another subscriber has not got its packet yet.</summary>
    [Fact]
    public void Run_ReliableSubscriberThatMissedTheLastPacket_HasItBeforeTheEnd()
    {
        _terms = _terms with { Reliable = true, Subscribers = 2 };
        _subscribers = [ConversationPair.Create(1, noEcho: true, reliable: true), ConversationPair.Create(2, reliable: true)];
        bool isLost = false;
        PublisherResult result = Run(arrives: (cookie, header) =>
        {
            bool isLast = cookie == 1 && !isLost && header.Kind == DatagramKind.Data && header.Sequence == 3 * (Samples + 1);
            isLost |= isLast;
            return !isLast;
        });
        Assert.True(isLost);
        Assert.Null(result.Trouble);
        Assert.Equal([(3 * (Samples + 1), 0), (3 * (Samples + 1), 0)],
            result.Subscribers.Select(counts => ((int)counts!.Value.Received, (int)counts.Value.Lost)));
    }

    [Theory]
    [InlineData(true, 0, 0, 0)]
    [InlineData(false, 1_000_000, 0, AllRounds - 1)] // in the rendezvous alone: each reply comes while it spins
    [InlineData(false, 0, AllRounds, int.MaxValue)]
    public void Run_OnALinkThatAnswersAtOnce_SleepsWhereThePlanSaysSo(bool isBusy, long spinNanos, int fewest, int most)
    {
        _plan = _plan with { IsBusy = isBusy, SpinNanos = spinNanos };
        PublisherResult result = Run();
        Assert.Null(result.Trouble);
        Assert.Equal(3, result.Sizes.Count);
        Assert.InRange(_link!.Waits, fewest, most);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)] // not looked at
    public void Run_ReplyWithAnotherByte_EndsWithItsSizeWhereItIsVerified(bool verifies)
    {
        _plan = _plan with { Verifies = verifies };
        PublisherResult result = Run((number, reply) =>
        {
            if (number == 5)
                reply[^1]++;
            return reply;
        });
        Assert.Equal(verifies ? "1 replies of 32 bytes differ from what was sent" : null, result.Trouble);
        Assert.Equal(verifies ? 1 : 3, result.Sizes.Count);
        Assert.Equal(verifies ? 1 : 0, result.Counts.Damaged);
        Assert.Null(result.Unfinished);
    }

    [Theory]
    [InlineData(LostInARow - 1, null)]
    [InlineData(LostInARow, "10 rounds in a row without a reply")]
    public void Run_RoundsWithoutAReply_EndTheTestWhenTheyAreTen(int lost, string? trouble)
    {
        PublisherResult result = Run((number, reply) => number > 3 && number <= 3 + lost ? null : reply);
        Assert.Equal(trouble, result.Trouble);
        Assert.Equal(lost, result.Counts.Lost);
        Assert.Equal(trouble is null ? [32, 64, 128] : [], result.Sizes.Select(size => size.Bytes));
        SizeResult? rest = result.Unfinished;
        Assert.Equal(trouble is null ? [] : [32, 2, 3 + lost],
            rest is null ? Array.Empty<long>() : [rest.Bytes, rest.Trips.Count + rest.Counts.NotPositive, rest.Counts.Rounds]);
    }

    [Fact]
    public void Run_LostRoundsThatAreNotInARow_AreCounted()
    {
        PublisherResult result = Run((number, reply) => number % 2 == 0 ? null : reply);
        Assert.Null(result.Trouble);
        Assert.True(result.Counts.Lost > LostInARow);
        Assert.Equal(result.Counts.Rounds, result.Counts.Lost + (3 * (Samples + 1)));
        Assert.Equal(result.Counts.Rounds, (long)result.LastSequence);
    }

    [Theory]
    [InlineData(1, 3 * (Samples + 1))] // none is in time
    [InlineData(0, 0)] // each begins when the one before is over
    public void Run_RoundsThatBeginAtIntervals_AreCountedWhereTheyAreLate(long intervalNanos, long late)
    {
        _plan = _plan with { IntervalNanos = intervalNanos };
        Assert.Equal(late, Run().Counts.LateStarts);
    }

    [Fact]
    public void Run_LinkThatBreaks_IsTheReason()
    {
        PublisherResult result = Run((number, reply) =>
        {
            if (number < Samples + 6)
                return reply;
            _link!.Broken = "the connection was reset";
            return null;
        });
        Assert.Equal("the connection was reset", result.Trouble);
        Assert.Equal([32], result.Sizes.Select(size => size.Bytes));
        Assert.Equal((64, 3L), (result.Unfinished!.Bytes, result.Unfinished.Trips.Count + result.Unfinished.Counts.NotPositive));
    }

    [Fact]
    public void Run_PortThatIsClosed_IsASubscriberThatIsGone()
    {
        PublisherResult result = Run((number, reply) =>
        {
            _link!.IsRefused |= number == 4;
            return number < 4 ? reply : null;
        });
        Assert.Equal("a subscriber is gone: its port is closed", result.Trouble);
        Assert.Equal(2, result.Unfinished!.Trips.Count + result.Unfinished.Counts.NotPositive); // three rounds, one of them the lead
    }

    [Fact]
    public void Run_StoppedInTheMiddle_SaysSoAndTellsTheSubscriber()
    {
        PublisherResult result = Run((number, reply) =>
        {
            if (number == 4)
                _stop.Cancel();
            return reply;
        });
        Assert.Equal("publisher interrupted", result.Trouble);
        Assert.True(_subscribers[0].WasInterrupted);
        Assert.Equal(32, result.Unfinished!.Bytes);
    }

    [Fact]
    public void Run_SubscriberThatLeaves_IsNamed()
    {
        PublisherResult result = Run((number, reply) =>
        {
            if (number == 4)
                _subscribers[0].Leave(new DirectLink.Peer(() => _link!, 1));
            return number < 4 ? reply : null;
        });
        Assert.Equal("the subscriber with cookie 1 was interrupted", result.Trouble);
    }

    [Fact]
    public void Run_CountsThatDoNotCome_AreMissed()
    {
        PublisherResult result = Run(onEnd: () => _link!.Broken = "gone");
        Assert.Equal("the subscriber with cookie 1 did not tell its counts", result.Trouble);
        Assert.Equal([32, 64, 128], result.Sizes.Select(size => size.Bytes));
        Assert.Equal([null], result.Subscribers);
    }

    [Theory]
    [InlineData("", "no subscriber came")]
    [InlineData("2", "only cookies 2 came")]
    [InlineData("1 3", "only cookies 1, 3 came")]
    public void Run_SubscribersThatDoNotCome_AreNamed(string come, string problem)
    {
        _terms = _terms with { Subscribers = 3 };
        _plan = _plan with { WaitNanos = Clock.NanosPerSecond / 2 };
        _subscribers = [.. come.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(cookie =>
            ConversationPair.Create(int.Parse(cookie, CultureInfo.InvariantCulture), noEcho: cookie != "3"))];
        SetupException thrown = Assert.Throws<SetupException>(() => Run());
        Assert.Equal((SetupProblem.NotStarted, problem), (thrown.Problem, thrown.Message));
    }

    [Fact]
    public void Run_StoppedBeforeAnySubscriber_SaysSo()
    {
        _subscribers = [];
        _stop.Cancel();
        PublisherResult result = Run();
        Assert.Equal(("publisher interrupted", 0, null), (result.Trouble, result.Sizes.Count, result.Cpu));
        Assert.False(_link!.HasEndedRendezvous);
    }

    /// <summary>Runs a test; data and replies are numbered from 1, warm-up excluded.</summary>
    private PublisherResult Run(Func<int, byte[], byte[]?>? onReply = null, Action? onEnd = null, Func<int, DatagramHeader, bool>? arrives = null)
    {
        DirectLink.Peer[] peers = [.. _subscribers.Select((_, i) => new DirectLink.Peer(() => _link!, i + 1))];
        void Deliver(int peer, byte[] datagram)
        {
            if (DatagramHeader.TryRead(datagram, out DatagramHeader header) && header.Kind == DatagramKind.End)
                onEnd?.Invoke();
            for (int i = 0; i < peers.Length && _link!.Broken is null; i++)
            {
                if (arrives?.Invoke(i + 1, header) != false)
                    _subscribers[i].Receive([.. datagram], Clock.NowNanos, peers[i]);
            }
        }

        void Tick()
        {
            for (int i = 0; i < peers.Length; i++)
                _subscribers[i].Tick(Clock.NowNanos, peers[i]);
        }

        _link = new DirectLink(Deliver, Tick)
        {
            KernelDrops = 5,
            Dropped = 6,
            Carry = (header, datagram) => header.Kind != DatagramKind.Reply || onReply is null ? datagram : onReply(++_replies, datagram),
        };
        PublisherTest test = new(_plan, _terms, _link, _events, _stop.Token);
        test.Run();
        return test.Result;
    }

    private List<SizeResult?> Reported()
    {
        List<SizeResult?> sizes = [];
        while (_events.TryDequeue(out TestEvent? next))
            sizes.Add(next!.Size);
        return sizes;
    }
}
