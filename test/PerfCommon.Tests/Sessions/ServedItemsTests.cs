using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using Xunit;
using OneThread = PerfCommon.Reactor.Reactor;

namespace PerfCommon.Tests.Sessions;

/// <summary>Items created in code, requested and published.</summary>
public class ServedItemsTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly ServedItems _items = new();
    private readonly ConsumerLog _log = new();

    public ServedItemsTests()
    {
        foreach (string name in (string[])["RDT1", "RDT3"])
            _items.Set(name, SessionSamples.Messages.Refresh);
    }

    [Fact]
    public void Request_KnownAndUnknownName_IsAnsweredAndRefused()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        Assert.Equal(
            ["ready", "status 1 Closed NotFound Item request rejected for stream id 7 - there is no such item", "refresh 0 RDT1 Success",
                "refresh 2 RDT3 Success"],
            _log.Lines.OrderBy(line => line.StartsWith("refresh", StringComparison.Ordinal)));
    }

    [Fact]
    public void Publish_WatchedItem_ReachesItsConsumersAlone()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        int unwatched = _items.Set("RDT7", SessionSamples.Messages.Refresh);
        Assert.Equal((0, 1),
            (_items.Publish(unwatched, SessionSamples.Messages.Updates[0]),
                _items.Publish(_items.IndexOf("RDT3"), SessionSamples.Messages.Updates[0], stamp: 7)));
        pair.Until(() => _log.Lines.Count == 5);
        Assert.Equal("update 2 Success 7", _log.Lines[^1]);
    }

    [Fact]
    public void Set_AnotherRefresh_IsSentToWhoWatches()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        Assert.Equal(0, _items.Set("RDT1", SessionSamples.Messages.Refresh));
        pair.Until(() => _log.Lines.Count == 5);
        Assert.Equal("refresh 0 RDT1 Success", _log.Lines[^1]);
    }

    // An item may be open on its common stream and on private ones, each with a number of the consumer.
    [Fact]
    public void PublishAndSet_ItemOnACommonAndAPrivateStream_ReachBoth()
    {
        using OneThread reactor = new();
        int port = reactor.Provide(SessionSamples.Provider, _items.CreateHandler, new ListenOptions { Port = 0 });
        RecoveringConsumer consumer = reactor.Consume(SessionPair.Items(1), _log, new ConnectOptions { Host = "127.0.0.1", Port = port });
        int apart = consumer.Session.Subscribe("RDT1", isPrivate: true);
        Until(reactor, 3); // ready, and both images
        Assert.Equal(2, _items.Publish(0, SessionSamples.Messages.Updates[0], stamp: 9));
        Until(reactor, 5);
        Assert.Equal([$"update 0 Success 9", $"update {apart} Success 9"], _log.Lines[3..].Order());
        _items.Set("RDT1", SessionSamples.Messages.Refresh);
        Until(reactor, 7);
        Assert.Equal(["refresh 0 RDT1 Success", $"refresh {apart} RDT1 Success"], _log.Lines[5..].Order());
    }

    [Fact]
    public void Set_AnotherRefreshOfAPublishedItem_IsPublished()
    {
        HubPeer hub = new();
        using PublisherPair pair = new(hub, PublisherPair.Items(2) with { Items = _items.ToList() }, _items.CreatePublisher());
        Assert.Equal(0, _items.Publish(1, SessionSamples.Messages.Updates[0])); // before its image
        _items.Set("RDT3", SessionSamples.Messages.Refresh);
        pair.Until(() => hub.Images.Count == 2);
        Assert.Equal(["RDT1", "RDT3"], hub.Images.Select(image => image.Name));
        _items.Set("RDT3", SessionSamples.Messages.Refresh);
        int later = _items.Set("RDT5", SessionSamples.Messages.Refresh); // which this publisher has not
        Assert.Equal((1, 0), (_items.Publish(1, SessionSamples.Messages.Updates[0], stamp: 7), _items.Publish(later, SessionSamples.Messages.Updates[0])));
        _items.Set("RDT5", SessionSamples.Messages.Refresh);
        pair.Until(() => hub.Images.Count == 3 && hub.Updates == 1);
        Assert.Equal((hub.Images[1], 7UL, 0), (hub.Images[2], hub.LastStamp, hub.Faults.Count));
    }

    [Fact]
    public void Publish_AfterTheConsumerLeft_ReachesNobody()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        pair.Client.RequestEnd();
        pair.Until(() => pair.Client.HasEnded && pair.Server.OpenConnections == 0);
        Assert.Equal(0, _items.Publish(0, SessionSamples.Messages.Updates[0]));
    }

    [Fact]
    public void Publish_Warm_AllocatesNothing()
    {
        _log.RecordsUpdates = false;
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        FieldListTemplate update = SessionSamples.Messages.Updates[0].Copy();
        int number = update.Fields.ToList().FindIndex(field => field.Type == DataType.Real);
        for (int i = 0; i < 2_000; i++)
            Publish(i);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
                Publish(i);
        });

        void Publish(int value)
        {
            update.Set(number, new RwfReal(value, RealHint.Exponent0));
            Assert.True(_items.Publish(0, update) == 1);
            pair.Server.Turn(0);
            pair.Client.Turn(0);
        }
    }

    private void Until(OneThread reactor, int lines)
    {
        for (Stopwatch waited = Stopwatch.StartNew(); _log.Lines.Count < lines && waited.Elapsed < Limit;)
            reactor.Dispatch(TimeSpan.FromMilliseconds(5));
        Assert.Equal(lines, _log.Lines.Count);
    }

    [Theory]
    [InlineData("")]
    [InlineData(256)]
    public void Set_NameThatCannotTravel_IsRefused(object name) =>
        Assert.Throws<ArgumentException>(() => _items.Set(name as string ?? new string('x', (int)name), SessionSamples.Messages.Refresh));
}
