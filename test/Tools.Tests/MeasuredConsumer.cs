using System.Diagnostics;
using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>ConsPerf's handler on a session over memory, against a provider that a test lets say anything.</summary>
internal sealed class MeasuredConsumer : IDisposable
{
    public static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

    private readonly Worker _server;
    private readonly Worker _client;
    private readonly Speaker _provider = new();

    /// <param name="options">What ConsPerf is asked to do.</param>
    /// <param name="unknown">Unknown fields that this connection shares with others.</param>
    /// <param name="dictionary">What the consumer knows of fields; null for all.</param>
    public MeasuredConsumer(ConsPerfOptions options, UnknownFields? unknown = null, FieldDictionary? dictionary = null)
    {
        MemoryNetwork network = new(TimeSource.System);
        _server = new(new WorkerOptions(), new WorkerRecording(), network);
        _client = new(new WorkerOptions(), ConsPerfRole.CreateRecording(options), network);
        ConsumerMeasure measure = new(options, _client.Recording, new ImageClock(1), ConsumerPlan.Of(options, Messages, worker: 0), unknown);
        Session = new ConsumerSession(
            new() { ServiceName = "TEST", Items = ItemList.Create(["A", "B", "C"], ItemFlags.Post | ItemFlags.GenMsg), Dictionary = dictionary ?? FieldDictionary.Default, Snapshot = options.Snapshot, Prime = options.Prime },
            measure);
        LoginOffer offer = new() { ApplicationName = "test", Position = "here", SupportOmmPost = true };
        ProviderSession provider = new(
            new() { Offer = offer, Service = new() { Name = "TEST", Id = 1 }, Dictionary = FieldDictionary.Default }, _provider);
        using WorkerListener listener = new(new ListenOptions { Port = 0 }, network);
        _client.Connect(Session, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        _client.Turn();
        listener.Accept(TimeSpan.Zero, [_server], _ => provider, CancellationToken.None);
        Until(() => Recording.TimeOf(Moment.RefreshesComplete) is not null);
    }

    public ConsumerSession Session { get; }

    public WorkerRecording Recording => _client.Recording;

    public long this[Counter counter] => Recording.Counters[counter];

    /// <summary>Posts and generic messages that the provider has got.</summary>
    public long Received => _server.Recording.Counters[Counter.PostsReceived] + _server.Recording.Counters[Counter.GenericReceived];

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
            StreamId = ConsumerSession.StreamIdOf(item),
            Flags = isRefresh ? RefreshFlags.RefreshComplete : StatusFlags.HasState,
            ContainerType = DataType.NoData,
            State = new RwfState(stream, data),
            GroupId = [0, 0],
        }));
        Say(room.AsSpan(0, writer.Written));
    }

    /// <summary>Sends an update of the first message.</summary>
    public void Update(int item) => Assert.True(_provider.Session.TrySendUpdate(_provider.Session.UpdatingItemAt(item), Messages.Updates[0], (ulong)Clock.NowMicros));

    /// <summary>Gives both sides turns until a condition holds.</summary>
    public void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < TimeSpan.FromSeconds(30), $"the condition never held: {Session.Failure}");
            _server.Turn();
            _client.Turn();
        }
    }

    /// <summary>The sentences for a person so far.</summary>
    public IReadOnlyList<string> TakeNotices()
    {
        List<string> sentences = [];
        while (Recording.Notices.TryTake(out string sentence))
            sentences.Add(sentence);
        return sentences;
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    private sealed class Speaker : ProviderHandler
    {
        protected internal override int MaxRefreshBytes => Messages.Refresh.EncodedBytes;

        public HashSet<int> Streams { get; } = [];

        protected internal override void OnPost(int item, scoped in RwfMsg post) => Streams.Add(post.StreamId);

        protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Streams.Add(message.StreamId);

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => Messages.Refresh.EncodeList(ref writer);
    }
}
