using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Subscriptions;
using Xunit;

namespace PerfCommon.Tests.Subscriptions;

/// <summary>Items read by <c>await foreach</c>, from a provider on loopback.</summary>
public class ItemSubscriberTests
{
    [Fact]
    public async Task Read_ImageThenUpdates_AreCopiesThatStayValid()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        List<ItemEvent> events = [];
        await foreach (ItemEvent next in consumer.SubscribeAsync(["RDT1"], bench.Limit))
        {
            events.Add(next);
            if (events.Count == 1)
                await bench.Publish("RDT1", "BID", 1, 50);
            if (events.Count == 51)
                break;
        }

        Assert.Equal((ItemEventKind.Refresh, "RDT1", StreamState.Open, DataState.Ok, true),
            (events[0].Kind, events[0].Item, events[0].StreamState, events[0].DataState, events[0].IsComplete));
        Assert.Equal(("100", "101", "1"), (events[0].Fields.TextOf("BID"), events[0].Fields.TextOf("ASK"), events[0].Fields.TextOf("BIDSIZE")));
        Assert.All(events.Skip(1), (update, i) => Assert.Equal((ItemEventKind.Update, i + 1.0, 0), (update.Kind, Bid(update), update.Conflated)));
    }

    // No caller can subscribe to such a name: it stands for a defect on the thread that reads, which no reader may wait for in vain.
    [Fact]
    public async Task Read_WhenTheThreadFails_EndsWithItsDefect()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        await using IAsyncEnumerator<ItemEvent> reader =
            consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await Next(reader);
        consumer.Open(new ItemSubscription(consumer, [null!], new(), bench.Limit));
        InvalidOperationException failure = await Assert.ThrowsAsync<InvalidOperationException>(() => Next(reader));
        Assert.IsType<ArgumentNullException>(failure.InnerException);
    }

    [Fact]
    public async Task Read_TwoSubscriptions_HaveTheirItemsEach()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        await using IAsyncEnumerator<ItemEvent> one =
            consumer.SubscribeAsync(["RDT1", "RDT2"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await using IAsyncEnumerator<ItemEvent> other =
            consumer.SubscribeAsync(["RDT3", "RDT3"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.Equal(["RDT1", "RDT2"], ((string[])[(await Next(one)).Item, (await Next(one)).Item]).Order());
        Assert.Equal("RDT3", (await Next(other)).Item);
        await bench.Publish("RDT3", "BID", 7, 1);
        await bench.Publish("RDT2", "BID", 8, 1);
        Assert.Equal((7, 8), (Bid(await Next(other)), Bid(await Next(one))));
    }

    [Fact]
    public async Task Read_SymbolListAsAUser_IsAMapOfTheNames()
    {
        await using SubscriberBench bench = new();
        ItemSubscriberOptions options = bench.Options with { Identity = LoginIdentity.OfThisProcess() with { UserName = "perf" } };
        await using ItemSubscriber consumer = await ItemSubscriber.ConnectAsync(options, bench.Limit);
        await using IAsyncEnumerator<ItemEvent> reader = consumer.SubscribeAsync(
            ["_ITEMS"], new SubscriptionOptions { Domain = DomainType.SymbolList }, bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        ItemEvent list = await Next(reader);
        Assert.Equal((DataType.Map, true), (list.ContainerType, list.Fields.TextOf("BID").Length == 0));
        Assert.Equal(["RDT1", "RDT2", "RDT3"], KeysOf(list));
        Assert.Equal(["perf"], await bench.FindUsers());
    }

    [Fact]
    public async Task Read_OneItemTwice_SharesItsStreamUntilBothHaveEnded()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        IAsyncEnumerator<ItemEvent> one = consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await Next(one);
        await using IAsyncEnumerator<ItemEvent> other =
            consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.Equal((ItemEventKind.Refresh, 1), ((await Next(other)).Kind, await bench.CountOpen()));
        await one.DisposeAsync();
        await bench.Publish("RDT1", "BID", 5, 1);
        Assert.Equal((5, 1), (Bid(await Next(other)), await bench.CountOpen()));
    }

    [Fact]
    public async Task Cancel_WhileWaiting_EndsTheReaderAndClosesTheStreams()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        using CancellationTokenSource cancel = CancellationTokenSource.CreateLinkedTokenSource(bench.Limit);
        await using IAsyncEnumerator<ItemEvent> reader =
            consumer.SubscribeAsync(["RDT1", "RDT2"], cancel.Token).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await Next(reader);
        await Next(reader);
        Assert.Equal(2, await bench.CountOpen());
        ValueTask<bool> waiting = reader.MoveNextAsync();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await waiting);
        await bench.Until(async () => await bench.CountOpen() == 0);
    }

    [Fact]
    public async Task Cancel_WhileTheReaderIsBusy_ClosesTheStreamsAtOnce()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        using CancellationTokenSource cancel = new();
        await using IAsyncEnumerator<ItemEvent> reader = consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(cancel.Token);
        await Next(reader);
        await cancel.CancelAsync();
        await bench.Until(async () => await bench.CountOpen() == 0);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await reader.MoveNextAsync());
    }

    [Fact]
    public async Task Break_OutOfTheLoop_ClosesTheStreams()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        ItemSubscription subscription = consumer.SubscribeAsync(["RDT1", "RDT2", "RDT3"], bench.Limit);
        await foreach (ItemEvent _ in subscription)
            break;
        await bench.Until(async () => await bench.CountOpen() == 0);
        Assert.Throws<InvalidOperationException>(() => subscription.GetAsyncEnumerator(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Loss_OfTheConnection_IsAStatusThenAnImage()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        await using IAsyncEnumerator<ItemEvent> reader =
            consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await Next(reader);
        await bench.CutAll();
        ItemEvent lost = await Next(reader), back = await Next(reader);
        Assert.Equal((ItemEventKind.Status, StreamState.Open, DataState.Suspect, "the connection was lost"),
            (lost.Kind, lost.StreamState, lost.DataState, lost.Text));
        Assert.Equal((ItemEventKind.Refresh, DataState.Ok, 1, null), (back.Kind, back.DataState, consumer.Losses, consumer.Failure));
        await bench.Publish("RDT1", "BID", 9, 1);
        Assert.Equal(9, Bid(await Next(reader)));
    }

    [Fact]
    public async Task Loss_WithoutReconnecting_EndsTheReaderByItsCause()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await ItemSubscriber.ConnectAsync(bench.Options with { Reconnects = false }, bench.Limit);
        await using IAsyncEnumerator<ItemEvent> reader =
            consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await Next(reader);
        await bench.CutAll();
        ConsumerException thrown = await Assert.ThrowsAsync<ConsumerException>(async () =>
        {
            while (await reader.MoveNextAsync())
                Assert.Equal(ItemEventKind.Status, reader.Current.Kind);
        });
        Assert.Equal((ConsumerFailureKind.ConnectionLost, consumer.Failure), (thrown.Failure.Kind, thrown.Failure));
        Assert.StartsWith("connection lost", thrown.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ConsumerException>(async () =>
        {
            await foreach (ItemEvent _ in consumer.SubscribeAsync(["RDT2"], bench.Limit))
            {
            }
        });
    }

    [Fact]
    public async Task Read_ItemsThatAreNotThere_EndsAfterTheirStatus()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        List<string> seen = [];
        await foreach (ItemEvent next in consumer.SubscribeAsync(["NONE1", "NONE2"], bench.Limit))
            seen.Add($"{next.Kind} {next.Item} {next.StreamState} {next.Code}");
        Assert.Equal(["Status NONE1 Closed NotFound", "Status NONE2 Closed NotFound"], seen.Order());
    }

    [Fact]
    public async Task Read_NoItems_EndsAtOnce()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        await foreach (ItemEvent next in consumer.SubscribeAsync([], bench.Limit))
            Assert.Fail(next.Item);
    }

    [Fact]
    public async Task Dispose_InTheLoop_EndsIt()
    {
        await using SubscriberBench bench = new();
        ItemSubscriber consumer = await bench.ConnectAsync();
        int events = 0;
        ItemSubscription subscription = consumer.SubscribeAsync(["RDT1"], bench.Limit), later = consumer.SubscribeAsync(["RDT2"], bench.Limit);
        await foreach (ItemEvent _ in subscription)
        {
            events++;
            await bench.Publish("RDT1", "BID", 1, 10);
            await bench.Until(() => subscription.Counts.Received == 11);
            await consumer.DisposeAsync();
        }

        Assert.Equal(new SubscriptionCounts(Received: 11, Delivered: 1, Conflated: 0, Unread: 10, Pauses: 0), subscription.Counts);
        Assert.Equal(1, events);
        Assert.Throws<ObjectDisposedException>(() => consumer.SubscribeAsync(["RDT1"], bench.Limit));
        await foreach (ItemEvent _ in later)
            Assert.Fail("a disposed subscriber has no events");
        await consumer.DisposeAsync();
    }

    [Fact]
    public async Task Dispose_ByAnotherTask_EndsAReaderThatWaits()
    {
        await using SubscriberBench bench = new();
        ItemSubscriber consumer = await bench.ConnectAsync();
        await using IAsyncEnumerator<ItemEvent> reader =
            consumer.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await Next(reader);
        ValueTask<bool> waiting = reader.MoveNextAsync();
        await consumer.DisposeAsync();
        Assert.False(await waiting);
    }

    [Theory]
    [InlineData("")]
    [InlineData(256)]
    public async Task Subscribe_NameThatCannotTravel_IsRefused(object name)
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        Assert.Throws<ArgumentException>(() => consumer.SubscribeAsync(["RDT1", name as string ?? new string('x', (int)name)], bench.Limit));
        Assert.NotNull(consumer.SubscribeAsync([new string('x', 255)], bench.Limit));
        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.SubscribeAsync(["RDT1"], new SubscriptionOptions { BufferBytes = 0 }, bench.Limit));
    }

    [Fact]
    public async Task Subscribe_ToAView_HasItsFields()
    {
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        SubscriptionOptions options = new() { View = new FieldView(25), IsPrivate = true };
        await foreach (ItemEvent next in consumer.SubscribeAsync(["RDT1"], options, bench.Limit))
        {
            Assert.Equal(("", "101"), (next.Fields.TextOf("BID"), next.Fields.TextOf("ASK")));
            break;
        }
    }

    private static List<string> KeysOf(ItemEvent list)
    {
        List<string> keys = [];
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(list.Payload.Span, out MapReader map));
        while (map.TryReadNext(out MapEntry entry) == DecodeResult.Success)
            keys.Add(Encoding.UTF8.GetString(entry.Key));
        return keys;
    }

    private static double Bid(ItemEvent next) => next.Fields.TryGet("BID", out double bid) ? bid : double.NaN;

    private static async Task<ItemEvent> Next(IAsyncEnumerator<ItemEvent> reader)
    {
        Assert.True(await reader.MoveNextAsync());
        return reader.Current;
    }
}
