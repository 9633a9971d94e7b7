using System.Collections.Concurrent;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfCommon;
using PerfHub.Consumers;
using PerfHub.Counting;
using PerfHub;
using PerfTools.Processes;
using Tools.Tests.Replay;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The hub in the process of a harness, over real sockets: the promises of its public API.</summary>
public class HubTests
{
    private const int Updates = 200;
    private const int MostUpdates = 3_000_000;

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task Publish_ToAHubOfThisProcess_ReachesItsConsumersInOrderAndIsCounted(int threads)
    {
        await using Hub hub = await Hub.StartAsync(new HubOptions { Threads = threads });
        using HubUsers users = new("RDT1", "RDT2");
        users.Publish(hub);
        HubUsers.Received[] consumers = [.. Enumerable.Range(0, 3).Select(_ => users.Subscribe(hub.ConsumerPort, HubUsers.Service, "RDT1", "RDT2"))];
        users.Until(() => Array.TrueForAll(consumers, consumer => consumer.Refreshes == 2));

        users.Update(item: 1, Updates);
        users.Until(() => Array.TrueForAll(consumers, consumer => consumer.Bids.Count == Updates));

        Assert.All(consumers, consumer => Assert.Equal(Enumerable.Range(1, Updates).Select(bid => (double)bid), consumer.Bids));
        HubSnapshot counted = users.Await(hub, found => found is { UpdatesDelivered: 3 * Updates, Latency.TotalCount: >= Updates });
        Assert.Equal((1, 3, 2, 6), (counted.Publishers, counted.Consumers, counted.Items, counted.Subscriptions));
        Assert.Equal((2L, 6L, (long)Updates), (counted.RefreshesReceived, counted.RefreshesDelivered, counted.UpdatesReceived));
        Assert.Equal((0L, 0L, 0L), (counted.UpdatesConflated, counted.UpdatesLost, counted.ConsumersDisconnected));
        Assert.Equal(LatencyUnit.Microseconds, counted.Latency.Unit);
    }

    [Fact]
    public async Task Start_SeveralHubsInOneProcess_AreSeparate()
    {
        await using Hub first = await Hub.StartAsync(new HubOptions());
        await using Hub other = await Hub.StartAsync(new HubOptions());
        Assert.Equal(4, new[] { first.ConsumerPort, first.PublisherPort, other.ConsumerPort, other.PublisherPort }.Distinct().Count());
        using HubUsers ofFirst = new("RDT1");
        using HubUsers ofOther = new("RDT1");
        ofFirst.Publish(first);
        ofOther.Publish(other);
        HubUsers.Received atFirst = ofFirst.Subscribe(first.ConsumerPort, HubUsers.Service, "RDT1");
        HubUsers.Received atOther = ofOther.Subscribe(other.ConsumerPort, HubUsers.Service, "RDT1");
        ofFirst.Until(() => atFirst.Refreshes == 1);
        ofOther.Until(() => atOther.Refreshes == 1);

        ofFirst.Update(item: 0, 10);
        ofFirst.Until(() => atFirst.Bids.Count == 10);
        await first.DisposeAsync();
        ofOther.Update(item: 0, 5);
        ofOther.Until(() => atOther.Bids.Count == 5);

        Assert.Equal(10, (await first.SnapshotAsync()).UpdatesReceived);
        Assert.Equal(5, ofOther.Await(other, found => found.UpdatesDelivered == 5).UpdatesReceived);
    }

    [Fact]
    public async Task Subscribe_ToAnUpstreamByTwoConsumers_IsRequestedOnce()
    {
        using HubUsers users = new("RDT1");
        await using Hub hub = await Hub.StartAsync(new HubOptions { Upstreams = [new() { Host = "127.0.0.1", Port = users.Provide() }] });
        HubUsers.Received[] consumers = [.. Enumerable.Range(0, 2).Select(_ => users.Subscribe(hub.ConsumerPort, HubUsers.Service, "RDT1"))];
        users.Until(() => Array.TrueForAll(consumers, consumer => consumer.Refreshes == 1));
        users.Update(item: 0, 10);
        users.Until(() => Array.TrueForAll(consumers, consumer => consumer.Bids.Count == 10));

        HubSnapshot counted = users.Await(hub, found => found.UpdatesDelivered == 20);
        Assert.Equal((1, 2, 1L, 2L), (counted.Publishers, counted.Subscriptions, counted.RefreshesReceived, counted.RefreshesDelivered));
    }

    [Fact]
    public async Task Post_ToAServiceWithoutAProvider_ReachesTheOtherConsumer()
    {
        await using Hub hub = await Hub.StartAsync(new HubOptions { Services = ["POSTED", "OTHER"] });
        using HubUsers users = new();
        HubUsers.Received poster = users.Subscribe(hub.ConsumerPort, "POSTED", "RDT1");
        HubUsers.Received other = users.Subscribe(hub.ConsumerPort, "POSTED", "RDT1");
        users.Until(() => poster.Refreshes == 1 && other.Refreshes == 1);

        users.Until(() => poster.Session.TrySendPost(0, HubUsers.Quote(7)));
        users.Until(() => other.Bids.Count == 1);

        Assert.Equal([7.0], other.Bids);
        HubSnapshot counted = users.Await(hub, found => found.PostsDelivered == 2);
        Assert.Equal(1, counted.PostsReceived);
    }

    [Fact]
    public async Task Stop_WhileUpdatesAreQueued_SendsThemAndKeepsTheCounts()
    {
        await using Hub hub = await Hub.StartAsync(new HubOptions());
        using HubUsers users = new("RDT1");
        users.Publish(hub);
        HubUsers.Received consumer = users.Subscribe(hub.ConsumerPort, HubUsers.Service, "RDT1");
        users.Until(() => consumer.Refreshes == 1);
        users.Update(item: 0, Updates);
        users.Await(hub, found => found.UpdatesReceived == Updates);

        Task stop = hub.StopAsync();
        users.Until(() => stop.IsCompleted && consumer.Bids.Count == Updates);
        await stop;

        HubSnapshot counted = await hub.SnapshotAsync();
        Assert.Equal((Updates, Updates, 0L), (counted.UpdatesReceived, counted.UpdatesDelivered, counted.UpdatesLost));
        Assert.Equal(Updates, counted.Latency.TotalCount);
    }

    [Fact]
    public async Task Dispose_OfAHub_FreesItsPortsForOneThatServesBothOnOne()
    {
        int port = FreePort.Find(); // the system may assign its own ones to another program
        await using (Hub hub = await Hub.StartAsync(new HubOptions { ConsumerPort = port }))
        {
            int publishers = hub.PublisherPort;
            SetupException taken = await Assert.ThrowsAsync<SetupException>(() =>
                Hub.StartAsync(new HubOptions { PublisherPort = publishers }));
            Assert.Equal(SetupProblem.NotStarted, taken.Problem);
            Assert.Contains($"{publishers}", taken.Message, StringComparison.Ordinal);
        }

        await using Hub next = await Hub.StartAsync(new HubOptions { ConsumerPort = port, PublisherPort = port });
        Assert.Equal((port, port), (next.ConsumerPort, next.PublisherPort));
        using HubUsers users = new("RDT1");
        users.Publish(next);
        HubUsers.Received consumer = users.Subscribe(port, HubUsers.Service, "RDT1");
        users.Until(() => consumer.Refreshes == 1);
    }

    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect)]
    [InlineData(SlowConsumerPolicy.Conflate)]
    [InlineData(SlowConsumerPolicy.Drop)]
    public async Task Updates_ForAStalledConsumer_AreTreatedAsThePolicySays(SlowConsumerPolicy policy)
    {
        await using Hub hub = await Hub.StartAsync(new HubOptions { SlowConsumers = policy, MaxQueueBytes = 65_536 });
        using HubUsers users = new("RDT1");
        using HubUsers stalled = new();
        users.Publish(hub);
        HubUsers.Received consumer = stalled.Subscribe(hub.ConsumerPort, HubUsers.Service, "RDT1");
        stalled.Until(() => consumer.Refreshes == 1 || !users.Dispatch());

        HubSnapshot counted;
        do // what the sockets have space for is not slow
        {
            users.Update(item: 0, 5_000);
            counted = users.Await(hub, static _ => true);
        }
        while (counted is { ConsumersDisconnected: 0, UpdatesConflated: 0, UpdatesLost: 0 } && counted.UpdatesReceived < MostUpdates);

        counted = users.Await(hub, found => policy switch // what the connection had is lost with it, and may be counted before it
        {
            SlowConsumerPolicy.Disconnect => found.ConsumersDisconnected == 1,
            SlowConsumerPolicy.Conflate => found.UpdatesConflated > 0,
            _ => found.UpdatesLost > 0,
        });
        Assert.Equal(policy == SlowConsumerPolicy.Disconnect, counted.ConsumersDisconnected == 1);
        Assert.Equal(policy == SlowConsumerPolicy.Conflate, counted.UpdatesConflated > 0);
        Assert.True(policy != SlowConsumerPolicy.Drop || counted.UpdatesLost > 0);
    }

    [Fact]
    public async Task Throttle_OfAnHour_ForwardsTheFirstUpdateAndMergesTheOthers()
    {
        await using Hub hub = await Hub.StartAsync(new HubOptions { Throttle = TimeSpan.FromHours(1) });
        using HubUsers users = new("RDT1");
        users.Publish(hub);
        HubUsers.Received consumer = users.Subscribe(hub.ConsumerPort, HubUsers.Service, "RDT1");
        users.Until(() => consumer.Refreshes == 1);
        users.Update(item: 0, Updates);
        HubSnapshot counted = users.Await(hub, found => found is { UpdatesReceived: Updates, UpdatesDelivered: 1 });
        Assert.Equal(Updates - 2, counted.UpdatesThrottled); // the last of them waits
        users.Until(() => consumer.Bids.Count == 1);
    }

    [Fact]
    public async Task Notices_OfAConnectionThatIsRefused_ReachTheHarness()
    {
        ConcurrentQueue<string> notices = new();
        await using Hub hub = await Hub.StartAsync(new HubOptions { OnNotice = notice => notices.Enqueue(notice.Text) });
        using HubUsers users = new();
        users.Subscribe(hub.PublisherPort, HubUsers.Service, "RDT1"); // a consumer on the port of publishers
        users.Until(() => notices.Any(notice => notice.Contains("a consumer's login on the port for providers", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Start_OnAnAddressThatThisMachineHasNot_SaysWhich()
    {
        SetupException refused = await Assert.ThrowsAsync<SetupException>(() =>
            Hub.StartAsync(new HubOptions { InterfaceName = "192.0.2.1" }));
        Assert.Equal(SetupProblem.NotStarted, refused.Problem);
        Assert.Contains("192.0.2.1", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>The hub recovers the items of its consumers: a source that recovered them, too, would not report that they are lost.</summary>
    [Fact]
    public async Task Start_WithAnUpstream_LogsInWithoutRecoveryByTheSource()
    {
        using WorkerListener listener = new(new ListenOptions { Port = 0 });
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
        using TurnThread turns = new(worker);
        SilentProvider source = new();
        await using Hub hub = await Hub.StartAsync(new HubOptions { Upstreams = [new() { Host = "127.0.0.1", Port = listener.Port }] });
        listener.Accept(TimeSpan.FromSeconds(60), [worker], _ => source, TestContext.Current.CancellationToken);
        LoopbackHub.Until(() => source.Login is not null, "the hub did not log in");
        Assert.Equal(("PerfHub", false, LoginRole.Consumer), (source.Login!.ApplicationName, source.Login.SingleOpen, source.Login.Role));
    }

    public static TheoryData<HubOptions, string> Contradictions => new()
    {
        { new HubOptions { Threads = 0 }, "1 to 8 threads" },
        { new HubOptions { Threads = 9 }, "1 to 8 threads" },
        { new HubOptions { ConsumerPort = -1 }, "port -1" },
        { new HubOptions { PublisherPort = 70_000 }, "port 70000" },
        { new HubOptions { MaxQueueBytes = 65_535 }, "65535 bytes is too short" },
        { new HubOptions { Throttle = TimeSpan.FromTicks(-1) }, "is negative" },
        { new HubOptions { Services = [""] }, "empty" },
        { new HubOptions { Services = ["A", "B", "A"] }, "twice" },
    };

    [Theory]
    [MemberData(nameof(Contradictions), DisableDiscoveryEnumeration = true)]
    public async Task Start_WithAContradiction_SaysWhich(HubOptions options, string problem)
    {
        SetupException refused = await Assert.ThrowsAsync<SetupException>(() => Hub.StartAsync(options));
        Assert.Equal(SetupProblem.CommandLine, refused.Problem);
        Assert.Contains(problem, refused.Message, StringComparison.Ordinal);
    }
}
