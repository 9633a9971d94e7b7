using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Upstream;
using Tools.Tests.PerfHubTests.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>Requests for many items at once, and closes of many streams: each item on its stream, the batch itself closed.</summary>
[Trait("Category", "Fast")]
public sealed class BatchRequestTests : IDisposable
{
    private const string Closed = "Status 20 Closed/NoChange/None Stream closed for batch";

    private readonly ConsumerBench _bench = new();
    private readonly TalkingPeer _peer;

    public BatchRequestTests() => _peer = _bench.Talk();

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData(RequestFlags.Streaming, true, false)]
    [InlineData(0, false, false)]
    [InlineData(RequestFlags.Streaming | RequestFlags.PrivateStream, true, true)]
    public void Batch_OfItems_OpensEachOnTheStreamsAfterIt(int flags, bool isStreaming, bool isPrivate)
    {
        Say(["A", "B", "C"], flags);
        Assert.Equal(["Open A", "Open B", "Open C"], _bench.Source.Take());
        Assert.Equal([Closed], ConsumerBench.Take(_peer));
        Assert.Equal((1L, isStreaming ? 3L : 0), (_bench[Counter.RequestsReceived], _bench.Hub.Read(HubGauge.Watchers)));
        foreach (CachedItem item in Items())
            _bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 1)));
        string mark = isPrivate ? " private" : "";
        Assert.Equal(Enumerable.Range(0, 3).Select(i =>
            $"Refresh {21 + i} {(isStreaming ? "Open" : "NonStreaming")}/Ok {"ABC"[i]}@11 solicited clear complete{mark} [22=1]"),
            ConsumerBench.Take(_peer));
    }

    [Fact]
    public void Batch_WithANameThatIsTooLong_EndsThere()
    {
        string longest = new('N', 255), longer = new('N', 256);
        Say(["A", longest, longer, "B"]);
        Assert.Equal(["Open A", "Open " + longest], _bench.Source.Take());
        Assert.Equal([Closed], ConsumerBench.Take(_peer));
        Say([]);
        Assert.Empty(_bench.Source.Take());
        Assert.Equal([Closed], ConsumerBench.Take(_peer));
    }

    [Fact]
    public void Batch_WithAServiceThatIsNotThere_IsRefusedForEach()
    {
        RwfMsg batch = TalkingPeer.Batch(20, 99, ["A", "B"], out _);
        _peer.Say(Wire.Encode(batch));
        _bench.Settle();
        Assert.Equal(["Status 21 Closed/Suspect/SourceUnknown the service is not known", "Status 22 Closed/Suspect/SourceUnknown the service is not known",
            Closed],
            ConsumerBench.Take(_peer));
        Assert.Equal((2L, 1L), (_bench[Counter.RequestsRejected], _bench[Counter.RequestsReceived]));
    }

    /// <summary>What a batch has besides its list is not copied for each of its items.</summary>
    [Fact]
    public void Batch_OfADomainThatPasses_CostsAsMuchAsItsItems()
    {
        byte[] room = new byte[4 << 20];
        RwfWriter writer = new(room);
        writer.BeginElementList();
        writer.BeginElement(":ItemList"u8, DataType.Array);
        writer.BeginArray(DataType.AsciiString);
        for (int i = 0; i < 500; i++)
            writer.WriteItem(System.Text.Encoding.ASCII.GetBytes($"N{i}"));
        writer.EndArray();
        writer.EndEntry();
        for (int i = 0; i < 50; i++)
        {
            writer.BeginElement("Filler"u8, DataType.Buffer);
            writer.WriteContent(new byte[60_000]);
        }

        writer.EndElementList();
        RwfMsg batch = TalkingPeer.Batch(20, ConsumerBench.FeedId, [], out _);
        batch.DomainType = DomainType.MarketByPrice;
        batch.Payload = room.AsSpan(0, writer.Written);
        byte[] message = new byte[4 << 20];
        RwfWriter whole = new(message);
        Assert.True(whole.TryWriteHeader(batch) && whole.WriteRaw(batch.Payload));
        _peer.Say(message[..whole.Written]);
        long before = GC.GetAllocatedBytesForCurrentThread();
        _bench.Hub.Until(() => _bench.Source.Calls.Count == 500);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 40 << 20); // the message some times
    }

    /// <summary>A batch of other domains is a request for each, without its list.</summary>
    [Fact]
    public void Batch_OfADomainThatPasses_IsARequestForEach()
    {
        RwfMsg batch = TalkingPeer.Batch(20, ConsumerBench.FeedId, ["A", "B"], out _);
        batch.DomainType = DomainType.MarketByPrice;
        _peer.Say(Wire.Encode(batch));
        _bench.Settle();
        Assert.Equal(["Open A", "Open B"], _bench.Source.Take());
        CachedItem[] items = Items();
        Assert.Equal(2, items.Length);
        RwfMsg request = Wire.Decode(items[0].PassThrough!.Request);
        Assert.Equal((RequestFlags.Streaming, DataType.NoData, 0, "A", DomainType.MarketByPrice),
            (request.Flags, request.ContainerType, request.Payload.Length, System.Text.Encoding.ASCII.GetString(request.Key.Name), request.DomainType));
    }

    private CachedItem[] Items() =>
        [.. Enumerable.Range(0, _bench.Upstream.Items.Table.SlotCount).Select(slot => _bench.Upstream.Items.Table[slot]).OfType<CachedItem>()];

    private void Say(string[] names, int flags = RequestFlags.Streaming)
    {
        _peer.Say(Wire.Encode(TalkingPeer.Batch(20, ConsumerBench.FeedId, names, out _, flags)));
        _bench.Settle();
    }
}
