using PerfCommon.Subscriptions;
using Xunit;

namespace PerfCommon.Tests.Subscriptions;

/// <summary>Readers that are slower than their provider.</summary>
public class SlowSubscriberTests
{
    private const int BufferBytes = 20_000;
    private const int MaxUnread = (BufferBytes / 200) + 256 + 1; // each uses 200 bytes at least, and the messages of one turn are added

    [Fact]
    public async Task Slow_NotConflating_LosesNothingAndKeepsItsLimit()
    {
        const int Count = 20_000;
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        ItemSubscription subscription = consumer.SubscribeAsync(["RDT1"], new SubscriptionOptions { BufferBytes = BufferBytes }, bench.Limit);
        await using IAsyncEnumerator<ItemEvent> reader = subscription.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await reader.MoveNextAsync());
        Task publishing = bench.Publish("RDT1", "BID", 1, Count);
        await bench.Until(() => subscription.Counts.Pauses == 1);
        for (int value = 1; value <= Count; value++)
        {
            Assert.True(await reader.MoveNextAsync());
            Assert.True(reader.Current.Fields.TryGet("BID", out double bid));
            Assert.Equal((ItemEventKind.Update, value), (reader.Current.Kind, bid));
            Assert.InRange(subscription.Counts.Unread, 0, MaxUnread);
        }

        await publishing;
        SubscriptionCounts counts = subscription.Counts;
        Assert.Equal((Count + 1, Count + 1, 0L, 0L), (counts.Received, counts.Delivered, counts.Conflated, counts.Unread));
    }

    [Fact]
    public async Task Slow_OneSubscriber_DelaysNoOther()
    {
        const int Count = 2_000;
        await using SubscriberBench bench = new();
        await using ItemSubscriber slow = await bench.ConnectAsync(), quick = await bench.ConnectAsync();
        ItemSubscription subscription = slow.SubscribeAsync(["RDT1"], new SubscriptionOptions { BufferBytes = BufferBytes }, bench.Limit);
        await using IAsyncEnumerator<ItemEvent> unread = subscription.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await using IAsyncEnumerator<ItemEvent> read = quick.SubscribeAsync(["RDT1"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await unread.MoveNextAsync());
        Assert.True(await read.MoveNextAsync());
        await bench.Publish("RDT1", "BID", 1, Count, watchers: 2);
        for (int i = 0; i < Count; i++)
            Assert.True(await read.MoveNextAsync());
        await bench.Until(() => subscription.Counts.Pauses == 1);
        Assert.InRange(subscription.Counts.Unread, 1, MaxUnread);
        Assert.Equal(1, subscription.Counts.Delivered);
    }

    [Fact]
    public async Task Slow_Conflating_GetsTheNewestStateOfEachItem()
    {
        const int Count = 1_000;
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        ItemSubscription subscription = consumer.SubscribeAsync(["RDT1", "RDT2"], new SubscriptionOptions { Conflates = true }, bench.Limit);
        await using IAsyncEnumerator<ItemEvent> reader = subscription.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await reader.MoveNextAsync() && await reader.MoveNextAsync());
        await bench.Publish("RDT1", "BID", 1, Count);
        await bench.Publish("RDT1", "ASK", 1, Count);
        await bench.Publish("RDT2", "ASK", 501, Count);
        await bench.Until(() => subscription.Counts.Received == 2 + (3 * Count));
        Assert.Equal(new SubscriptionCounts(2 + (3 * Count), 2, (3 * Count) - 2, 2, 0), subscription.Counts);

        Assert.True(await reader.MoveNextAsync());
        ItemEvent first = reader.Current;
        Assert.Equal(("RDT1", (2 * Count) - 1, "1000", "1000"),
            (first.Item, first.Conflated, first.Fields.TextOf("BID"), first.Fields.TextOf("ASK")));
        Assert.True(await reader.MoveNextAsync());
        ItemEvent second = reader.Current;
        Assert.Equal(("RDT2", Count - 1, "", "1500"), (second.Item, second.Conflated, second.Fields.TextOf("BID"), second.Fields.TextOf("ASK")));

        await bench.Publish("RDT1", "BID", 77, 1);
        Assert.True(await reader.MoveNextAsync());
        Assert.Equal((0, "77", "1000"), (reader.Current.Conflated, reader.Current.Fields.TextOf("BID"), first.Fields.TextOf("BID")));
        Assert.Equal(new SubscriptionCounts(3 + (3 * Count), 5, (3 * Count) - 2, 0, 0), subscription.Counts);
    }

    [Fact]
    public async Task Slow_ThatLeaves_LetsTheOtherSubscriptionGoOn()
    {
        const int Count = 3_000;
        await using SubscriberBench bench = new();
        await using ItemSubscriber consumer = await bench.ConnectAsync();
        ItemSubscription slow = consumer.SubscribeAsync(["RDT1"], new SubscriptionOptions { BufferBytes = BufferBytes }, bench.Limit);
        IAsyncEnumerator<ItemEvent> unread = slow.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await unread.MoveNextAsync());
        await using IAsyncEnumerator<ItemEvent> read = consumer.SubscribeAsync(["RDT2"], bench.Limit).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await read.MoveNextAsync());
        await bench.Publish("RDT1", "BID", 1, Count);
        await bench.Until(() => slow.Counts.Pauses == 1);
        await bench.Publish("RDT2", "BID", 5, 1);
        await unread.DisposeAsync();
        Assert.True(await read.MoveNextAsync());
        Assert.Equal("5", read.Current.Fields.TextOf("BID"));
    }

    [Fact]
    public async Task Slow_SubscriberThatIsDisposed_EndsInOrder()
    {
        await using SubscriberBench bench = new();
        ItemSubscriber consumer = await bench.ConnectAsync();
        ItemSubscription subscription = consumer.SubscribeAsync(["RDT1"], new SubscriptionOptions { BufferBytes = BufferBytes }, bench.Limit);
        await using IAsyncEnumerator<ItemEvent> reader = subscription.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await reader.MoveNextAsync());
        await bench.Publish("RDT1", "BID", 1, 3_000);
        await bench.Until(() => subscription.Counts.Pauses == 1);
        await consumer.DisposeAsync();
        Assert.False(await reader.MoveNextAsync());
        Assert.Null(consumer.Failure);
    }
}
