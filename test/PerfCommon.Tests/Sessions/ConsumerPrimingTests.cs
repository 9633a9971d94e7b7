using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A consumer that requests every item once before the run.</summary>
public sealed class ConsumerPrimingTests
{
    private readonly ConsumerLog _log = new();

    [Fact]
    public void Prime_EveryItem_ComesOnceAheadAndIsCountedApart()
    {
        ProviderLog provider = new();
        using SessionPair pair = new(provider, _log, SessionPair.Items(3) with { Prime = true });
        pair.Until(() => _log.Lines.Count == 7);

        Assert.Equal(
            ["ready", "priming RDT1 NonStreaming", "priming RDT2 NonStreaming", "priming RDT3 NonStreaming", "refresh 0 RDT1 Success",
                "refresh 1 RDT2 Success", "refresh 2 RDT3 Success"],
            _log.Lines);
        CounterSet counters = pair.Client.Recording.Counters;
        Assert.Equal((3, 3), (counters[Counter.RequestsSent], counters[Counter.PrimingRequestsSent]));
        Assert.Equal((3, 0), (counters[Counter.PrimingRefreshesReceived], counters[Counter.MessagesDropped]));
        Assert.Equal((6, 6),
            (pair.Server.Recording.Counters[Counter.RequestsReceived], pair.Server.Recording.Counters[Counter.RefreshesSent]));
        Assert.Equal(0, pair.Server.Recording.Counters[Counter.RequestsRejected]); // no key is open twice
    }

    [Fact]
    public void Prime_ItemRefused_GoesOnAndAsksForItAgain()
    {
        using SessionPair pair = new(new ProviderLog { Refused = "RDT2" }, _log, SessionPair.Items(3) with { Prime = true });
        pair.Until(() => _log.Lines.Count == 6);

        Assert.Equal(2, _log.Lines.Count(line => line.StartsWith("priming", StringComparison.Ordinal)));
        Assert.Single(_log.Lines, line => line.StartsWith("status 1 ", StringComparison.Ordinal)); // the status of the item itself
        Assert.Null(pair.Consumer.Failure);
    }

    [Fact]
    public void Prime_ProviderHoldsRequestsBack_IsAnsweredByPings()
    {
        const int Items = 500;
        HoldingPeer provider = new();
        using SessionPair pair = new(provider, _log, SessionPair.Items(Items) with { Prime = true });
        pair.Until(() => _log.Lines.Count(line => line.StartsWith("refresh", StringComparison.Ordinal)) == Items);

        Assert.Equal(Items, pair.Client.Recording.Counters[Counter.PrimingRefreshesReceived]);
        Assert.True(provider.Channel.PingsRead >= 2);
    }

    [Fact]
    public void Prime_RefreshOfNoStreamOfOurs_IsDropped()
    {
        ProviderLog provider = new();
        using SessionPair pair = new(new ProviderSession(SessionSamples.Provider, provider), _log,
            SessionPair.Items(3) with { Prime = true, RequestRate = 1 }, TimeSource.StartAt(Clock.NanosPerSecond));
        pair.Until(() => pair.Consumer.Stage == ConsumerStage.Priming);
        Assert.True(provider.Session.Output.TrySend(Refresh(StreamIds.FirstItem + 6), MessageKind.Other)); // 3 items, and each once ahead
        provider.Session.Channel.Flush();
        pair.Until(() => pair.Client.Recording.Counters[Counter.MessagesDropped] == 1);
        Assert.DoesNotContain(_log.Lines, line => line.StartsWith("priming", StringComparison.Ordinal));
    }

    private static byte[] Refresh(int streamId) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = RefreshFlags.RefreshComplete,
        State = new RwfState(StreamState.NonStreaming, DataState.Ok),
        GroupId = [0, 0],
    });

    [Fact]
    public void Prime_UntilItIsOver_NothingOfTheHandlerIsSent()
    {
        ProviderLog provider = new();
        TimeSource time = TimeSource.StartAt(Clock.NanosPerSecond);
        EagerLog eager = new();
        using SessionPair pair = new(
            new ProviderSession(SessionSamples.Provider, provider), eager, SessionPair.Items(3) with { Prime = true, RequestRate = 1_000 },
            time);
        for (int millis = 0; millis < 100 && eager.Ticks == 0; millis++)
        {
            for (int turn = 0; turn < 5; turn++)
            {
                pair.Server.Turn();
                pair.Client.Turn();
            }

            time.Advance(Clock.NanosPerMilli);
        }

        Assert.Equal((3, ConsumerStage.Items), (eager.Primed, eager.Session.Stage));
        Assert.Equal(3, eager.PrimedAtFirstTick);
    }

    // Needs ticks from the beginning.
    private sealed class EagerLog : ConsumerHandler
    {
        public int Primed { get; private set; }

        public int Ticks { get; private set; }

        public int PrimedAtFirstTick { get; private set; }

        protected internal override bool WantsTicks => true;

        protected internal override void OnPriming(scoped in RwfMsg refresh) => Primed++;

        protected internal override bool OnTick(in TickInfo tick)
        {
            if (Ticks++ == 0)
                PrimedAtFirstTick = Primed;
            return false;
        }
    }
}
