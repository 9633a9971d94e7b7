using HubPerf;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A consumer of a hub receives an image, and every update after it once, in order.</summary>
[Trait("Category", "Fast")]
public class HubOrderTests
{
    private const int ProviderPort = 201;
    private static readonly string[] Names = [.. Enumerable.Range(1, 40).Select(i => $"N{i}")];

    public static TheoryData<int, double> ThreadsAndBursts { get; } = new() { { 0, 0 }, { 1, 0 }, { 0, 0.05 }, { 1, 0.05 } };

    [Theory]
    [MemberData(nameof(ThreadsAndBursts))]
    public void Consumers_ComingAndGoing_GetImageAndUpdatesInOrder(int sourceThreads, double burstSeconds)
    {
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = sourceThreads, BurstMaxSeconds = burstSeconds });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        Random random = new(11);
        List<(ConsumerSession Session, NumberConsumer Handler)> all = [];
        for (int round = 0; round < 25; round++)
        {
            NumberConsumer handler = new();
            all.Add((hub.Consume(handler, NumberProvider.ServiceName, Names.OrderBy(_ => random.Next()).Take(random.Next(1, 40))),
                handler));
            hub.Turns(random.Next(1, 40));
            if (random.Next(3) == 0)
                all[random.Next(all.Count)].Session.Worker.RequestEnd();
        }

        hub.Until(() =>
            all.TrueForAll(one =>
                one.Handler.Items == one.Session.ItemCount || one.Session.Worker.HasEnded || one.Session.Closed is not null));
        hub.Turns(50);
        Assert.Empty(all.SelectMany(one => one.Handler.Faults));
        Assert.True(all.Sum(one => one.Handler.Updates) > 1_000);
        Assert.Equal(0, hub.SourceCounts[Counter.MessagesDropped] + hub.SessionCounts[HubCounter.ConnectionsCut]);

        hub.End();
        hub.Until(() => all.TrueForAll(one => one.Session.Worker.HasEnded || one.Session.Closed is not null));
        Assert.Equal(hub.SessionCounts[HubCounter.CopiesDue],
            hub.SessionCounts[Counter.UpdatesSent] + hub.SessionCounts[Counter.UpdatesNotSent] + hub.SessionCounts[Counter.CopiesUnwatched]);
    }

    /// <summary>Those that watch the same get copies of what was made for the first of them, also while one of them reads nothing.</summary>
    [Theory]
    [MemberData(nameof(ThreadsAndBursts))]
    public void Consumers_AllAlikeAndOneStopping_GetEveryUpdateInOrder(int sourceThreads, double burstSeconds)
    {
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = sourceThreads, BurstMaxSeconds = burstSeconds });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        List<(ConsumerSession Session, NumberConsumer Handler)> all = [];
        for (int i = 0; i < 6; i++)
        {
            NumberConsumer handler = new();
            all.Add((hub.Consume(handler, NumberProvider.ServiceName, Names), handler));
        }

        hub.Until(() => all.TrueForAll(one => one.Handler.Images == Names.Length));
        for (int round = 0; round < 10; round++)
        {
            hub.Stop(all[round % all.Count].Session);
            hub.Turns(30);
            hub.Resume(all[round % all.Count].Session);
            hub.Turns(5);
        }

        hub.End();
        hub.Until(() => all.TrueForAll(one => one.Session.Closed is not null));
        Assert.Empty(all.SelectMany(one => one.Handler.Faults));
        Assert.Equal(hub.SessionCounts[Counter.UpdatesSent], all.Sum(one => (long)one.Handler.Updates));
        Assert.Equal(hub.SessionCounts[HubCounter.CopiesDue], hub.SessionCounts[Counter.UpdatesSent]);
        Assert.True(hub.SessionCounts[Counter.UpdatesSent] > 6_000, $"{hub.SessionCounts[Counter.UpdatesSent]} updates");
    }

    [Theory]
    [MemberData(nameof(ThreadsAndBursts))]
    public void End_WithUpdatesOnTheirWay_DeliversWhatCameIn(int sourceThreads, double burstSeconds)
    {
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = sourceThreads, BurstMaxSeconds = burstSeconds });
        NumberProvider provider = new();
        hub.AddProvider(ProviderPort, () => provider);
        NumberConsumer handler = new();
        ConsumerSession session = hub.Consume(handler, NumberProvider.ServiceName, Names);
        hub.Until(() => handler.Updates > 1_000);
        hub.End();
        hub.Until(() => session.Closed is not null);

        Assert.Empty(handler.Faults);
        Assert.Empty(handler.States); // nothing is lost when the hub itself ends
        Assert.Equal(0, hub.SessionCounts[Counter.UpdatesNotSent]);
        Assert.Equal(hub.SourceCounts[HubCounter.UpdatesReceived],
            hub.SessionCounts[Counter.UpdatesSent] + hub.SessionCounts[HubCounter.UpdatesUnwatched]);
        Assert.Equal(hub.SessionCounts[Counter.UpdatesSent], handler.Updates);
    }

    [Fact]
    public void LastWatcher_Gone_ClosesTheItemAtTheSource()
    {
        using MemoryHub hub = new();
        NumberProvider provider = new();
        hub.AddProvider(ProviderPort, () => provider);
        (NumberConsumer first, NumberConsumer second) = (new(), new());
        ConsumerSession one = hub.Consume(first, NumberProvider.ServiceName, Names);
        ConsumerSession other = hub.Consume(second, NumberProvider.ServiceName, Names);
        hub.Until(() => first.Items == 40 && second.Items == 40);
        Assert.Equal(40, provider.Requests);

        one.Worker.RequestEnd();
        hub.Until(() => one.Worker.HasEnded);
        hub.Turns(20);
        Assert.Equal(0, provider.Closes);
        other.Worker.RequestEnd();
        hub.Until(() => provider.Closes == 40);
        Assert.Equal(0, hub.Sources.Recording[HubGauge.Items]);
    }

    [Fact]
    public void Source_KilledAndBack_LeavesItemsSuspectThenSendsNewImages()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        NumberConsumer handler = new();
        ConsumerSession session = hub.Consume(handler, NumberProvider.ServiceName, Names);
        hub.Until(() => handler.Updates > 100);
        hub.KillProvider(ProviderPort);
        hub.Until(() => handler.States.Count == 40);
        Assert.All(handler.States, state => Assert.Equal("Open/Suspect", state));

        hub.StartProvider(ProviderPort, () => new NumberProvider());
        hub.Until(() => handler.Images == 80);
        int updates = handler.Updates;
        hub.Until(() => handler.Updates > updates + 100);
        Assert.Empty(handler.Faults);
        Assert.Null(session.Closed);
    }

    [Fact]
    public void Snapshot_OfAWatchedItem_ComesFromTheCache()
    {
        using MemoryHub hub = new();
        NumberProvider provider = new();
        hub.AddProvider(ProviderPort, () => provider);
        (NumberConsumer watching, NumberConsumer looking) = (new(), new());
        hub.Consume(watching, NumberProvider.ServiceName, Names);
        hub.Until(() => watching.Updates > 100);
        hub.Consume(looking, NumberProvider.ServiceName, Names, isSnapshot: true);
        hub.Until(() => looking.Images == 40);
        hub.Turns(20);

        Assert.Equal((40, 0), (provider.Requests, looking.Updates));
        Assert.All(Enumerable.Range(0, 40), item => Assert.True(looking.LastOf(item) > 0)); // merged with updates
    }

    [Fact]
    public void Services_OfTwoSourcesWithOneId_GetDifferentOnes()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider("FIRST"));
        hub.AddProvider(ProviderPort + 1, () => new NumberProvider("SECOND"));
        (NumberConsumer first, NumberConsumer second) = (new(), new());
        hub.Consume(first, "FIRST", Names);
        hub.Consume(second, "SECOND", Names);
        hub.Until(() => first.Updates > 100 && second.Updates > 100);
        Assert.Empty(first.Faults.Concat(second.Faults));
        Assert.Equal(80, hub.Sources.Recording[HubGauge.Items]);
    }

    [Fact]
    public void CacheOff_EachWatcher_HasItsOwnStreamAtTheSource()
    {
        using MemoryHub hub = new(new HubPerfOptions { IsCaching = false });
        NumberProvider provider = new();
        hub.AddProvider(ProviderPort, () => provider);
        (NumberConsumer first, NumberConsumer second) = (new(), new());
        hub.Consume(first, NumberProvider.ServiceName, Names[..1]);
        hub.Until(() => first.Images == 1);
        hub.Consume(second, NumberProvider.ServiceName, Names[..1]);
        hub.Until(() => second.States.Count == 1); // this provider takes a name once a connection
        Assert.Equal("ClosedRecover/Suspect", second.States[0]);
        Assert.Equal(2, hub.SourceCounts[Counter.RequestsSent]);
    }

    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect)]
    [InlineData(SlowConsumerPolicy.Conflate)]
    [InlineData(SlowConsumerPolicy.Drop)]
    internal void StoppedReader_AmongOthers_IsTreatedAsAskedAndHoldsNobodyUp(SlowConsumerPolicy slow)
    {
        using MemoryHub hub = new(new HubPerfOptions { Slow = slow, MaxQueueBytes = 65_536 });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        (NumberConsumer stopped, NumberConsumer running) = (new() { AllowsGaps = true }, new());
        ConsumerSession sleeper = hub.Consume(stopped, NumberProvider.ServiceName, Names);
        hub.Consume(running, NumberProvider.ServiceName, Names);
        hub.Until(() => stopped.Updates > 100 && running.Updates > 100);
        hub.Stop(sleeper);
        int before = running.Updates;
        long Lost() =>
            hub.SessionCounts[HubCounter.ConnectionsCut] + hub.SessionCounts[HubCounter.UpdatesConflated]
            + hub.SessionCounts[HubCounter.UpdatesDropped];
        hub.Until(() => Lost() > 0 && running.Updates > before + 40_000, () => $"{Lost()} lost, {running.Updates - before} updates");
        Assert.InRange(hub.Sessions.Recording[Gauge.QueuedBytesMax], 65_536, 3 * 65_536);

        int seen = stopped.Updates;
        hub.Resume(sleeper);
        hub.Until(() =>
            slow == SlowConsumerPolicy.Disconnect
            ? sleeper.Closed is not null
            : stopped.Updates > seen + 20_000 && Enumerable.Range(0, 40).All(item => stopped.LastOf(item) + 5 > running.LastOf(item)));
        Assert.Empty(running.Faults);
        Assert.Empty(stopped.Faults);
        Assert.Equal(slow == SlowConsumerPolicy.Disconnect, hub.SessionCounts[HubCounter.ConnectionsCut] == 1);
        Assert.Equal(slow == SlowConsumerPolicy.Conflate, hub.SessionCounts[HubCounter.UpdatesConflated] > 0);
        Assert.Equal(slow == SlowConsumerPolicy.Drop, hub.SessionCounts[HubCounter.UpdatesDropped] > 0);
    }

    [Fact]
    public void StalledReader_BehindForAMoment_IsNotCut()
    {
        const int MaxQueueBytes = 65_536;
        using MemoryHub hub = new(new HubPerfOptions { Slow = SlowConsumerPolicy.Disconnect, MaxQueueBytes = MaxQueueBytes });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        NumberConsumer stalled = new();
        ConsumerSession sleeper = hub.Consume(stalled, NumberProvider.ServiceName, Names);
        hub.Until(() => stalled.Updates > 100);
        hub.Stop(sleeper);
        int turns = 20;
        for (; hub.Sessions.Recording[Gauge.QueuedBytesMax] <= MaxQueueBytes; turns++)
            hub.Turn();
        hub.Turns(20);
        for (int stall = 0; stall < 3; stall++)
        {
            hub.Resume(sleeper);
            hub.Turns(200); // it catches up
            hub.Stop(sleeper);
            hub.Turns(turns);
        }

        Assert.InRange(hub.Sessions.Recording[Gauge.QueuedBytesMax], MaxQueueBytes, 3 * MaxQueueBytes);
        Assert.Equal(0, hub.SessionCounts[HubCounter.ConnectionsCut]);
        Assert.Empty(stalled.Faults);
    }

    [Fact]
    public void Posts_AndGenerics_GoToTheSourceAndBack()
    {
        using MemoryHub hub = new();
        NumberProvider provider = new() { IsUpdating = false };
        hub.AddProvider(ProviderPort, () => provider);
        (NumberConsumer posting, NumberConsumer watching) = (new(), new());
        ConsumerSession session = hub.Consume(posting, NumberProvider.ServiceName, Names[..2]);
        hub.Consume(watching, NumberProvider.ServiceName, Names[..2]);
        hub.Until(() => posting.Images == 2 && watching.Images == 2);
        Assert.True(session.TrySendPost(1, Fields.None));
        Assert.True(session.TrySendGeneric(0, Fields.None));

        hub.Until(() => provider.Received.Count == 2 && posting.Updates == 1 && watching.Updates == 1);
        Assert.Equal(["Post N2", "Generic N1"], provider.Received);
        Assert.True(provider.Session.TrySendGeneric(provider.Session.UpdatingItemAt(0), Fields.None));
        hub.Until(() => posting.Generics == 1 && watching.Generics == 1);
        Assert.Equal((1, 1, 2),
            (hub.Count(HubCounter.SourceGenericReceived), hub.Count(HubCounter.GenericCopied), hub.Count(Counter.GenericSent)));
    }

    [Fact]
    public void Posts_ToAServiceWithoutASource_GoToEveryWatcher()
    {
        using MemoryHub hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", 5)] });
        (NumberConsumer posting, NumberConsumer watching) = (new(), new());
        ConsumerSession session = hub.Consume(posting, "POSTED", Names[..1]);
        hub.Consume(watching, "POSTED", Names[..1]);
        hub.Until(() => posting.Images == 1 && watching.Images == 1);
        Assert.True(session.TrySendPost(0, Fields.None));
        hub.Until(() => posting.Updates == 1 && watching.Updates == 1);
        Assert.Equal((1, 1, 2),
            (hub.Count(Counter.PostsReceived), hub.Count(HubCounter.PostsCopied), hub.Count(Counter.PostsReflected)));
    }
}
