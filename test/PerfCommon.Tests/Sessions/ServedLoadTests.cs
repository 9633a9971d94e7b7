using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>The load of a provider's connection: updates and generic messages, each by its plan.</summary>
public sealed class ServedLoadTests
{
    private const int MoreThanBuffersHold = 5_000_000;
    private static readonly BurstPlan None = SessionSamples.Updates(rate: 0);

    private readonly Listener _consumer = new();

    [Theory]
    [InlineData(0, 0, false)]
    [InlineData(1_000, 0, true)]
    [InlineData(0, 1_000, true)]
    public void WantsTicks_ByItsPlans_IsTrueWhereMessagesAreDue(int updates, int generics, bool isDue) =>
        Assert.Equal(isDue, new SampleLoad(SessionSamples.Updates(updates), Generics(generics)).Load.WantsTicks);

    [Fact]
    public void WantsTicks_WithoutAPlanOfGenericMessages_IsThatOfTheUpdates()
    {
        Assert.False(new SampleLoad(None).Load.WantsTicks);
        Assert.True(new SampleLoad(SessionSamples.Updates()).Load.WantsTicks);
    }

    [Theory]
    [InlineData(2_000, 0)]
    [InlineData(0, 2_000)]
    [InlineData(2_000, 3_000)]
    public void Send_EachPlan_SendsItsMessagesAlone(int updates, int generics)
    {
        using SessionPair pair = new(new SampleLoad(SessionSamples.Updates(updates), Generics(generics)), _consumer);
        pair.Until(() => (updates == 0 || _consumer.Updates > 50) && (generics == 0 || _consumer.Generics > 50));
        Assert.Equal((updates > 0, generics > 0), (_consumer.Updates > 0, _consumer.Generics > 0));
        Assert.Equal(generics > 0, pair.Server.Recording.TimeOf(Moment.FirstGenericSent) is > 0);
    }

    [Theory]
    [InlineData(MoreThanBuffersHold, 0)]
    [InlineData(0, MoreThanBuffersHold)]
    public void IsBlocked_MoreThanBuffersHold_IsTrueUntilTheRestIsDiscarded(int updates, int generics)
    {
        SampleLoad load = new(SessionSamples.Updates(updates), Generics(generics));
        using SessionPair pair = new(load, _consumer);
        CounterSet counters = pair.Server.Recording.Counters;
        Counter notSent = updates > 0 ? Counter.UpdatesNotSent : Counter.GenericNotSent;
        pair.Until(() => load.Load.IsBlocked);
        long before = counters[notSent], left = load.Load.Left;
        Assert.True(left > 0);
        load.Load.Discard();
        Assert.Equal((left, 0), (counters[notSent] - before, load.Load.Left));
    }

    [Fact]
    public void Begin_NoItems_SendsNothing()
    {
        using SessionPair pair = new(new SampleLoad(None, Generics(2_000)), _consumer, SessionPair.Items(0));
        pair.Until(() => pair.Consumer.Stage == ConsumerStage.Items);
        for (int turn = 0; turn < 20; turn++)
        {
            long nextTick = Clock.NowNanos + (Clock.NanosPerSecond / pair.Server.Options.TickRate);
            SpinWait.SpinUntil(() => Clock.NowNanos >= nextTick); // so that a tick is due in every turn
            pair.Server.Turn();
        }

        Assert.Null(pair.Server.Recording.TimeOf(Moment.FirstGenericSent));
        pair.Server.RequestEnd();
        pair.Until(() => pair.Server.HasEnded);
        Assert.Empty(pair.Server.Recording.Sending.Spans);
    }

    [Theory]
    [InlineData(2_000, 0)]
    [InlineData(0, 2_000)]
    public void Begin_MessagesOfOneKind_IsATickInWhichItSends(int updates, int generics)
    {
        using SessionPair pair = new(new SampleLoad(SessionSamples.Updates(updates), Generics(generics)), _consumer);
        pair.Until(() => _consumer.Updates + _consumer.Generics > 20);
        pair.Server.RequestEnd();
        pair.Until(() => pair.Server.HasEnded);
        Assert.NotEmpty(pair.Server.Recording.Sending.Spans);
    }

    [Fact]
    public void Begin_FirstGenericMessages_AreOfTheTimeAtWhichTheLateTickStarted()
    {
        SampleLoad idle = new(None);
        using SessionPair pair = new(idle, _consumer);
        pair.Until(() => pair.Consumer.Stage == ConsumerStage.Items);
        ServedLoad load = new(SessionSamples.Messages, new UpdateSource(SessionSamples.Messages), None, Generics(1_000));
        load.Open(idle.Session);
        pair.Until(() => load.Begin(new TickInfo(Index: 0, InSecond: 0, DueNanos: 5_000, LagNanos: 700, SkippedBefore: 0)));
        load.Discard();
        Assert.Equal(5_700, pair.Server.Recording.TimeOf(Moment.FirstGenericSent));
    }

    [Fact]
    public void Sized_SetWhileItSends_IsThatOfTheNextUpdates()
    {
        SizedMessages small = new(bytes: 54, fields: 5), large = new(bytes: 108, fields: 10);
        UpdateSource source = new(small.Messages, sized: small);
        ServedLoad load = new(small.Messages, source, SessionSamples.Updates(2_000));
        using SessionPair pair = new(new SampleLoad(load), _consumer);
        pair.Until(() => _consumer.Updates > 20);
        Assert.Equal((54, 54), (_consumer.UpdateBytes, load.MaxRefreshBytes));
        Assert.NotEqual(SizedCount.None, _consumer.ImageCount);
        source.Sized = large;
        pair.Until(() => _consumer.UpdateBytes == 108);
        Assert.Equal(108, load.MaxRefreshBytes);
    }

    [Fact]
    public void EncodeRefresh_OrderBookWithoutMessages_SaysWhatIsMissing()
    {
        ProviderSessionOptions options = SessionSamples.Provider with { Service = SessionSamples.Service with { HasOrderBooks = true } };
        ConsumerSessionOptions asked = SessionPair.Items(0) with { Items = ItemList.Create(["B1"], ItemFlags.MarketByOrder) };
        using SessionPair pair = new(new ProviderSession(options, new SampleLoad(None)), _consumer, asked);
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => pair.Until(() => pair.Consumer.Failure is not null));
        Assert.Contains("needs a message file with messages of market by order", refused.Message);
    }

    [Fact]
    public void Open_NoSession_IsRefused()
    {
        ServedLoad load = new SampleLoad(None).Load;
        Assert.Throws<ArgumentNullException>(() => load.Open((ProviderSession)null!));
        Assert.Throws<ArgumentNullException>(() => load.Open((PublisherSession)null!));
    }

    private static BurstPlan Generics(int rate) => new(MessageKind.Generic, rate, stampRate: 0, tickRate: 1_000, seed: 1, LatencyUnit.Microseconds);

    private sealed class Listener : ConsumerHandler
    {
        public int Updates { get; private set; }

        public int Generics { get; private set; }

        public int UpdateBytes { get; private set; } // of the last one

        public int ImageCount { get; private set; } // of an item whose updates count themselves

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) => ImageCount = SizedCount.OfImage(refresh.Payload);

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
        {
            Updates++;
            UpdateBytes = update.Message.Length;
        }

        protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Generics++;
    }
}
