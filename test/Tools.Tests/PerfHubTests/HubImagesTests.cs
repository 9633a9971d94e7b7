using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Images for a consumer that reads more slowly than they arrive: its queue is bounded, none is lost, and order is kept.</summary>
public class HubImagesTests
{
    private const int ProviderPort = 201;
    private const int MaxQueueBytes = 65_536;

    private const int ItemCount = 4_000; // with their names more bytes than the network of the tests takes
    private const int UpdatedCount = 2_000;

    private static readonly string[] Names = [.. Enumerable.Range(1, ItemCount).Select(i => $"N{i}".PadRight(200, '-'))];

    [Fact]
    public void Source_SendingMoreThanIsRead_IsAskedForFewImagesAtATimeAndGivesAll()
    {
        using MemoryHub hub = new();
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        string[] names = [.. Enumerable.Range(1, 5_500).Select(i => $"N{i}")];
        NumberConsumer watching = new() { AllowsGaps = true };
        hub.Consume(watching, NumberProvider.ServiceName, names[..4_500]); // an update of each in every turn: more than a turn reads
        hub.Until(() => watching.Images == 4_500);
        hub.Turns(20);

        NumberConsumer asking = new() { AllowsGaps = true };
        hub.Consume(asking, NumberProvider.ServiceName, names[4_500..]);
        long most = 0;
        hub.Until(() =>
        {
            most = Math.Max(most, hub.SourceCounts[Counter.RequestsSent] - hub.SourceCounts[Counter.RefreshesReceived]);
            return asking.Images == 1_000;
        }, () => $"{asking.Images} images");
        Assert.InRange(most, 1, 250);
        Assert.Empty(asking.Faults);
        Assert.Empty(watching.Faults);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Recovered_ReaderStopped_QueueIsBoundedAndAllImagesComeInOrder(bool conflates)
    {
        using MemoryHub hub =
            new(new HubPerfOptions { MaxQueueBytes = MaxQueueBytes, Slow = conflates ? SlowConsumerPolicy.Conflate : SlowConsumerPolicy.Disconnect });
        hub.AddProvider(ProviderPort, () => new NumberProvider { IsUpdating = false });
        NumberConsumer handler = new() { AllowsGaps = true };
        ConsumerSession session = hub.Consume(handler, NumberProvider.ServiceName, Names);
        hub.Until(() => handler.Images == ItemCount, () => $"{handler.Images} images, {session.Closed}");
        hub.KillProvider(ProviderPort);
        hub.Until(() => handler.States.Count == ItemCount);

        hub.Stop(session);
        hub.StartProvider(ProviderPort, () => new NumberProvider { IsUpdating = false });
        hub.Until(() => hub.Count(Counter.RefreshesReceived) == 2 * ItemCount);
        hub.Turns(100);
        hub.Resume(session);
        hub.Until(() => handler.Images == 2 * ItemCount, () => $"{handler.Images} images, {session.Closed}");
        hub.Turns(100);

        Assert.Equal(2 * ItemCount, handler.Images);
        Assert.InRange(hub.Sessions.Recording[Gauge.QueuedBytesMax], 1, MaxQueueBytes);
        Assert.Empty(handler.Faults);
        Assert.Null(session.Closed);
        Assert.Equal(0, hub.Count(HubCounter.ConnectionsCut));
    }

    [Fact]
    public void Requested_ReaderStopped_QueueIsBoundedAndUpdatesFollowTheirImages()
    {
        using MemoryHub hub = new(new HubPerfOptions { MaxQueueBytes = MaxQueueBytes, Slow = SlowConsumerPolicy.Conflate });
        hub.Publish(new NumberPublisher(), "PUBLISHED", Names[..UpdatedCount]);
        hub.Until(() => hub.Sources.Recording[HubGauge.Items] == UpdatedCount);
        NumberConsumer handler = new() { AllowsGaps = true };
        ConsumerSession session = hub.Consume(handler, "PUBLISHED", Names[..UpdatedCount]);
        hub.Until(() => handler.Images > 100);
        hub.Stop(session);
        hub.Turns(50);
        hub.Resume(session);
        hub.Until(() => handler.Images >= UpdatedCount, () => $"{handler.Images} images, {session.Closed}");

        Assert.Empty(handler.Faults);
        Assert.Null(session.Closed);
        Assert.InRange(hub.Sessions.Recording[Gauge.QueuedBytesMax], 1, 3 * MaxQueueBytes);
    }

    // An image that arrives while updates of its item wait for a slow consumer has their values, and stands for them.
    [Fact]
    public void Republished_WhileUpdatesWait_StandsForThemAndEachUpdateIsCountedOnce()
    {
        using MemoryHub hub = new(new HubPerfOptions { MaxQueueBytes = MaxQueueBytes, Slow = SlowConsumerPolicy.Conflate });
        NumberPublisher publisher = new();
        string[] names = [.. Enumerable.Range(1, UpdatedCount).Select(i => $"N{i}")];
        hub.Publish(publisher, "PUBLISHED", names);
        NumberConsumer handler = new() { AllowsGaps = true };
        hub.Until(() => hub.Sources.Recording[HubGauge.Items] == UpdatedCount);
        ConsumerSession session = hub.Consume(handler, "PUBLISHED", names);
        hub.Until(() => handler.Images == UpdatedCount);
        hub.Stop(session);
        hub.Until(() => hub.Count(HubCounter.UpdatesConflated) > UpdatedCount);
        hub.Resume(session);
        for (int turn = 0; turn < 100; turn++)
        {
            publisher.Republish();
            hub.Turn();
        }

        publisher.IsUpdating = false;
        hub.Until(() => Enumerable.Range(0, UpdatedCount).All(item => handler.LastOf(item) == publisher.LastOf(item)));
        Assert.Empty(handler.Faults);
        Assert.Null(session.Closed);
        Assert.Equal(hub.Count(HubCounter.CopiesDue), hub.Count(Counter.UpdatesSent) + hub.Count(HubCounter.UpdatesConflated));
        Assert.Equal(hub.Count(Counter.UpdatesSent), handler.Updates);
    }

    // Values that wait for a slow consumer are older than the status that says that they are no longer good.
    [Fact]
    public void ProviderGone_WhileUpdatesWait_SendsEachBeforeItsStatus()
    {
        const int Count = 200; // their updates and statuses are less than what may be queued besides updates
        using MemoryHub hub = new(new HubPerfOptions { MaxQueueBytes = MaxQueueBytes, Slow = SlowConsumerPolicy.Conflate });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        NumberConsumer handler = new() { AllowsGaps = true };
        ConsumerSession session = hub.Consume(handler, NumberProvider.ServiceName, Enumerable.Range(1, Count).Select(i => $"N{i}"));
        hub.Until(() => handler.Images == Count);
        hub.Stop(session);
        hub.Until(() => hub.Count(HubCounter.UpdatesConflated) > 2 * Count);
        Assert.True(hub.Count(HubCounter.CopiesDue) > hub.Count(Counter.UpdatesSent) + hub.Count(HubCounter.UpdatesConflated)); // the others wait
        hub.KillProvider(ProviderPort);
        hub.Turns(20);
        hub.Resume(session);
        hub.Until(() => handler.States.Count == Count);

        Assert.All(Enumerable.Range(0, Count), item => Assert.Equal(DataState.Suspect, handler.StateOf(item)));
        Assert.Equal(0, handler.UpdatesOfSuspect);
        Assert.Equal(hub.Count(HubCounter.CopiesDue), handler.Updates + hub.Count(HubCounter.UpdatesConflated));
        Assert.Empty(handler.Faults);
        Assert.Null(session.Closed);
    }
}
