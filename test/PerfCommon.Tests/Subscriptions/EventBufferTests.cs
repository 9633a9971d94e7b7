using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Subscriptions;
using Xunit;

namespace PerfCommon.Tests.Subscriptions;

/// <summary>Events that wait for a reader: limit, conflation and counts, without a connection.</summary>
public class EventBufferTests
{
    private static readonly string[] Fields = ["BID", "ASK", "BIDSIZE", "ASKSIZE", "TRDPRC_1"];
    private static readonly FieldDictionary Dictionary = FieldDictionary.Default;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Conflating_AnySequence_EndsInTheSameState(int seed)
    {
        Random random = new(seed);
        EventBuffer buffer = new(new SubscriptionOptions { Conflates = true });
        SubscribedItem[] items = [Item("A"), Item("B"), Item("C")];
        Dictionary<string, State> sent = [], read = [];
        for (int step = 0; step < 5_000; step++)
        {
            if (random.Next(4) == 0 && buffer.Counts.Unread > 0)
                Apply(read, (await buffer.ReadAsync(TestContext.Current.CancellationToken))!);
            else
                Apply(sent, AddAny(buffer, items[random.Next(items.Length)], random));
            Assert.InRange(buffer.Counts.Unread, 0, items.Length * 2);
        }

        while (buffer.Counts.Unread > 0)
            Apply(read, (await buffer.ReadAsync(TestContext.Current.CancellationToken))!);
        SubscriptionCounts counts = buffer.Counts;
        Assert.Equal(counts.Received, counts.Delivered + counts.Conflated);
        Assert.InRange(counts.Conflated, 1_000, counts.Received);
        Assert.All(items, item => Assert.Equal(sent[item.Name].Show(), read[item.Name].Show()));
    }

    [Fact]
    public async Task NotConflating_Events_AreTheSameInTheirOrder()
    {
        Random random = new(1);
        EventBuffer buffer = new(new SubscriptionOptions());
        SubscribedItem item = Item("A");
        string[] sent = [.. Enumerable.Range(0, 100).Select(_ => Show(AddAny(buffer, item, random)))];
        foreach (string expected in sent)
            Assert.Equal(expected, Show((await buffer.ReadAsync(TestContext.Current.CancellationToken))!));
        Assert.Equal(new SubscriptionCounts(100, 100, 0, 0, 0), buffer.Counts);
    }

    [Fact]
    public async Task Conflating_PartsOfAnImage_AreNotMerged()
    {
        EventBuffer buffer = new(new SubscriptionOptions { Conflates = true });
        SubscribedItem item = Item("A");
        Add(buffer, item, ItemEventKind.Refresh, List(("BID", 1)), isComplete: false);
        Add(buffer, item, ItemEventKind.Refresh, List(("ASK", 2)), isComplete: false);
        Add(buffer, item, ItemEventKind.Refresh, List(("ASKSIZE", 3)));
        Add(buffer, item, ItemEventKind.Update, List(("ASK", 4)));
        Assert.Equal(["1 ", " 2", " 4"], await Read(buffer, 3, next => $"{next.Fields.TextOf("BID")} {next.Fields.TextOf("ASK")}"));

        Add(buffer, item, ItemEventKind.Update, List(("BID", 5)));
        Add(buffer, item, ItemEventKind.Refresh, List(("BID", 6)));
        Assert.Equal(["Refresh 6"], await Read(buffer, 1, next => $"{next.Kind} {next.Fields.TextOf("BID")}"));
        Assert.Equal(new SubscriptionCounts(6, 4, 2, 0, 0), buffer.Counts);
    }

    [Theory]
    [InlineData(DataState.Suspect, DataState.NoChange, DataState.Suspect)]
    [InlineData(DataState.Ok, DataState.Suspect, DataState.Suspect)]
    [InlineData(DataState.Suspect, DataState.Ok, DataState.Ok)]
    [InlineData(DataState.NoChange, DataState.NoChange, DataState.NoChange)]
    public async Task Conflating_TwoStatuses_HaveTheLastDataStateThatChanged(DataState first, DataState second, DataState merged)
    {
        EventBuffer buffer = new(new SubscriptionOptions { Conflates = true });
        SubscribedItem item = Item("A");
        foreach ((DataState state, byte letter) in ((DataState, byte)[])[(first, (byte)'a'), (second, (byte)'b')])
        {
            RwfState told = new(StreamState.Open, state, StateCode.None, [letter]);
            buffer.Add(item, new() { Kind = ItemEventKind.Status, IsComplete = true, State = told, ContainerType = DataType.NoData }, Dictionary);
        }

        Assert.Equal([$"Status {merged} b 1"], await Read(buffer, 1, next => $"{next.Kind} {next.DataState} {next.Text} {next.Conflated}"));
    }

    [Fact]
    public async Task Conflating_OtherPayloads_AreNotMerged()
    {
        EventBuffer buffer = new(new SubscriptionOptions { Conflates = true });
        SubscribedItem item = Item("A");
        for (byte i = 0; i < 3; i++)
        {
            buffer.Add(
                item, new() { Kind = ItemEventKind.Update, IsComplete = true, ContainerType = DataType.Map, Payload = [i] }, Dictionary);
        }

        Assert.Equal(["0", "1", "2"], await Read(buffer, 3, next => $"{next.Payload.Span[0]}"));
        Assert.Equal(0, buffer.Counts.Conflated);
    }

    [Fact]
    public async Task Full_UntilHalfIsRead_ThenSaysThereIsRoom()
    {
        int rooms = 0;
        EventBuffer buffer = new(new SubscriptionOptions { BufferBytes = 1_000 }) { OnRoom = () => rooms++ };
        SubscribedItem item = Item("A");
        byte[] list = List(("BID", 1));
        int events = 0;
        for (bool isFull = false; !isFull; events++)
            isFull = Add(buffer, item, ItemEventKind.Update, list);
        Assert.Equal((true, 1), (buffer.IsFull, buffer.Counts.Pauses));
        Assert.InRange(events, 4, 6); // 200 bytes and more each
        await Read(buffer, 1, Show);
        Assert.Equal((true, 0), (buffer.IsFull, rooms));
        await Read(buffer, events - 1, Show);
        Assert.Equal((false, 1), (buffer.IsFull, rooms));
    }

    [Fact]
    public async Task End_WithEventsLeft_DeliversThemThenThrows()
    {
        EventBuffer buffer = new(new SubscriptionOptions());
        SubscribedItem item = Item("A");
        Add(buffer, item, ItemEventKind.Update, List(("BID", 1)));
        buffer.End(() => new InvalidOperationException("over"));
        Add(buffer, item, ItemEventKind.Update, List(("BID", 2)));
        Assert.Equal(["1"], await Read(buffer, 1, next => next.Fields.TextOf("BID")));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await buffer.ReadAsync(TestContext.Current.CancellationToken));
        Assert.Equal(new SubscriptionCounts(1, 1, 0, 0, 0), buffer.Counts);
    }

    private static SubscribedItem Item(string name) => new(name, null!);

    private static ItemEvent AddAny(EventBuffer buffer, SubscribedItem item, Random random)
    {
        ItemEventKind kind = random.Next(10) switch { 0 => ItemEventKind.Refresh, 1 => ItemEventKind.Status, _ => ItemEventKind.Update };
        byte[] list = kind switch
        {
            ItemEventKind.Refresh => List([.. Fields.Select(name => (name, random.NextInt64(1, 1_000)))]),
            ItemEventKind.Update => List([.. Fields.Where(_ => random.Next(2) == 0).Select(name => (name, random.NextInt64(1, 1_000)))]),
            _ => [],
        };
        RwfState state = kind == ItemEventKind.Update
            ? default : new RwfState(StreamState.Open, (DataState)(kind == ItemEventKind.Refresh ? 1 : random.Next(3)));
        Arrival arrival = new()
        {
            Kind = kind,
            IsComplete = true,
            State = state,
            ContainerType = kind == ItemEventKind.Status ? DataType.NoData : DataType.FieldList,
            Payload = list,
        };
        buffer.Add(item, arrival, Dictionary);
        ItemEvent copy = new(item, Dictionary);
        copy.Set(arrival);
        return copy;
    }

    private static bool Add(EventBuffer buffer, SubscribedItem item, ItemEventKind kind, byte[] list, bool isComplete = true) => buffer.Add(
        item, new() { Kind = kind, IsComplete = isComplete, ContainerType = DataType.FieldList, Payload = list }, Dictionary);

    private static byte[] List(params (string Name, long Value)[] fields)
    {
        byte[] room = new byte[1_000];
        RwfWriter writer = new(room);
        Assert.True(SubscriberBench.Fields(fields).EncodeList(ref writer));
        return room[..writer.Written];
    }

    private static async Task<List<string>> Read(EventBuffer buffer, int count, Func<ItemEvent, string> show)
    {
        List<string> shown = [];
        for (int i = 0; i < count; i++)
            shown.Add(show((await buffer.ReadAsync(TestContext.Current.CancellationToken))!));
        return shown;
    }

    private static string Show(ItemEvent next) =>
        $"{next.Kind} {next.DataState} {string.Join(' ', Fields.Select(name => next.Fields.TextOf(name)))}";

    private static void Apply(Dictionary<string, State> states, ItemEvent next)
    {
        if (!states.TryGetValue(next.Item, out State? state))
            states[next.Item] = state = new();
        if (next.DataState != DataState.NoChange)
            state.Data = next.DataState;
        foreach (string name in Fields)
        {
            if (next.Fields.TextOf(name) is { Length: > 0 } text)
                state.Values[name] = text;
        }
    }

    private sealed class State
    {
        public DataState Data { get; set; }

        public SortedDictionary<string, string> Values { get; } = [];

        public string Show() => $"{Data} {string.Join(' ', Values)}";
    }
}
