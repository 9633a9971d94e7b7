using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>ConsPerf's handler that posts, on a session over memory, against a provider that sends posts back.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerPostTests : IDisposable
{
    private static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

    private static readonly ConsPerfOptions Options = new() { SteadyStateSeconds = 3600, PostingRate = 1000, PostingLatencyRate = 1000 };

    private readonly MemoryPair _pair = new(Options);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void OnFullUpdate_PostOfSomebodyElse_IsAnUpdateWithoutLatency(bool isChanged)
    {
        ConsumerSession consumer = Connect(new Reflecting { ChangesPoster = isChanged }, takesPosts: true);
        _pair.Until(() => _pair.Updates >= 20);

        Assert.Equal(isChanged ? 0 : _pair.Updates, _pair.Recording[Series.Posts].CollectRest().Count);
        Assert.Equal(0, _pair.Recording[Series.Updates].CollectRest().Count);
        Assert.Null(consumer.Failure);
    }

    [Fact]
    public void OnLoggedIn_ProviderTakesNoPosts_EndsWithThatReason()
    {
        ConsumerSession consumer = Connect(new Reflecting(), takesPosts: false);
        _pair.Until(() => consumer.Failure is not null);

        Assert.Equal(ConsumerFailureKind.PostsNotAccepted, consumer.Failure!.Kind);
        Assert.Contains("does not support posting", consumer.Failure.Text, StringComparison.Ordinal);
        Assert.Equal(0, _pair[Counter.RequestsSent]);
    }

    [Theory]
    [InlineData(true, "None of the items of this connection is marked to post to.")]
    [InlineData(false, "None of the items of this connection is marked to send generic messages to.")]
    public void OnReady_NoItemIsMarked_SaysSoAndSendsNone(bool posts, string notice)
    {
        Connect(new Reflecting(), takesPosts: true, posts ? ItemFlags.GenMsg : ItemFlags.Post,
            posts ? Options : Options with { PostingRate = 0, PostingLatencyRate = 0, GenericMsgRate = 1000 });
        _pair.Until(() => _pair.Recording.TimeOf(Moment.SteadyBegan) is not null);

        Assert.Single(_pair.TakeNotices(), notice);
        Assert.Equal((0, 0), (_pair[Counter.PostsSent], _pair[Counter.GenericSent]));
    }

    [Fact]
    public void Bursts_ItemsWithOneMark_AreOfThatKindAlone()
    {
        ConsumerSession consumer = Connect(new Reflecting(), takesPosts: true);
        _pair.Until(() => _pair.Updates > 0);
        BurstPlan plan = new(MessageKind.Generic, rate: 1000, stampRate: 0, tickRate: 1000, seed: 1, LatencyUnit.Microseconds);
        Assert.All([0, 1], item => Assert.Equal(ItemFlags.Post, consumer.FlagsOf(item)));
        Assert.NotNull(ConsumerBurst.Posts(consumer, plan, Messages));
        Assert.Null(ConsumerBurst.Generics(consumer, plan, Messages));
    }

    /// <summary>The first generic message is a moment of the run; the first post is none.</summary>
    [Theory]
    [InlineData(1000, false)]
    [InlineData(0, true)]
    public void OnTick_FirstGenericMessage_IsAMomentOfTheRun(int postingRate, bool isGeneric)
    {
        using MeasuredConsumer consumer = new(new()
        {
            SteadyStateSeconds = 3600,
            PostingRate = postingRate,
            GenericMsgRate = isGeneric ? 1000 : 0
        });
        consumer.Until(() => consumer.Received >= 5);
        Assert.Equal(isGeneric, consumer.Recording.TimeOf(Moment.FirstGenericSent) is not null);
        Assert.Equal((isGeneric, !isGeneric), (consumer[Counter.GenericSent] > 0, consumer[Counter.PostsSent] > 0));
    }

    /// <summary>A load waits where the provider reads nothing, and only there.</summary>
    [Theory]
    [InlineData(1000, 0)]
    [InlineData(0, 1000)]
    public void IsBlocked_OfEitherLoad_IsTrueWhereTheProviderReadsNothing(int postingRate, int genericRate)
    {
        ConsPerfOptions options = new() { SteadyStateSeconds = 3600, PostingRate = postingRate, GenericMsgRate = genericRate };
        using MeasuredConsumer consumer = new(options);
        consumer.Until(() => consumer.Received >= 5);
        Assert.False(consumer.Session.IsBlocked);

        using MeasuredConsumer fast = new(options with { PostingRate = 1000 * postingRate, GenericMsgRate = 1000 * genericRate });
        fast.UntilAlone(() => fast.Session.IsBlocked);
        Assert.Equal((postingRate > 0, genericRate > 0), (fast[Counter.PostsSent] > 0, fast[Counter.GenericSent] > 0));
    }

    public void Dispose() => _pair.Dispose();

    private ConsumerSession Connect(Reflecting provider, bool takesPosts, ItemFlags flags = ItemFlags.Post, ConsPerfOptions? options = null)
    {
        options ??= Options;
        ConsumerMeasure measure = new(options, _pair.Recording, new ImageClock(1), ConsumerPlan.Of(options, Messages, worker: 0));
        ConsumerSession consumer = new(MemoryPair.Asking(flags, "A", "B"), measure);
        _pair.Connect(consumer, provider, takesPosts);
        return consumer;
    }

    private sealed class Reflecting : ProviderHandler
    {
        /// <summary>True to change the poster of the posts before they are sent back.</summary>
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
