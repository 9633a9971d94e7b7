using System.Buffers.Binary;
using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Messages of non-interactive providers in a source thread: which item each is for, and what is left when the provider goes.</summary>
[Trait("Category", "Fast")]
public sealed class NiProviderTests : IDisposable
{
    private readonly SourceBench _bench = new();
    private readonly NiProvider _provider, _other;

    public NiProviderTests() => (_provider, _other) = (new NiProvider(_bench.Host), new NiProvider(_bench.Host));

    private ServiceKey Key => _bench.Published.Service.Key;

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData(5)]
    [InlineData(-6)]
    public void Image_OnANewStream_NamesTheItemOfAllThatFollows(int streamId)
    {
        Publish(_provider, streamId, "A", 1);
        CachedItem item = _bench.Find(_bench.Published, "A")!;
        Assert.Equal((1, streamId, true), (item.Publishers, item.StreamId, item.Image.Exists));
        Publish(_provider, streamId, "B", 2); // its key names another now: the stream's item stays
        Assert.Null(_bench.Find(_bench.Published, "B"));
        Assert.Equal((1, 1), (item.Publishers, _bench.Host.Items.Table.Count));
        Quick(_provider, streamId, 3);
        Assert.Equal("RefreshesReceived=2 UpdatesReceived=1 UpdatesUnwatched=1", _bench.Counts);
        Assert.Equal(3, HostileMessages.Read(item.Read(_bench.Host.Items.Merger))[22][0]);
    }

    [Fact]
    public void Message_WithoutAnItem_IsDropped()
    {
        Quick(_provider, 5, 1);
        Receive(_provider, SourceBench.Update(HostileMessages.List(22, 1)), default);
        Receive(_provider, Image(5, "A", 1), default); // of a service that is not offered
        Receive(_provider, Image(5, "A", 1), new ServiceKey(99, 1));
        Receive(_provider, HostileMessages.End(5), default);
        Assert.Equal((5L, 0), (_bench[Counter.MessagesDropped], _bench.Host.Items.Table.Count));
        Receive(_provider, HostileMessages.Image(5, 12, "A", HostileMessages.List(22, 1), StreamState.Closed), Key);
        Assert.Equal((6L, 0), (_bench[Counter.MessagesDropped], _bench.Host.Items.Table.Count));
    }

    /// <summary>An item that two providers publish ends with the second.</summary>
    [Fact]
    public void End_OfAnItemOfTwo_IsThatOfTheLast()
    {
        Publish(_provider, 5, "A", 1);
        Publish(_other, 9, "A", 2);
        CachedItem item = _bench.Find(_bench.Published, "A")!;
        _bench.Request(0, _bench.Published, 4, "A");
        _bench.Read(0);
        Receive(_provider, HostileMessages.End(5), default);
        Assert.Equal((1, false, 0), (item.Publishers, item.IsOver, _bench.Read(0).Count));
        Quick(_provider, 5, 7); // its stream is gone
        Assert.Equal(1, _bench[Counter.MessagesDropped]);
        Quick(_other, 9, 8);
        Assert.Equal("Update", _bench.Kinds(0));
        Receive(_other, HostileMessages.End(9), default);
        Assert.Equal(("Final", true, 0), (_bench.Kinds(0), item.IsOver, item.Publishers));
        Assert.Null(_bench.Find(_bench.Published, "A"));
        Assert.Equal(1, _bench[Counter.StatusesReceived]);
    }

    /// <summary>A stream whose item another provider has ended begins anew with its next image, named or not.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Image_OnAStreamWhoseItemHasEnded_IsANewItem(bool isNamed)
    {
        Publish(_provider, 5, "A", 1);
        CachedItem first = _bench.Find(_bench.Published, "A")!;
        _bench.Request(0, _bench.Published, 4, "A");
        first.IsOver = true; // as when it was ended elsewhere
        _bench.Host.Items.Table.Hide(first);
        Receive(_provider, isNamed ? Image(5, "B", 2) : SourceBench.Image(HostileMessages.List(22, 1, value: 2)), isNamed ? Key : default, streamId: 5);
        CachedItem next = _bench.Find(_bench.Published, isNamed ? "B" : "A")!;
        Assert.Equal((0, 1, true, false), (first.Publishers, next.Publishers, next.Image.Exists, next == first));
        Quick(_provider, 5, 3);
        Assert.Equal(3, HostileMessages.Read(next.Read(_bench.Host.Items.Merger))[22][0]);
    }

    [Fact]
    public void LeaveSome_OfAProvider_LosesItsItemsSomeAtATime()
    {
        for (int i = 0; i < 20; i++)
            Publish(_provider, -6 - i, $"N{i}", 1);
        Publish(_other, 5, "N0", 1);
        Assert.True(_provider.LeaveSome(10));
        Assert.Equal(9, Lost()); // the first of them is published by the other, too
        while (_provider.LeaveSome(10))
            Assert.InRange(Lost(), 9, 19);
        Assert.Equal(19, Lost());
        Assert.Equal((1, true), (_bench.Find(_bench.Published, "N0")!.Publishers, _bench.Find(_bench.Published, "N0")!.Image.IsOk));

        int Lost() => Enumerable.Range(0, 20).Count(i => _bench.Find(_bench.Published, $"N{i}") is { Image.IsOk: false, Publishers: 0 });
    }

    [Fact]
    public void Provider_ThatLeaves_IsWorkUntilItsStreamsAreGone()
    {
        NiSource publishers = _bench.Host.Items.Publishers;
        Publish(_provider, 5, "A", 1);
        Assert.Equal((false, true, false, 0), (publishers.HasWork, publishers.IsPublishing, publishers.IsInteractive, publishers.Connections));
        publishers.Leave(_provider);
        publishers.Leave(_other);
        Assert.True(publishers.HasWork);
        _bench.Host.Work();
        Assert.True(publishers.HasWork);
        _bench.Host.Work();
        Assert.False(publishers.HasWork);
        Assert.False(_bench.Find(_bench.Published, "A")!.Image.IsOk);
    }

    /// <summary>Messages of a provider on another thread: they have the time at which they were received there.</summary>
    [Fact]
    public void InputRing_OfAnotherThread_HasItsProvidersByTheirNumbers()
    {
        InputRing input = new(new ByteRing(1024 * 1024), new SleepFlag(_bench.Worker));
        RecordPublished(input, 1, Image(5, "A", 1), Key, received: 777);
        CachedItem item = _bench.Find(_bench.Published, "A")!;
        _bench.Request(0, _bench.Published, 4, "A");
        _bench.Read(0);
        RecordPublished(input, 1, HostileMessages.Update(5, HostileMessages.List(22, 1, value: 9)), default, received: 888);
        RecordPublished(input, 2, HostileMessages.Update(5, HostileMessages.List(22, 1, value: 10)), default, received: 999);
        ByteRing ring = _bench.Host.Broadcaster.Rings[0];
        ring.Publish();
        Assert.True(ring.TryRead(out RingRecord record));
        Assert.Equal((SourceRecord.Received, 888), ((SourceRecord)record.Kind, BinaryPrimitives.ReadInt64LittleEndian(record.Bytes)));
        Assert.True(ring.TryRead(out record));
        Assert.Equal((SourceRecord.Update, 9), ((SourceRecord)record.Kind, HostileMessages.Read(Wire.Decode(record.Bytes).Payload)[22][0]));
        Assert.False(ring.TryRead(out _));
        Assert.Equal(1, _bench[Counter.MessagesDropped]); // that of the second provider
        input.EndProvider(_bench.Host.Items.Publishers, 3);
        Assert.False(_bench.Host.Items.Publishers.HasWork);
        input.EndProvider(_bench.Host.Items.Publishers, 1);
        Assert.True(_bench.Host.Items.Publishers.HasWork);
        RecordPublished(input, 1, HostileMessages.Update(5, HostileMessages.List(22, 1)), default, received: 1_000); // a new one of its number
        Assert.Equal((2L, 1), (_bench[Counter.MessagesDropped], item.Publishers));
    }

    private void RecordPublished(InputRing input, int number, byte[] message, ServiceKey key, long received)
    {
        byte[] record = new byte[PublishedHead.Bytes + message.Length];
        new PublishedHead(received, key).Write(record);
        message.CopyTo(record, PublishedHead.Bytes);
        input.ReceivePublished(_bench.Host, new RingRecord((byte)SessionRecord.Published, number, record, 0, record.Length));
    }

    private void Publish(NiProvider provider, int streamId, string name, byte value) => Receive(provider, Image(streamId, name, value), Key);

    private static byte[] Image(int streamId, string name, byte value) => HostileMessages.Image(streamId, 12, name, HostileMessages.List(22, 1, value: value));

    private static void Receive(NiProvider provider, byte[] message, ServiceKey key, int? streamId = null)
    {
        if (streamId is { } id)
            MsgPatch.SetStreamId(message, id);
        provider.Receive(Wire.Decode(message), key);
    }

    private static void Quick(NiProvider provider, int streamId, byte value)
    {
        Assert.True(UpdateHeader.TryRead(HostileMessages.Update(streamId, HostileMessages.List(22, 1, value: value)), out UpdateHeader update));
        provider.Receive(update);
    }
}
