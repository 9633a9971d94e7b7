using HubPerf;
using PerfCommon.Sessions;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Consumers when the hub or a source ends and returns, and the connections that a hub refuses.</summary>
[Trait("Category", "Fast")]
public class HubLossTests
{
    private const int ProviderPort = 201;
    private static readonly string[] Names = [.. Enumerable.Range(1, 20).Select(i => $"N{i}")];

    [Fact]
    public void Hub_KilledAndBack_ServesConsumersThatAskAgain()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        hub.Publish(new NumberPublisher(), "PUBLISHED", Names);
        for (int round = 1; round <= 3; round++)
        {
            (ConsumerSession Session,
                NumberConsumer Handler)[] consumers = [.. ((string[])[NumberProvider.ServiceName, "PUBLISHED", NumberProvider.ServiceName])
                .Select(service => Consume(hub, service))];
            hub.Until(() =>
                Array.TrueForAll(consumers, consumer => consumer.Handler.Images == Names.Length && consumer.Handler.Updates > 100));
            Assert.Equal(1, hub.Count(Counter.RequestsSent) / Names.Length);
            hub.Kill();
            hub.Start();
            hub.Until(() => Array.TrueForAll(consumers, consumer => consumer.Session.Closed is not null));
            Assert.Empty(consumers.SelectMany(consumer => consumer.Handler.Faults));
            hub.Publish(new NumberPublisher(), "PUBLISHED", Names);
        }
    }

    [Fact]
    public void Source_KilledAndBackManyTimes_IsCountedAndEndsNoConsumer()
    {
        const int Rounds = 3;
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        (ConsumerSession session, NumberConsumer handler) = Consume(hub, NumberProvider.ServiceName);
        for (int round = 1; round <= Rounds; round++)
        {
            int updates = handler.Updates;
            hub.Until(() => handler.Images == round * Names.Length && handler.Updates > updates + 50);
            Assert.Equal(1, hub.Sources.Recording[HubGauge.Sources]);
            hub.KillProvider(ProviderPort);
            hub.Until(() => handler.States.Count == round * Names.Length && hub.Sources.Recording[HubGauge.Sources] == 0);
            hub.StartProvider(ProviderPort, () => new NumberProvider());
        }

        Assert.All(handler.States, state => Assert.Equal("Open/Suspect", state));
        Assert.Null(session.Closed);
        Assert.Empty(handler.Faults);
        Assert.Equal(Rounds, hub.TakeNotices().Count(notice => notice.Contains(" is gone: ", StringComparison.Ordinal)));
        Assert.Equal(Rounds * Names.Length, hub.Count(Counter.RequestsSent));
    }

    [Fact]
    public void Publisher_OfTwoGone_LosesWhatTheOtherDoesNotPublish()
    {
        using MemoryHub hub = new();
        PublisherSession first = hub.Publish(new NumberPublisher { IsUpdating = false }, "PUBLISHED", "N1", "N2");
        hub.Publish(new NumberPublisher(), "PUBLISHED", "N2", "N3");
        hub.Until(() => hub.Sources.Recording[HubGauge.Items] == 3);
        NumberConsumer handler = new() { AllowsGaps = true };
        hub.Consume(handler, "PUBLISHED", ["N1", "N2", "N3"]);
        hub.Until(() => handler.Images == 3 && handler.Updates > 20);

        first.Worker.RequestEnd();
        hub.Until(() => handler.States.Count > 0);
        int updates = handler.Updates;
        hub.Until(() => handler.Updates > updates + 20);
        Assert.Equal(["Open/Suspect"], handler.States);
        Assert.Equal(1, hub.Sources.Recording[HubGauge.Sources]);
    }

    [Fact]
    public void Service_OfASecondSource_IsRefusedInOneLineAndTheFirstStays()
    {
        using MemoryHub hub = new();
        NumberProvider second = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        hub.AddProvider(ProviderPort + 1, () => second);
        hub.Publish(new NumberPublisher(), NumberProvider.ServiceName, "N1");
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 3);
        (_, NumberConsumer handler) = Consume(hub, NumberProvider.ServiceName);
        hub.Until(() => handler.Updates > 100);

        Assert.Equal(0, second.Requests);
        Assert.Empty(handler.Faults);
        Assert.Equal(
            ["Service NUMBERS of a non-interactive provider is offered by another source; it is not used.",
                $"Service NUMBERS of {MemoryNetwork.Host}:202 is offered by another source; it stands by."],
            hub.TakeNotices().Where(notice => notice.Contains("another source", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Source_Killed_TheOneThatStandsByTakesItsItemsOverAndKeepsThem()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        hub.AddProvider(ProviderPort + 1, () => new NumberProvider(serviceId: 77));
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 2);
        (ConsumerSession session, NumberConsumer handler) = Consume(hub, NumberProvider.ServiceName);
        for (int round = 0; round < 4; round++)
        {
            int updates = handler.Updates;
            hub.Until(() => handler.Images == (round + 1) * Names.Length && handler.Updates > updates + 50);
            int port = ProviderPort + (round % 2);
            hub.KillProvider(port);
            hub.Until(() => handler.States.Count == (round + 1) * Names.Length);
            hub.Until(() => handler.Images == (round + 2) * Names.Length); // of the other, at once
            hub.StartProvider(port, () => new NumberProvider(serviceId: (ushort)(1 + round)));
            hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 2);
            hub.Turns(50);
            Assert.Equal((round + 2) * Names.Length, handler.Images);
        }

        Assert.All(handler.States, state => Assert.Equal("Open/Suspect", state));
        Assert.Null(session.Closed);
        Assert.Empty(handler.Faults);
        Assert.Equal(4,
            hub.TakeNotices().Count(notice =>
                notice.StartsWith("Service NUMBERS and 20 items of it are those of ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Sources_BothKilled_TheOneThatIsBackFirstHasTheItems()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 1);
        hub.AddProvider(ProviderPort + 1, () => new NumberProvider());
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 2);
        (_, NumberConsumer handler) = Consume(hub, NumberProvider.ServiceName);
        hub.Until(() => handler.Images == Names.Length);
        hub.KillProvider(ProviderPort + 1);
        hub.KillProvider(ProviderPort);
        hub.Until(() => hub.Sources.Recording[HubGauge.Sources] == 0);

        hub.StartProvider(ProviderPort + 1, () => new NumberProvider());
        hub.Until(() => handler.Images == 2 * Names.Length);
        Assert.Empty(handler.Faults);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Connections_MoreThanAllowed_AreRefusedOnEachFaceByItself(bool asPublisher)
    {
        HubPerfOptions options = new();
        using MemoryHub hub =
            new(options with { Connection = options.Connection with { Server = options.Connection.Server with { MaxConnections = 1 } } });
        Connection Create(string service) => asPublisher ? MemoryHub.CreatePublisher(new NumberPublisher(), service, "N1")
            : MemoryHub.CreateConsumer(new NumberConsumer(), "NOBODYS", Names);
        Worker first = hub.Connect(Create("FIRST"), asPublisher);
        hub.Until(() => Served(hub) == 1);
        Worker second = hub.Connect(Create("SECOND"), asPublisher);
        string notice = "";
        hub.Until(() => second.Recording.Notices.TryDequeue(out notice));
        Assert.Contains("Too many connections", notice, StringComparison.Ordinal);
        Assert.Equal(1, hub.Count(Counter.ConnectionsRefused));
        Worker other = hub.Connect(new TalkingPeer(), !asPublisher); // the other port has a separate limit
        hub.Until(() => other.OpenConnections == 1);

        first.RequestEnd();
        hub.Until(() => second.Recording.Notices.TryDequeue(out notice) && notice == "Connected."); // it has tried again
    }

    // Providers, and a peer that is connected as a consumer.
    private static long Served(MemoryHub hub) => hub.Sources.Recording[HubGauge.Sources] + hub.Sessions.Recording[HubGauge.Consumers];

    private static (ConsumerSession Session, NumberConsumer Handler) Consume(MemoryHub hub, string service)
    {
        NumberConsumer handler = new();
        return (hub.Consume(handler, service, Names), handler);
    }
}
