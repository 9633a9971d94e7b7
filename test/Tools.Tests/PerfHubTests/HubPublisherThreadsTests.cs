using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Non-interactive providers on several source threads: each item belongs to one thread, whichever provider publishes it.</summary>
public class HubPublisherThreadsTests
{
    private const string Service = "PUBLISHED";
    private static readonly string[] Names = [.. Enumerable.Range(1, 40).Select(i => $"N{i}")];

    [Theory]
    [InlineData(1, 2, false)]
    [InlineData(1, 3, false)]
    [InlineData(2, 3, false)]
    [InlineData(2, 0, false)] // the session threads read the sources
    [InlineData(1, 2, true)]
    [InlineData(2, 2, true)]
    [InlineData(3, 0, true)]
    public void Consumers_ComingAndGoing_GetImageAndUpdatesInOrder(int sessionThreads, int sourceThreads, bool isOnePort)
    {
        using MemoryHub hub = Create(sessionThreads, sourceThreads, isOnePort);
        Publish(hub, isOnePort, new NumberPublisher { IsUpdating = false }, "NONE");
        Random random = new(7);
        List<(ConsumerSession Session, NumberConsumer Handler)> all = [Consume(hub, Names[..20])]; // asked for before they are published
        hub.Until(() => all[0].Handler.TemporaryImages == 20);
        for (int i = 0; i < 4; i++)
            Publish(hub, isOnePort, new NumberPublisher(), Names[(i * 10)..((i + 1) * 10)]);
        for (int round = 0; round < 25; round++)
        {
            hub.Turns(random.Next(1, 40));
            all.Add(Consume(hub, [.. Names.OrderBy(_ => random.Next()).Take(random.Next(1, 40))]));
            if (random.Next(3) == 0)
                all[random.Next(all.Count)].Session.Worker.RequestEnd();
        }

        hub.Until(() =>
            all.TrueForAll(one =>
                one.Handler.Items == one.Session.ItemCount || one.Session.Worker.HasEnded || one.Session.Closed is not null));
        hub.Turns(50);
        Assert.Empty(all.SelectMany(one => one.Handler.Faults));
        Assert.True(all.Sum(one => one.Handler.Updates) > 1_000);
        Assert.Equal(41, hub.Read(HubGauge.Items));
        Assert.All(hub.SourceWorkers, worker => Assert.True(worker.Recording[HubGauge.Items] > 0));
        Assert.Equal(5, hub.Read(HubGauge.Sources));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped) + hub.Count(HubCounter.ConnectionsCut));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public void Providers_OnThreadsOfTheirOwn_HaveTheirItemsThere(int sourceThreads)
    {
        using MemoryHub hub = Create(1, sourceThreads, isOnePort: false);
        for (int i = 0; i < sourceThreads; i++)
            Publish(hub, isOnePort: false, new NumberPublisher { IsUpdating = false }, [.. Names.Skip(i * 10).Take(10)]);
        hub.Until(() => hub.Read(HubGauge.Items) == 10 * sourceThreads);

        Assert.All(hub.SourceWorkers,
            worker => Assert.Equal((1, 10), (worker.Recording[HubGauge.Sources], worker.Recording[HubGauge.Items])));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Item_OfTwoProvidersOnTwoThreads_IsLostWithTheLast(bool isFirstLeavingFirst)
    {
        using MemoryHub hub = Create(1, 2, isOnePort: false);
        PublisherSession first = Publish(hub, isOnePort: false, new NumberPublisher { IsUpdating = isFirstLeavingFirst }, Names);
        hub.Until(() => hub.Read(HubGauge.Items) == Names.Length);
        PublisherSession second = Publish(hub, isOnePort: false, new NumberPublisher { IsUpdating = !isFirstLeavingFirst }, Names);
        hub.Until(() => hub.Count(Counter.RefreshesReceived) == 2 * Names.Length);
        (_, NumberConsumer handler) = Consume(hub, Names);
        hub.Until(() => handler.Images == Names.Length && handler.Updates > 100);
        Assert.Equal(0, hub.SourceWorkers[1].Recording[HubGauge.Items]);

        (isFirstLeavingFirst ? first : second).Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Sources) == 1);
        hub.Turns(20);
        Assert.Empty(handler.States);
        (isFirstLeavingFirst ? second : first).Worker.RequestEnd();
        hub.Until(() => handler.States.Count == Names.Length);
        Assert.All(handler.States, state => Assert.Equal("Open/Suspect", state));
        Assert.Empty(handler.Faults);
    }

    [Fact]
    public void Provider_KilledAndBackOnAnotherThread_MakesAllWellAgain()
    {
        using MemoryHub hub = Create(1, 2, isOnePort: false);
        PublisherSession provider = Publish(hub, isOnePort: false, new NumberPublisher(), Names);
        (ConsumerSession session, NumberConsumer handler) = Consume(hub, Names);
        for (int round = 1; round <= 4; round++)
        {
            int updates = handler.Updates;
            hub.Until(() => handler.Images == round * Names.Length && handler.Updates > updates + 100);
            hub.Stop(provider);
            provider.Worker.Dispose();
            hub.Until(() => handler.States.Count == round * Names.Length);
            (_, NumberConsumer late) = Consume(hub, Names);
            hub.Turns(100);
            Assert.Equal(0, late.Images); // the service is down
            Publish(hub, isOnePort: false, new NumberPublisher { IsUpdating = false }, "OF ITS THREAD");
            hub.Until(() => hub.Read(HubGauge.Sources) == round);
            provider = Publish(hub, isOnePort: false, new NumberPublisher(), Names);
            hub.Until(() => late.Images >= Names.Length);
        }

        Assert.All(handler.States, state => Assert.Equal("Open/Suspect", state));
        Assert.All(Enumerable.Range(0, Names.Length), item => Assert.Equal(DataState.Ok, handler.StateOf(item)));
        Assert.Empty(handler.Faults);
        Assert.Null(session.Closed);
    }

    [Theory]
    [InlineData(1, 2, false)]
    [InlineData(1, 3, false)]
    [InlineData(2, 0, false)]
    [InlineData(1, 1, true)]
    [InlineData(2, 2, true)]
    [InlineData(2, 0, true)]
    public void End_WithUpdatesOnTheirWay_DeliversWhatCameIn(int sessionThreads, int sourceThreads, bool isOnePort)
    {
        using MemoryHub hub = Create(sessionThreads, sourceThreads, isOnePort);
        PublisherSession[] providers =
            [Publish(hub, isOnePort, new NumberPublisher(), Names[..20]), Publish(hub, isOnePort, new NumberPublisher(), Names[10..])];
        (ConsumerSession session, NumberConsumer handler) = Consume(hub, Names);
        handler.AllowsGaps = true; // ten items have two providers
        hub.Until(() => handler.Items == Names.Length && handler.Updates > 1_000);
        hub.End();
        hub.Until(() => session.Closed is not null && Array.TrueForAll(providers, provider => provider.Closed is not null));

        Assert.Equal(providers.Sum(provider => provider.Worker.Recording.Counters[Counter.UpdatesSent]),
            hub.Count(HubCounter.UpdatesReceived));
        Assert.Equal(hub.Count(HubCounter.UpdatesReceived), hub.Count(Counter.UpdatesSent) + hub.Count(HubCounter.UpdatesUnwatched));
        Assert.Equal(hub.Count(Counter.UpdatesSent), handler.Updates);
        Assert.Equal(0, hub.Count(Counter.UpdatesNotSent) + hub.Count(Counter.MessagesDropped));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void SourceThread_ThatTakesNothing_HoldsProvidersUpAndLosesNothing(bool isOnePort)
    {
        using MemoryHub hub = Create(1, 2, isOnePort);
        Publish(hub, isOnePort, new NumberPublisher { IsUpdating = false }, "NONE"); // the other one goes to the second thread
        (_, NumberConsumer handler) = Consume(hub, Names);
        hub.Until(() => handler.TemporaryImages == Names.Length);
        NumberPublisher numbers = new();
        PublisherSession provider = Publish(hub, isOnePort, numbers, Names);
        hub.Until(() => handler.Updates > 100);
        Worker[] threads = [.. hub.SourceWorkers];
        hub.Stop(threads[0]);
        long received = -1;
        hub.Until(() =>
        {
            long before = received;
            hub.Turns(20);
            received = threads[1].Recording.Counters[HubCounter.UpdatesReceived];
            return received == before;
        });
        (_, NumberConsumer late) = Consume(hub, Names);
        hub.Until(() => late.Images > 0); // the request to the other thread is answered

        hub.Resume(threads[0]);
        numbers.IsUpdating = false;
        hub.Until(() => hub.Count(HubCounter.UpdatesReceived) == provider.Worker.Recording.Counters[Counter.UpdatesSent]);
        hub.Until(() => Enumerable.Range(0, Names.Length).All(item => handler.LastOf(item) == handler.LastOf(0)));
        Assert.Empty(handler.Faults);
        Assert.Equal(provider.Worker.Recording.Counters[Counter.UpdatesSent], handler.Updates);
    }

    // Providers come and go as a seed has it; then each item is what those that are there make it.
    [Theory]
    [InlineData(1, 2, 0, 60)]
    [InlineData(2, 3, 60, 60)]
    [InlineData(3, 0, 120, 60)]
    public void Providers_ComingAndGoing_LeaveEveryItemAsTheLastOfThemDid(int sessionThreads, int sourceThreads, int firstSeed, int seeds)
    {
        for (int seed = firstSeed; seed < firstSeed + seeds; seed++)
        {
            Random random = new(seed);
            bool isOnePort = random.Next(2) == 0;
            using MemoryHub hub = Create(sessionThreads, sourceThreads, isOnePort);
            List<(PublisherSession Session, string[] Names)> there = [];
            HashSet<string> published = [];
            void Come()
            {
                string[] names = [.. Names.Where(_ => random.Next(3) == 0).Append(Names[0])];
                published.UnionWith(names);
                there.Add((Publish(hub, isOnePort, new NumberPublisher(), names), names));
            }

            Come();
            NumberConsumer handler = new() { AllowsMixing = true };
            hub.Consume(handler, Service, Names);
            for (int step = 0; step < 12; step++)
            {
                if (there.Count > 0 && random.Next(2) == 0)
                    Go(hub, there, random);
                else
                    Come();
                hub.Turns(random.Next(8));
            }

            Come();
            hub.Until(() => AreAsPublished(handler, there, published), () => $"seed {seed}: {Describe(handler, there)}");
            hub.Turns(10);
            Assert.True(AreAsPublished(handler, there, published), $"seed {seed}, later: {Describe(handler, there)}");
            Assert.Empty(handler.Faults);
            Assert.Equal(0, hub.Count(Counter.MessagesDropped));
            NumberConsumer late = new() { AllowsMixing = true };
            hub.Consume(late, Service, Names[..1]); // the service is up
            hub.Until(() => late.Images > 0, () => $"seed {seed}: the service is down");
        }
    }

    private static bool AreAsPublished(
        NumberConsumer handler, List<(PublisherSession Session, string[] Names)> there, HashSet<string> ever) =>
        Enumerable.Range(0, Names.Length).All(item => !ever.Contains(Names[item])
            || handler.StateOf(item) == (there.Exists(one => one.Names.Contains(Names[item])) ? DataState.Ok : DataState.Suspect));

    private static string Describe(NumberConsumer handler, List<(PublisherSession Session, string[] Names)> there) =>
        string.Join(", ", Enumerable.Range(0, Names.Length).Select(item =>
            $"{Names[item]} {handler.StateOf(item)} of {there.Count(one => one.Names.Contains(Names[item]))}"));

    private static void Go(MemoryHub hub, List<(PublisherSession Session, string[] Names)> there, Random random)
    {
        (PublisherSession session, _) = there[random.Next(there.Count)];
        there.RemoveAll(one => one.Session == session);
        if (random.Next(2) == 0)
        {
            session.Worker.RequestEnd();
            return;
        }

        hub.Stop(session);
        session.Worker.Dispose();
    }

    // With 0 source threads the session threads read the sources.
    private static MemoryHub Create(int sessionThreads, int sourceThreads, bool isOnePort)
    {
        HubPerfOptions options = new() { SourceThreads = sourceThreads };
        return new(isOnePort ? options with { NiPort = options.Connection.Server.Port } : options, sessionThreads, sourceThreads);
    }

    private static PublisherSession Publish(MemoryHub hub, bool isOnePort, NumberPublisher handler, params IEnumerable<string> items)
    {
        PublisherSession session = MemoryHub.CreatePublisher(handler, Service, items);
        hub.Connect(session, asPublisher: !isOnePort);
        return session;
    }

    private static (ConsumerSession Session, NumberConsumer Handler) Consume(MemoryHub hub, string[] names)
    {
        NumberConsumer handler = new();
        return (hub.Consume(handler, Service, names), handler);
    }
}
