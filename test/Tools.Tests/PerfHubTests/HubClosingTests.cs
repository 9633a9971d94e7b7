using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Many items that end at once: a few in each turn, so that the delivery to others continues in between.</summary>
public class HubClosingTests
{
    private const int ProviderPort = 201;
    private const ushort ServiceId = 1;
    private const int MostPerTurn = 1_024;
    private const double MaxRatio = 2.2;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Consumer_OfManyItemsThatLeaves_HasThemClosedSomeInEachTurn(bool isLogin)
    {
        List<int> turns = CountTurns(isLogin, 25_000, 50_000);
        Assert.InRange(turns[1] / (double)turns[0], 1, MaxRatio);
    }

    [Theory(Explicit = true)]
    [InlineData(false)]
    [InlineData(true)]
    public void Consumer_OfTwoHundredThousandItemsThatLeaves_HasThemClosedSomeInEachTurn(bool isLogin)
    {
        int[] counts = [50_000, 100_000, 200_000];
        // the ring to the source's thread takes the first of them at once, the others as they are read there
        foreach ((int count, int turns) in counts.Zip(CountTurns(isLogin, counts)))
            Assert.InRange(turns, count / MostPerTurn, count / UpstreamThread.MaxRecordsPerTurn);
    }

    private static List<int> CountTurns(bool isLogin, params int[] counts)
    {
        List<int> turns = [];
        foreach (int count in counts)
        {
            using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)], MaxQueueBytes = 64 << 20 });
            TalkingPeer peer = hub.Talk();
            Open(hub, peer, count);
            if (isLogin)
                peer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.Login, StreamId = StreamIds.Login }));
            else
                peer.Worker.RequestEnd();
            turns.Add(CountTurns(hub, HubGauge.Watchers, count, MostPerTurn));
            hub.Until(() => hub.Read(HubGauge.Items) == 0);
            if (!isLogin)
                continue;
            peer.LogIn();
            Ask(peer, 6, "AGAIN");
            hub.Until(() => peer.Answers.Contains("Refresh 6 Open AGAIN"));
        }

        return turns;
    }

    [Fact]
    public void Consumers_ThatBreakOffInTheMiddleOfABatch_AreForgotten()
    {
        using SocketHub hub = new(options: new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)] });
        string[] names = [.. Enumerable.Range(0, 100).Select(i => $"N{i}")];
        for (int round = 0; round < 10; round++)
        {
            TalkingPeer peer = hub.TalkOfItems();
            for (int batch = 0; batch < 400; batch++)
            {
                RwfMsg request = TalkingPeer.Batch(10 + (batch * 200), ServiceId, names, out byte[] list);
                request.Payload = list;
                peer.Say(Wire.Encode(request));
            }

            hub.Until(() => hub.Hub.Read(HubGauge.Watchers) > 0);
            peer.Channel.Close(); // with answers unread: the system resets the connection
        }

        hub.Until(() => hub.Hub.Read(HubGauge.Consumers) == 0 && hub.Hub.Read(HubGauge.Watchers) == 0 && hub.Hub.Read(HubGauge.Items) == 0);
    }

    [Fact]
    public void Consumer_ThatLeaves_OthersGetTheirUpdatesBetween()
    {
        const int Items = 30_000;
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", 5)], MaxQueueBytes = 64 << 20 });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        NumberConsumer handler = new();
        hub.Consume(handler, NumberProvider.ServiceName, ["N1"]);
        hub.Until(() => handler.Updates > 10);
        TalkingPeer peer = hub.Talk();
        Open(hub, peer, Items, service: 5);
        peer.Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Watchers) < Items);
        int gaps = 0;
        while (hub.Read(HubGauge.Watchers) > 1)
        {
            int before = handler.Updates;
            hub.Turn();
            gaps += handler.Updates > before ? 0 : 1;
        }

        Assert.InRange(gaps, 0, 1);
        Assert.Empty(handler.Faults);
    }

    /// <summary>Its streams are closed over several turns, in which updates come for them: nothing is lost with these.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Consumer_ThatLeftWhileUpdatesCome_HasThemCountedAsUnwatched(bool isAtOnce)
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        string[] names = [.. Enumerable.Range(1, 3_000).Select(i => $"N{i}")];
        NumberConsumer handler = new();
        ConsumerSession session = hub.Consume(handler, NumberProvider.ServiceName, names);
        hub.Until(() => handler.Updates > 10_000);
        if (isAtOnce)
            session.Worker.Dispose();
        else
            session.Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Items) == 0);
        hub.Turns(20);
        Assert.Equal(hub.Count(HubCounter.CopiesDue), hub.Count(Counter.UpdatesSent) + hub.Count(Counter.UpdatesNotSent)
            + hub.Count(HubCounter.UpdatesDropped) + hub.Count(HubCounter.UpdatesConflated) + hub.Count(Counter.CopiesUnwatched));
        Assert.Equal(hub.Count(HubCounter.UpdatesReceived),
            hub.Count(HubCounter.CopiesDue) - hub.Count(Counter.CopiesUnwatched) + hub.Count(HubCounter.UpdatesUnwatched));
        Assert.Equal(0, hub.Read(HubGauge.Consumers));
        Assert.True(hub.Count(Counter.CopiesUnwatched) > 0);
    }

    /// <summary>What others post to its items meanwhile is kept by the hub: it has no watcher, and is not lost.</summary>
    [Fact]
    public void Consumer_ThatLeftWhilePostsCome_HasThemCountedAsUnwatched()
    {
        const int Items = 5_000;
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)], MaxQueueBytes = 64 << 20 });
        TalkingPeer leaving = hub.Talk(), poster = hub.Talk();
        Open(hub, leaving, Items);
        leaving.Worker.RequestEnd();
        int posts = 0;
        while (hub.Read(HubGauge.Watchers) > 0)
        {
            poster.Say(Wire.Encode(new RwfMsg
            {
                MsgClass = MsgClass.Post,
                DomainType = DomainType.MarketPrice,
                StreamId = StreamIds.Login,
                Flags = PostFlags.PostComplete | PostFlags.HasMsgKey,
                Key = TalkingPeer.Request(0, ServiceId, $"N{posts++ * 997 % Items}").Key,
                ContainerType = DataType.FieldList,
            }));
            hub.Turn();
        }

        // its items end with it, and posts to these are refused
        hub.Until(() => hub.Count(Counter.PostsReflected) + hub.Count(Counter.PostsNotReflected) + hub.Count(Counter.PostsRefused) == posts);
        Assert.InRange(hub.Count(Counter.PostsNotReflected), 2, posts - 1);
        Assert.Equal(hub.Count(Counter.PostsNotReflected), hub.Count(Counter.PostsUnwatched));
    }

    [Fact]
    public void Publisher_OfManyItemsThatLeaves_LosesSomeInEachTurn()
    {
        List<int> turns = [];
        foreach (int count in (int[])[20_000, 40_000])
        {
            using MemoryHub hub = new(new HubPerfOptions { KeepImagesSeconds = 0 });
            TalkingPeer publisher = hub.Talk(asPublisher: true);
            publisher.Say(HostileMessages.Directory(HostileMessages.Services(ServiceId, 1)));
            byte[] list = HostileMessages.List(1, 1);
            for (int i = 0; i < count; i++)
            {
                publisher.Say(HostileMessages.Image(-6 - i, ServiceId, $"N{i}", list));
                if (i % 500 == 0)
                    hub.Turn();
            }

            hub.Until(() => hub.Read(HubGauge.Items) == count);
            publisher.Worker.RequestEnd();
            turns.Add(CountTurns(hub, HubGauge.Items, count, MostPerTurn));
            Assert.Equal(0, hub.Read(HubGauge.ItemBytes));
        }

        Assert.InRange(turns[1] / (double)turns[0], 1, MaxRatio);
    }

    [Fact]
    public void Source_OfManyItemsThatIsGoneAndBack_TellsAndAsksSomeInEachTurn()
    {
        const int Items = 10_000;
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider { IsUpdating = false });
        NumberConsumer handler = new();
        hub.Consume(handler, NumberProvider.ServiceName, Enumerable.Range(1, Items).Select(i => $"N{i}"));
        hub.Until(() => handler.Images == Items);
        hub.KillProvider(ProviderPort);
        int most = 0;
        while (handler.States.Count < Items)
        {
            int before = handler.States.Count;
            hub.Turn();
            most = Math.Max(most, handler.States.Count - before);
        }

        Assert.InRange(most, 1, MostPerTurn);
        hub.StartProvider(ProviderPort, () => new NumberProvider { IsUpdating = false });
        hub.Until(() => handler.Images == 2 * Items);
        Assert.Equal(2 * Items, hub.Count(Counter.RequestsSent));
        Assert.All(handler.States, state => Assert.Equal("Open/Suspect", state));
    }

    [Fact]
    public void StreamIds_FarApart_AreClosedSomeInEachTurnToo()
    {
        const int Items = 5_000;
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)], MaxQueueBytes = 64 << 20 });
        TalkingPeer peer = hub.Talk();
        for (int i = 0; i < Items; i++)
        {
            Ask(peer, 10 + (i * 1_000), $"N{i}");
            if (i % 500 == 0)
                hub.Turn();
        }

        hub.Until(() => hub.Read(HubGauge.Watchers) == Items);
        peer.Worker.RequestEnd();
        CountTurns(hub, HubGauge.Watchers, Items, MostPerTurn);
    }

    private static void Open(MemoryHub hub, TalkingPeer peer, int count, ushort service = ServiceId)
    {
        for (int i = 0; i < count; i++)
        {
            Ask(peer, 10 + i, $"N{i}", service);
            if (i % 500 == 0)
                hub.Turn();
        }

        hub.Until(() => hub.Read(HubGauge.Watchers) >= count);
    }

    // Turns until none is left; each closes no more than a maximum.
    private static int CountTurns(MemoryHub hub, Gauge gauge, int count, int most)
    {
        hub.Until(() => hub.Read(gauge) < count);
        int turns = 0;
        for (long left = hub.Read(gauge), next; left > 0; left = next, turns++)
        {
            hub.Turn();
            next = hub.Read(gauge);
            Assert.InRange(left - next, 0, most);
            Assert.True(turns < 10 * count / 100);
        }

        return turns;
    }

    private static void Ask(TalkingPeer peer, int streamId, string name, ushort service = ServiceId) =>
        peer.Say(Wire.Encode(TalkingPeer.Request(streamId, service, name)));
}
