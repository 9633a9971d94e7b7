using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>ConsPerf's handler on a session over memory, against a provider that sends whatever a test wants.</summary>
internal sealed class MeasuredConsumer : IDisposable
{
    public static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

    private readonly MemoryPair _pair;
    private readonly Speaker _provider = new();

    /// <param name="options">What ConsPerf is asked to do.</param>
    /// <param name="unknown">Unknown fields that this connection shares with others.</param>
    /// <param name="dictionary">What the consumer knows of fields; null for all.</param>
    public MeasuredConsumer(ConsPerfOptions options, UnknownFields? unknown = null, FieldDictionary? dictionary = null)
    {
        _pair = new MemoryPair(options);
        ConsumerMeasure measure = new(options, Recording, new ImageClock(1), ConsumerPlan.Of(options, Messages, worker: 0), unknown);
        ConsumerSessionOptions asked = MemoryPair.Asking(ItemFlags.Post | ItemFlags.GenMsg, "A", "B", "C");
        Session = new ConsumerSession(asked with
        {
            Dictionary = dictionary ?? FieldDictionary.Default,
            Snapshot = options.Snapshot,
            Prime = options.Prime
        }, measure);
        _pair.Connect(Session, _provider, takesPosts: true);
        Until(() => Recording.TimeOf(Moment.RefreshesComplete) is not null);
    }

    public ConsumerSession Session { get; }

    public WorkerRecording Recording => _pair.Recording;

    public long this[Counter counter] => Recording.Counters[counter];

    /// <summary>Posts and generic messages that the provider has got.</summary>
    public long Received =>
        _pair.Server.Recording.Counters[Counter.PostsReceived] + _pair.Server.Recording.Counters[Counter.GenericReceived];

    /// <summary>The streams of the posts and generic messages that the provider has got since the last call.</summary>
    public IReadOnlyList<int> TakeStreams()
    {
        int[] streams = [.. _provider.Streams.Order()];
        _provider.Streams.Clear();
        return streams;
    }

    /// <summary>Sends a message of the provider's.</summary>
    public void Say(ReadOnlySpan<byte> message)
    {
        Assert.True(_provider.Session.Output.TrySend(message, MessageKind.Other));
        _provider.Session.Channel.Flush();
    }

    /// <summary>Sends a state of an item: a status, or a refresh without fields.</summary>
    public void Say(MsgClass msgClass, int item, StreamState stream, DataState data)
    {
        byte[] room = new byte[256];
        RwfWriter writer = new(room);
        bool isRefresh = msgClass == MsgClass.Refresh;
        Assert.True(writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = msgClass,
            DomainType = DomainType.MarketPrice,
            StreamId = StreamIds.FirstItem + item,
            Flags = isRefresh ? RefreshFlags.RefreshComplete : StatusFlags.HasState,
            ContainerType = DataType.NoData,
            State = new RwfState(stream, data),
            GroupId = [0, 0],
        }));
        Say(room.AsSpan(0, writer.Written));
    }

    /// <summary>Sends an update of the first message.</summary>
    public void Update(int item) =>
        Assert.True(_provider.Session.TrySendUpdate(_provider.Session.UpdatingItemAt(item), Messages.Updates[0], (ulong)Clock.NowMicros));

    /// <summary>Gives both sides turns until a condition holds.</summary>
    public void Until(Func<bool> condition) => _pair.Until(condition, () => $"{Session.Failure}");

    /// <summary>Gives the consumer turns until a condition holds; the provider reads nothing.</summary>
    public void UntilAlone(Func<bool> condition) => _pair.Until(condition, () => $"{Session.Failure}", serves: false);

    /// <summary>The sentences for a person so far.</summary>
    public IReadOnlyList<string> TakeNotices() => _pair.TakeNotices();

    public void Dispose() => _pair.Dispose();

    private sealed class Speaker : ProviderHandler
    {
        protected internal override int MaxRefreshBytes => Messages.Refresh.EncodedBytes;

        public HashSet<int> Streams { get; } = [];

        protected internal override void OnPost(int item, scoped in RwfMsg post) => Streams.Add(post.StreamId);

        protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Streams.Add(message.StreamId);

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => Messages.Refresh.EncodeList(ref writer);
    }
}
