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

/// <summary>ConsPerf's handler that posts, on a session over memory, against a provider that sends posts back.</summary>
public sealed class ConsumerPostTests : IDisposable
{
    private static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

    private readonly ConsPerfOptions _options = new() { SteadyStateSeconds = 3600, PostingRate = 1000, PostingLatencyRate = 1000 };
    private readonly MemoryNetwork _network = new(TimeSource.System);
    private readonly Worker _server;
    private readonly Worker _client;

    public ConsumerPostTests()
    {
        _server = new(new WorkerOptions(), new WorkerRecording(), _network);
        _client = new(new WorkerOptions(), ConsPerfRole.CreateRecording(_options), _network);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OnFullUpdate_PostOfSomebodyElse_IsAnUpdateWithoutLatency(bool isChanged)
    {
        ConsumerSession consumer = Connect(new Reflecting { ChangesPoster = isChanged }, takesPosts: true);
        Until(() => Updates >= 20);

        Assert.Equal(isChanged ? 0 : Updates, _client.Recording[Series.Posts].TakeRest().Count);
        Assert.Equal(0, _client.Recording[Series.Updates].TakeRest().Count);
        Assert.Null(consumer.Failure);
    }

    [Fact]
    public void OnLoggedIn_ProviderTakesNoPosts_EndsWithThatReason()
    {
        ConsumerSession consumer = Connect(new Reflecting(), takesPosts: false);
        Until(() => consumer.Failure is not null);

        Assert.Equal(ConsumerFailureKind.PostsNotTaken, consumer.Failure!.Kind);
        Assert.Contains("does not support posting", consumer.Failure.Text, StringComparison.Ordinal);
        Assert.Equal(0, _client.Recording.Counters[Counter.RequestsSent]);
    }

    [Fact]
    public void OnReady_NoItemIsMarked_SaysSoAndSendsNone()
    {
        Connect(new Reflecting(), takesPosts: true, ItemFlags.GenMsg);
        Until(() => _client.Recording.TimeOf(Moment.SteadyBegan) is not null);

        List<string> notices = [];
        while (_client.Recording.Notices.TryTake(out string notice))
            notices.Add(notice);
        Assert.Contains("None of the items of this connection is marked to post to.", notices);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    private long Updates => _client.Recording.Counters[Counter.StartupUpdates] + _client.Recording.Counters[Counter.SteadyUpdates];

    private ConsumerSession Connect(Reflecting provider, bool takesPosts, ItemFlags flags = ItemFlags.Post)
    {
        ConsumerMeasure measure = new(_options, _client.Recording, new ImageClock(1), ConsumerPlan.Of(_options, Messages, worker: 0));
        ConsumerSession consumer = new(
            new() { ServiceName = "TEST", Items = ItemList.Create(["A", "B"], flags), Dictionary = FieldDictionary.Default }, measure);
        LoginOffer offer = new() { ApplicationName = "test", Position = "here", SupportOmmPost = takesPosts };
        ProviderSession session = new(
            new() { Offer = offer, Service = new() { Name = "TEST", Id = 1 }, Dictionary = FieldDictionary.Default }, provider);
        using WorkerListener listener = new(new ListenOptions { Port = 0 }, _network);
        _client.Connect(consumer, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        _client.Turn();
        listener.Accept(TimeSpan.Zero, [_server], _ => session, CancellationToken.None);
        return consumer;
    }

    private void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < TimeSpan.FromSeconds(30), "the condition never held");
            _server.Turn();
            _client.Turn();
        }
    }

    private sealed class Reflecting : ProviderHandler
    {
        /// <summary>Gives the posts to somebody else before they go back.</summary>
        public bool ChangesPoster { get; init; }

        protected internal override int MaxRefreshBytes => Messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => Messages.Refresh.EncodeList(ref writer);

        protected internal override void OnPost(int item, scoped in RwfMsg post)
        {
            RwfMsg changed = post;
            if (ChangesPoster)
                changed.PostUserId++;
            Session.Reflect(item, changed);
        }
    }
}
