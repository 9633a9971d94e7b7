using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>How a subscriber's test ends: in order, refused, without a publisher, or with one that goes.</summary>
[Trait("Category", "Fast")]
public sealed class SubscriberTestTests : IDisposable
{
    private const int DataCount = 40;

    private readonly CancellationTokenSource _stop = new();
    private readonly SubscriberConversation _subscriber = ConversationPair.Create(1);
    private PublisherRendezvous _publisher;
    private readonly RendezvousTerms _terms = ConversationPair.CreateTerms(1);
    private readonly BestEffortRounds _rounds;
    private readonly DirectLink _link;
    private readonly DirectLink.Peer _end;
    private PublisherEnding? _ending;
    private Action<int> _onRound = _ => { };
    private int _round;

    public SubscriberTestTests()
    {
        _publisher = new(_terms);
        _rounds = new(_terms, Clock.NanosPerSecond);
        _link = new(Deliver, Tick) { Dropped = 7, KernelDrops = 8 };
        _end = new(() => _link, IDatagramOutput.Publisher);
    }

    public void Dispose()
    {
        _stop.Dispose();
        _link.Dispose();
    }

    [Fact]
    public void Run_ToTheEnd_SendsItsCounts()
    {
        SubscriberTest test = Run();
        Assert.Null(test.Trouble);
        Assert.NotNull(test.Cpu);
        SubscriberCounts counts = _ending!.Counts[1]!.Value;
        Assert.Equal((DataCount, DataCount, 7, 8), ((int)counts.Received, (int)counts.Replied, (int)counts.Dropped, (int)counts.KernelDrops));
        Assert.Equal(test.Cpu.Value.UsedNanos / Clock.NanosPerMicro, counts.CpuMicros);
    }

    [Fact]
    public void Run_PublisherThatIsInterrupted_SaysSo()
    {
        _onRound = round => _ending = round == 5 ? new(_terms, _rounds.Sequence, wasInterrupted: true) : _ending;
        Assert.Equal("publisher interrupted", Run().Trouble);
    }

    [Theory]
    [InlineData("the connection was reset", "the publisher is gone: the connection was reset")]
    [InlineData(null, "the publisher is gone")] // its port is closed
    public void Run_PublisherThatGoes_IsTheTrouble(string? broken, string trouble)
    {
        _onRound = round =>
        {
            if (round == 5)
                (_link.Broken, _link.IsRefused) = (broken, broken is null);
        };
        Assert.Equal(trouble, Run().Trouble);
    }

    /// <summary>The publisher has the counts, and nothing more to say.</summary>
    [Fact]
    public void Run_PublisherThatGoesAfterTheEnd_IsNone()
    {
        _link.Carry = (header, datagram) =>
        {
            _link.Broken = header.Kind == DatagramKind.Ack ? "the end of the stream" : _link.Broken;
            return header.Kind == DatagramKind.Ack ? null : datagram;
        };
        SubscriberTest test = Run();
        Assert.Null(test.Trouble);
        Assert.NotNull(_ending!.Counts[1]);
    }

    [Fact]
    public void Run_NobodyAnswers_HasNotStarted()
    {
        _link.Carry = (_, _) => null;
        SetupException thrown = Assert.Throws<SetupException>(() => Run(waitNanos: Clock.NanosPerSecond / 5));
        Assert.Equal((SetupProblem.NotStarted, "no publisher answered"), (thrown.Problem, thrown.Message));
    }

    [Fact]
    public void Run_Refused_SaysWhy()
    {
        _publisher = new(_terms with { Reliable = true });
        SetupException thrown = Assert.Throws<SetupException>(() => Run());
        Assert.Equal((SetupProblem.NotStarted, "refused: the publisher was started with -reliable"), (thrown.Problem, thrown.Message));
    }

    [Fact]
    public void Run_Stopped_TellsThePublisher()
    {
        _onRound = round =>
        {
            if (round == 5)
                _stop.Cancel();
        };
        SubscriberTest test = Run();
        Assert.Null(test.Trouble);
        Assert.Equal(DatagramKind.Ended, _link.Sent[^1].Kind);
        Assert.Equal("the subscriber with cookie 1 was interrupted", _rounds.Trouble);
    }

    private SubscriberTest Run(long waitNanos = 60 * Clock.NanosPerSecond)
    {
        SubscriberTest test = new(new SubscriberPlan { WaitNanos = waitNanos }, _subscriber, _link, _stop.Token);
        test.Run();
        return test;
    }

    private void Deliver(int peer, byte[] datagram)
    {
        if (!DatagramHeader.TryRead(datagram, out DatagramHeader header))
            return;
        long now = Clock.NowNanos;
        if (_ending is not null)
            _ending.Receive(header, datagram.AsSpan(DatagramHeader.Bytes), _end);
        else if (_publisher.IsComplete)
            _rounds.Receive(header, datagram, now, _end);
        else
            _publisher.Receive(header, datagram.AsSpan(DatagramHeader.Bytes), ConversationPair.AddressOf(1), now, _end);
    }

    // The other end: a round each time that this one waits, then the end.
    private void Tick()
    {
        long now = Clock.NowNanos;
        if (_ending is not null)
        {
            _ending.Tick(now, _end);
        }
        else if (!_publisher.IsComplete)
        {
            _publisher.Tick(now, _end);
        }
        else if (_link.Broken is null && ++_round <= DataCount)
        {
            _rounds.Prepare(32, DatagramMarks.None);
            _rounds.Send(now, _end);
            _onRound(_round);
        }
        else if (_link.Broken is null)
        {
            _ending = new(_terms, _rounds.Sequence, wasInterrupted: false);
        }
    }
}
