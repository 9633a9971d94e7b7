using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Directories of sources that try to exhaust a hub at the expense of others: many services, services that change without end, and such as
/// break the directory of all.</summary>
public class HubServicesTests
{
    private const int ProviderPort = 201;

    [Theory]
    [InlineData(1_000, 1_000, 0)]
    [InlineData(4_000, 1_000, 3_000)]
    public void Directory_OfManyServices_IsTakenUpToAThousandAndToldOnce(int listed, int taken, int refused)
    {
        using MemoryHub hub = new();
        TalkingPeer consumer = Listen(hub);
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        int before = hub.Services.Version;
        publisher.Say(HostileMessages.Directory(HostileMessages.Services(1, listed)));
        hub.Until(() => consumer.Answers.Count == 2);
        hub.Turns(500);
        Assert.Equal((2, taken), (consumer.Answers.Count, Services(consumer)));
        Assert.Equal(2 * taken, hub.Services.Version - before); // each is new, and has a provider
        Assert.Equal(refused, hub.Count(HubCounter.ServicesRefused));
        Assert.Equal(refused > 0, hub.TakeNotices().Any(notice => notice.Contains("more than 1000", StringComparison.Ordinal)));
    }

    [Fact]
    public void Directory_ThatChangesWithoutEnd_IsToldNowAndThen()
    {
        const int Changes = 1_000;
        using MemoryHub hub = new();
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        publisher.Say(HostileMessages.Directory(HostileMessages.Services(1, 500)));
        TalkingPeer[] consumers = [.. Enumerable.Range(0, 20).Select(_ => Listen(hub))];
        for (int i = 0; i < Changes; i++)
        {
            publisher.Say(HostileMessages.Directory([new ServiceOffer { Name = "S7", Id = 7, IsUp = i % 2 == 1 }], isWhole: false));
            hub.Turn();
        }

        // of a second, each tenth
        Assert.All(consumers, consumer => Assert
            .InRange(consumer.Answers.Count, 3, 2 + (int)(Changes * MemoryHub.TurnNanos / (100 * Clock.NanosPerMilli)) + 1));
        hub.Turns(300);
        int[] told = [.. consumers.Select(consumer => consumer.Answers.Count)];
        hub.Turns(300);
        Assert.Equal(told, consumers.Select(consumer => consumer.Answers.Count)); // the last state was sent
    }

    [Fact]
    public void Directory_AskedForOverAndOver_IsAnsweredSomeTimesATurn()
    {
        using MemoryHub hub = new(new HubPerfOptions { MaxQueueBytes = 64 << 20 });
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        publisher.Say(HostileMessages.Directory(HostileMessages.Services(1, 1_000)));
        TalkingPeer consumer = Listen(hub);
        hub.Turns(300);
        int before = consumer.Answers.Count;
        byte[] room = new byte[1_024];
        byte[] request = room[..DirectoryConsumer.EncodeRequest(room)];
        for (int i = 0; i < 100; i++)
            consumer.Say(request);
        int most = 0;
        for (int turns = 0, seen = before; seen < before + 100; turns++)
        {
            Assert.True(turns < 1_000, $"{seen - before} answers in {turns} turns");
            hub.Turn();
            most = Math.Max(most, consumer.Answers.Count - seen);
            seen = consumer.Answers.Count;
        }

        Assert.InRange(most, 1, 6); // 256 KB of them, and one, of about 70 KB each
    }

    [Fact]
    public void Directory_ForAConsumerThatReadsNothing_WaitsOnceHoweverOftenItChanges()
    {
        using MemoryHub hub = new(new HubPerfOptions { MaxQueueBytes = 256 * 1024 });
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        publisher.Say(HostileMessages.Directory(HostileMessages.Services(1, 800)));
        TalkingPeer consumer = Listen(hub);
        hub.Stop(consumer);
        for (int i = 0; i < 100; i++)
        {
            publisher.Say(HostileMessages.Directory([new ServiceOffer { Name = "S7", Id = 7, IsUp = i % 2 == 1 }], isWhole: false));
            hub.Turns(110);
        }

        hub.Resume(consumer);
        int before = consumer.Answers.Count;
        hub.Turns(500);
        Assert.InRange(consumer.Answers.Count - before, 1, 12); // what the system held, and one more
        Assert.InRange(hub.Sessions.Poller.PooledBytes, 0, 8 << 20);
        Assert.Equal(0, hub.Count(HubCounter.ConnectionsCut));
    }

    [Fact]
    public void Service_ThatSaysTooMuch_IsLeftOutAndTheDirectoryOfOthersStaysWhole()
    {
        using MemoryHub hub = new();
        TalkingPeer consumer = Listen(hub);
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        ServiceOffer great = new() { Name = "GREAT", Id = 8, Vendor = new string('v', 50_000) };
        publisher.Say(HostileMessages.Directory([.. HostileMessages.Services(1, 3), great]));
        hub.Until(() => consumer.Answers.Count == 2);
        Assert.Equal((3, 1L), (Services(consumer), hub.Count(HubCounter.ServicesRefused)));
    }

    [Fact]
    public void Services_OfAPublisherThatLeft_GoWithTheLastWatcher()
    {
        using MemoryHub hub = new(new HubPerfOptions { KeepImagesSeconds = 0 });
        TalkingPeer consumer = Listen(hub);
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        publisher.Say(HostileMessages.Directory(HostileMessages.Services(1, 100)));
        publisher.Say(HostileMessages.Image(-6, 7, "N1", HostileMessages.List(1, 3)));
        hub.Until(() => hub.Read(HubGauge.Items) == 1 && consumer.Answers.Count == 2);
        consumer.Say(Wire.Encode(TalkingPeer.Request(6, 7, "N1")));
        hub.Until(() => consumer.Answers.Count == 3);
        Assert.Equal(100, hub.Services.List().Offers.Count);

        publisher.Worker.RequestEnd();
        hub.Until(() => hub.Services.List().Offers is [{ IsUp: false, Name: "S7" }]);
        consumer.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = 6 }));
        hub.Until(() => hub.Services.List().Offers.Count == 0);
        Assert.Equal(0, hub.Read(HubGauge.Items));
    }

    /// <summary>A publisher that has another service under an id has the one before no longer.</summary>
    [Fact]
    public void Service_WhoseIdGetsAnotherName_IsGone()
    {
        using MemoryHub hub = new();
        TalkingPeer publisher = hub.Talk(asPublisher: true);
        for (int i = 0; i < 50; i++)
        {
            publisher.Say(HostileMessages.Directory([new ServiceOffer { Name = $"S{i}", Id = 7 }], isWhole: i % 2 == 0));
            hub.Until(() => hub.Services.Find($"S{i}") is not null);
        }

        hub.Until(() => hub.Services.List().Offers is [{ IsUp: true, Name: "S49" }]);
        publisher.Worker.RequestEnd();
        hub.Until(() => hub.Services.List().Offers.Count == 0);
    }

    [Fact]
    public void Services_OfASourceThatIsGoneAndBack_AreOfferedAgain()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        hub.Until(() => hub.Services.Find(NumberProvider.ServiceName) is not null);
        hub.KillProvider(ProviderPort);
        hub.Until(() => hub.Services.Find(NumberProvider.ServiceName) is null); // no consumer subscribes to an item
        hub.StartProvider(ProviderPort, () => new NumberProvider());
        hub.Until(() => hub.Services.Find(NumberProvider.ServiceName) is { Offer.IsUp: true });
    }

    [Fact]
    public void Services_OfManyPublishers_ComeAndGoWithoutATrace()
    {
        using MemoryHub hub = new();
        for (int round = 0; round < 10; round++)
        {
            TalkingPeer publisher = hub.Talk(asPublisher: true);
            publisher.Say(HostileMessages.Directory(HostileMessages.Services(1 + (round * 1_000), 1_000)));
            hub.Until(() => hub.Services.List().Offers.Count == 1_000);
            publisher.Worker.RequestEnd();
            hub.Until(() => hub.Services.List().Offers.Count == 0);
        }

        Assert.Equal(0, hub.Count(HubCounter.ServicesRefused));
    }

    // Logs in, and listens to the directory.
    /// <summary>Connects a consumer that has requested the directory.</summary>
    internal static TalkingPeer Listen(MemoryHub hub)
    {
        TalkingPeer peer = hub.Talk();
        peer.Say(Wire.Encode(DirectoryConsumer.EncodeRequest));
        hub.Until(() => peer.Answers.Count == 1);
        return peer;
    }

    /// <summary>Counts the services of the last directory that a consumer has received.</summary>
    internal static int Services(TalkingPeer peer)
    {
        RwfMsg last = peer.Last(MsgClass.Refresh);
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(last.Payload, out MapReader map));
        int count = 0;
        DecodeResult result;
        while ((result = map.TryReadNext(out MapEntry entry)) == DecodeResult.Success)
        {
            ServiceInfo info = new();
            Assert.True(ServiceEntry.TryApply(entry.Content, ref info));
            Assert.NotNull(info.Name);
            count++;
        }

        Assert.Equal(DecodeResult.EndOfContainer, result);
        return count;
    }
}
