using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Posts at a provider that sends them back, independent of the consumer's handling.</summary>
public sealed class ProviderPostTests : IDisposable
{
    private const int Item = StreamIds.FirstItem + 1;

    private readonly Reflecting _provider = new();
    private readonly PostingConsumer _consumer = new();
    private readonly SessionPair _pair;

    public ProviderPostTests()
    {
        _pair = new SessionPair(new ProviderSession(Options(), _provider), _consumer);
        _pair.Until(() => _consumer.Images == 3);
    }

    public void Dispose() => _pair.Dispose();

    private CounterSet Provided => _pair.Server.Recording.Counters;

    [Fact]
    public void Reflect_PostOfOurConsumer_ComesBackAsTheUpdateInIt()
    {
        Assert.True(_consumer.Session.TrySendPost(1, SessionSamples.Messages.Posts[0], stamp: 12_345));
        _pair.Until(() => _consumer.Updates.Count == 1);

        PostUser poster = _consumer.Session.Poster;
        Assert.Equal([$"1 {poster.Address} {poster.Id} 12345"], _consumer.Updates);
        _pair.Until(() => Provided[Counter.PostsReflected] == 1 && _pair.Client.Recording.Counters[Counter.PostsSent] == 1);
        Assert.Equal((1, 0, 0), (Provided[Counter.PostsReceived], Provided[Counter.PostsRefused], Provided[Counter.UpdatesSent]));
    }

    [Theory]
    [InlineData(Item, null, "None")]
    [InlineData(StreamIds.Login, "RDT2", "None")]
    [InlineData(StreamIds.Login, "RDT9", "ItemNotOpen")]
    [InlineData(StreamIds.Login, null, "NoName")]
    public void Reflect_AckAsked_SaysWhatCameOfIt(int stream, string? name, string expected)
    {
        Assert.True(_consumer.Send(Post(stream, name)));
        _pair.Until(() => _consumer.Acks.Count == 1);

        bool isDone = expected == nameof(PostRefusal.None);
        Assert.Equal([expected], _provider.Results);
        Assert.Equal([(7u, !isDone)], _consumer.Acks);
        _pair.Until(() => _consumer.Updates.Count == (isDone ? 1 : 0) && Provided[Counter.PostsReflected] == (isDone ? 1 : 0));
        Assert.Equal((1, isDone ? 0 : 1), (Provided[Counter.PostsReceived], Provided[Counter.PostsRefused]));
        Assert.All(_consumer.Updates, update => Assert.StartsWith("1 ", update, StringComparison.Ordinal));
    }

    [Fact]
    public void Reflect_StreamThatIsNotOpen_IsRefusedOnThatStream()
    {
        _consumer.Send(Post(99, null));
        _pair.Until(() => _pair.Client.Recording.Counters[Counter.MessagesDropped] == 1); // our consumer has no such stream either

        Assert.Equal([nameof(PostRefusal.StreamNotOpen)], _provider.Results);
        Assert.Equal((1, 1, 0), (Provided[Counter.PostsReceived], Provided[Counter.PostsRefused], Provided[Counter.PostsReflected]));
    }

    [Fact]
    public void Reflect_OffStreamForAnotherService_IsRefused()
    {
        _consumer.Send(Post(StreamIds.Login, "RDT2", serviceId: 9));
        _pair.Until(() => _consumer.Acks.Count == 1);
        Assert.Equal([nameof(PostRefusal.OtherService)], _provider.Results);
    }

    [Fact]
    public void Reflect_ContentThatIsNoMessage_IsRefusedAndTheConnectionGoesOn()
    {
        _consumer.Send(Post(Item, null, DataType.Msg, [1, 2, 3]));
        _consumer.Send(Post(Item, null, DataType.Msg, Post(Item, null)));
        _consumer.Send(Post(Item, null));
        _pair.Until(() => _consumer.Acks.Count == 3);

        Assert.Equal([nameof(PostRefusal.Content), nameof(PostRefusal.Content), nameof(PostRefusal.None)], _provider.Results);
        Assert.Contains(SessionPair.Notices(_pair.Server),
            notice => notice.StartsWith("Refused a post on stream 7: Content;", StringComparison.Ordinal));
        Assert.Null(_provider.Session.Closed);
    }

    [Fact]
    public void Reflect_LargerThanAllOutputBuffers_IsRefused()
    {
        using SessionPair pair = new(new ProviderSession(Options(), _provider), _consumer);
        pair.Until(() => _consumer.Images == 6);
        int tooMany = (pair.Server.Poller.Channels[0].OutputBufferLimit * 6_142) + 1;
        _provider.Results.Clear();
        pair.Until(() => _consumer.TrySendWhole(Post(Item, null, DataType.Opaque, new byte[tooMany])));
        pair.Until(() => _provider.Results.Count == 1);
        Assert.Equal([nameof(PostRefusal.TooLarge)], _provider.Results);
    }

    [Fact]
    public void Reflect_AfterTheEndOfSending_IsCountedAndNothingElse()
    {
        _pair.Server.RequestEnd();
        _pair.Server.Turn();
        _consumer.Send(Post(Item, null));
        _pair.Until(() => _pair.Server.HasEnded);

        Assert.Equal([nameof(PostRefusal.None)], _provider.Results);
        Assert.Equal((1, 1, 0), (Provided[Counter.PostsReceived], Provided[Counter.PostsNotReflected], Provided[Counter.PostsReflected]));
        Assert.Empty(_consumer.Acks);
    }

    [Fact]
    public void Reflect_SameTurnAsTheEndOfTheConsumer_IsSentBackAndCounted()
    {
        for (int i = 0; i < 40; i++)
            Assert.True(_consumer.Session.TrySendPost(i % 3, SessionSamples.Messages.Posts[0]));
        _pair.Client.RequestEnd();
        _pair.Until(() => _pair.Client.HasEnded && _pair.Server.OpenConnections == 0);

        Assert.Equal((40, 40), (Provided[Counter.PostsReceived], Provided[Counter.PostsReflected] + Provided[Counter.PostsNotReflected]));
        Assert.Equal(40, _pair.Client.Recording.Counters[Counter.PostsSent]);
        Assert.Equal(Provided[Counter.PostsReflected], _consumer.Updates.Count);
    }

    [Fact]
    public void TrySendGeneric_BothWays_ArriveAndAreCounted()
    {
        Assert.True(_provider.Session.TrySendGeneric(2, SessionSamples.Messages.Generics[0]));
        Assert.True(_consumer.Session.TrySendGeneric(0, SessionSamples.Messages.Generics[1]));
        _pair.Until(() => _consumer.Generics.Count == 1 && _provider.Generics.Count == 1);

        Assert.Equal((2, 0), (_consumer.Generics[0], _provider.Generics[0]));
        _pair.Until(() => Provided[Counter.GenericSent] == 1 && _pair.Client.Recording.Counters[Counter.GenericSent] == 1);
        Assert.Equal(1, Provided[Counter.GenericReceived]);
    }

    private static ProviderSessionOptions Options() =>
        SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { SupportOmmPost = true } };

    private static byte[] Post(int stream, string? name, DataType container = DataType.FieldList, byte[]? payload = null,
        ushort serviceId = 1)
    {
        MsgKey key = new() { Flags = MsgKeyFlags.HasServiceId, ServiceId = serviceId };
        if (name is not null)
        {
            key.Flags |= MsgKeyFlags.HasName;
            key.Name = System.Text.Encoding.ASCII.GetBytes(name);
        }

        RwfMsg post = new()
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = stream,
            Flags = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId | PostFlags.HasMsgKey,
            PostId = 7,
            ContainerType = container,
            Key = key,
        };
        payload ??= [0x08, 0, 0];
        return [.. Wire.Encode(post), .. payload];
    }

    private sealed class Reflecting : ProviderHandler
    {
        public List<string> Results { get; } = [];

        public List<int> Generics { get; } = [];

        protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
            SessionSamples.Messages.Refresh.EncodeList(ref writer);

        protected internal override void OnPost(int item, scoped in RwfMsg post) => Results.Add($"{Session.Reflect(item, post)}");

        protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Generics.Add(item);
    }

    private sealed class PostingConsumer : ConsumerHandler
    {
        private readonly FieldListDecoder _decoder = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);

        public int Images { get; private set; }

        public List<string> Updates { get; } = [];

        public List<(uint Id, bool IsRefusal)> Acks { get; } = [];

        public List<int> Generics { get; } = [];

        public bool Send(byte[] message) => Session.Output.TrySend(message, MessageKind.Post);

        public bool TrySendWhole(byte[] message) => Session.IsOpen && Send(message);

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) => Images++;

        protected internal override void OnFullUpdate(int item, scoped in RwfMsg update)
        {
            _decoder.Decode(update.Message, update.PayloadStart);
            Updates.Add($"{item} {update.PostUserAddress} {update.PostUserId} {_decoder.Kept(StampFields.PostIndex)}");
        }

        protected internal override void OnAck(int item, scoped in RwfMsg ack) => Acks.Add((ack.AckId, ack.Has(AckFlags.HasNakCode)));

        protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Generics.Add(item);
    }
}
