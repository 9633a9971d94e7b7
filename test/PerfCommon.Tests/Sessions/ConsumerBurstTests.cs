using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Posts and generic messages of a consumer at a rate, to the items that its list marks.</summary>
public sealed class ConsumerBurstTests : IDisposable
{
    private const ItemFlags All = ItemFlags.Post | ItemFlags.GenMsg;

    private readonly Reflecting _provider = new();
    private readonly Sender _consumer = new();
    private readonly SessionPair _pair;

    public ConsumerBurstTests()
    {
        ItemList items = ItemList.Create(["RDT1", "RDT2", "RDT3"], All);
        ProviderSessionOptions provider = SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { SupportOmmPost = true } };
        _pair = new SessionPair(new ProviderSession(provider, _provider), _consumer, SessionPair.Items(3) with { Items = items });
        _pair.Until(() => _consumer.Images == 3);
    }

    public static TheoryData<MessageKind> Kinds => [MessageKind.Post, MessageKind.Generic];

    public void Dispose() => _pair.Dispose();

    [Theory, MemberData(nameof(Kinds))]
    public void Send_EachTick_GoesRoundTheMarkedItems(MessageKind kind)
    {
        _consumer.Burst = Create(kind, rate: 2_000);
        _pair.Until(() => _provider.Items.Count >= 30);
        Assert.Equal(Enumerable.Range(0, 30).Select(i => i % 3), _provider.Items.Take(30));
        Assert.All(_provider.Kinds, seen => Assert.Equal(kind == MessageKind.Post ? MsgClass.Post : MsgClass.Generic, seen));
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Leave_AnItem_SendsToTheOthersAlone(MessageKind kind)
    {
        ConsumerBurst burst = Create(kind, rate: 2_000);
        burst.Leave(1);
        _consumer.Burst = burst;
        _pair.Until(() => _provider.Items.Count >= 20);
        Assert.Equal([0, 2], _provider.Items.Distinct().Order());
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Discard_MoreThanBuffersHold_CountsTheRestAsNotSent(MessageKind kind)
    {
        ConsumerBurst burst = _consumer.Burst = Create(kind, rate: 5_000_000);
        _pair.Until(() => burst.IsBlocked);
        CounterSet counters = _pair.Client.Recording.Counters;
        long before = counters[kind.NotSent()!.Value];
        burst.Discard();
        Assert.True(counters[kind.NotSent()!.Value] > before);
    }

    private ConsumerBurst Create(MessageKind kind, int rate)
    {
        BurstPlan plan = new(kind, rate, stampRate: 0, tickRate: 1_000, seed: 1, LatencyUnit.Microseconds);
        return (kind == MessageKind.Post ? ConsumerBurst.Posts(_consumer.Session, plan, SessionSamples.Messages)
            : ConsumerBurst.Generics(_consumer.Session, plan, SessionSamples.Messages))!;
    }

    private sealed class Sender : ConsumerHandler
    {
        public ConsumerBurst? Burst { get; set; }

        public int Images { get; private set; }

        protected internal override bool WantsTicks => Burst is not null;

        protected internal override bool IsBlocked => Burst is { IsBlocked: true };

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) => Images++;

        protected internal override bool OnTick(in TickInfo tick) => Burst!.Begin(tick);

        protected internal override void OnContinue() => Burst?.Send();
    }

    private sealed class Reflecting : ProviderHandler
    {
        public List<int> Items { get; } = [];

        public List<MsgClass> Kinds { get; } = [];

        protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => SessionSamples.Messages.Refresh.EncodeList(ref writer);

        protected internal override void OnPost(int item, scoped in RwfMsg post)
        {
            Note(item, post.MsgClass);
            Session.Reflect(item, post);
        }

        protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Note(item, message.MsgClass);

        private void Note(int item, MsgClass kind)
        {
            Items.Add(item);
            Kinds.Add(kind);
        }
    }
}
