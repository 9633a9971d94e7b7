using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Requests for items of domains whose images are not cached field by field, and their answers.</summary>
[Trait("Category", "Fast")]
public sealed class PassThroughRequestsTests : IDisposable
{
    private const DomainType Domain = DomainType.MarketByPrice;
    private const int Complete = RefreshFlags.RefreshComplete;
    private const string InUse =
        "Reissued Status 5 ClosedRecover/Suspect/UsageError Item request rejected for stream id 5 - stream already in use with a different key";
    private const string NotPublished = "Answer Status 5 Closed/Suspect/NotFound the item is not published";

    private readonly SourceBench _bench = new();

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Request_AtAnInteractiveSource_IsAStreamThereForEachWatcher()
    {
        byte[] request = Ask(0, _bench.Feed, "A");
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Watch, SourceBench.AddressOf(5), 0), (kind, address, message.Length));
        Ask(0, _bench.Feed, "A");
        Assert.Equal(["Open A", "Open A"], _bench.Source.Take());
        CachedItem item = _bench.Host.Items.Table[slot]!;
        Assert.Equal(request, item.PassThrough!.Request);
        Assert.Equal((true, 1, false, false, false, Domain, 2),
            (item.PassThrough.IsAwaited, item.Watchers, item.Terms.IsShared, item.Terms.IsPrivate, item.Terms.IsSnapshot, item.Domain,
                _bench.Host.Items.Table.Count));
        Ask(0, _bench.Feed, "B", flags: RequestFlags.PrivateStream);
        CachedItem other = _bench.Host.Items.Table[_bench.Read(0)[^1].Slot]!;
        Assert.Equal((true, true), (other.Terms.IsPrivate, other.Terms.IsSnapshot));
    }

    [Theory]
    [InlineData(false, "")]
    [InlineData(true, " private")]
    public void Request_OfAServiceThatIsGone_IsRefused(bool isPrivate, string mark)
    {
        ServiceItems gone = new(_bench.Feed.Service with { Serial = 99 }, _bench.Source);
        Ask(1, gone, "A", isPrivate ? RequestFlags.PrivateStream : 0);
        Assert.Equal($"Answer Status 5 Closed/Suspect/SourceUnknown the service is not known{mark}", Answer(1));
    }

    [Theory]
    [InlineData(nameof(UncachedAnswer.Image), RequestFlags.Streaming, "WatchWithAnswer Status 5 Open/Suspect/None the item is not published yet")]
    [InlineData(nameof(UncachedAnswer.Image), 0, NotPublished)]
    [InlineData(nameof(UncachedAnswer.Status), RequestFlags.Streaming, "WatchWithAnswer Status 5 Open/Suspect/None the item is not published yet")]
    [InlineData(nameof(UncachedAnswer.Status), 0, NotPublished)]
    [InlineData(nameof(UncachedAnswer.Closed), RequestFlags.Streaming, NotPublished)]
    [InlineData(nameof(UncachedAnswer.Closed), 0, NotPublished)]
    [InlineData(nameof(UncachedAnswer.Status), RequestFlags.Streaming | RequestFlags.PrivateStream,
        "WatchWithAnswer Status 5 Open/Suspect/None the item is not published yet private")]
    public void Request_OfAnUnpublishedItem_IsAnsweredAsTheHubIsSet(string uncached, int flags, string answer)
    {
        using SourceBench bench = new(new SourceSettings { Services = new ServiceTable(), Uncached = Enum.Parse<UncachedAnswer>(uncached) });
        Ask(bench, 0, bench.Published, "A", flags);
        (SourceRecord kind, _, _, byte[] message) = bench.ReadAddressed(0);
        Assert.Equal(answer, $"{kind} {SourceBench.Describe(message)}");
        Assert.Equal(kind == SourceRecord.WatchWithAnswer ? 1 : 0, bench.Host.Items.Table.Count);
    }

    [Fact]
    public void Request_OfAServiceWithoutASource_IsRefused()
    {
        Ask(0, _bench.Unsourced, "A", RequestFlags.Streaming);
        Assert.Equal(NotPublished, Answer(0));
    }

    [Theory]
    [InlineData(RequestFlags.Streaming, "WatchWithParts", "Refresh 5 Open/Ok @0 solicited clear|Refresh 5 Open/Ok @0 solicited complete", false)]
    [InlineData(0, "AnswerInParts", "Refresh 5 NonStreaming/Ok @0 solicited clear|Refresh 5 NonStreaming/Ok @0 solicited complete", false)]
    [InlineData(RequestFlags.Streaming | RequestFlags.PrivateStream, "WatchWithParts",
        "Refresh 5 Open/Ok @0 solicited clear private|Refresh 5 Open/Ok @0 solicited complete private", true)]
    public void Request_OfAPublishedItem_IsAnsweredWithItsParts(int flags, string kind, string parts, bool isForm)
    {
        CachedItem item = PublishInParts();
        Ask(1, _bench.Published, "A", flags);
        (SourceRecord sent, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((kind, parts, SourceBench.AddressOf(5), isForm),
            (sent.ToString(), string.Join('|', SourceBench.Split(message).Select(SourceBench.Describe)), address, slot != item.Slot));
        Assert.Equal(["one", "two"], SourceBench.Split(message).Select(PayloadOf));
        Assert.Equal((flags & RequestFlags.Streaming) != 0 ? 1 : 0, item.Watchers);
    }

    [Fact]
    public void Request_OfAnItemWhosePublisherLeft_IsAnsweredAsSuspect()
    {
        CachedItem item = PublishInParts();
        _bench.Host.Receiver.Suspect(item);
        Ask(1, _bench.Published, "A");
        Assert.Equal(DataState.Suspect, Wire.Decode(SourceBench.Split(_bench.ReadAddressed(1).Message)[0]).State.DataState);
    }

    [Fact]
    public void Reissue_AtAnInteractiveSource_ReplacesTheRequestAndItsBytes()
    {
        Ask(0, _bench.Feed, "A");
        CachedItem item = _bench.Host.Items.Table[_bench.Read(0)[0].Slot]!;
        long before = _bench.Host.Items.HeldBytes;
        int requestBefore = item.PassThrough!.Request.Length;
        item.PassThrough.IsAwaited = false;
        _bench.Source.Take();
        byte[] again = Request("A", RequestFlags.Streaming | RequestFlags.NoRefresh, "more of it");
        _bench.SendMessage(0, SessionRecord.ReissuePassThrough, item.Slot, 5, again);
        Assert.Equal(Request("A", RequestFlags.Streaming, "more of it"), item.PassThrough.Request); // as the hub repeats it
        Assert.Equal((before + again.Length - requestBefore, false), (_bench.Host.Items.HeldBytes, item.PassThrough.IsAwaited));
        Assert.Equal(["Reissue A"], _bench.Source.Take());
        Assert.Equal("Reissued ", Answer(0));
        _bench.SendMessage(0, SessionRecord.ReissuePassThrough, item.Slot, 5, Request("A", RequestFlags.Streaming));
        Assert.True(item.PassThrough.IsAwaited);
        _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
        Assert.Equal(0, _bench.Host.Items.HeldBytes);
    }

    [Theory]
    [InlineData("B", DomainType.MarketByPrice)]
    [InlineData("A", DomainType.MarketMaker)]
    public void Reissue_WithAnotherKey_IsRefused(string name, DomainType domain)
    {
        Ask(0, _bench.Feed, "A");
        CachedItem item = _bench.Host.Items.Table[_bench.Read(0)[0].Slot]!;
        _bench.Source.Take();
        byte[] request = item.PassThrough!.Request;
        _bench.SendMessage(0, SessionRecord.ReissuePassThrough, item.Slot, 5, Request(name, RequestFlags.Streaming, domain: domain));
        Assert.Equal(InUse, Answer(0));
        Assert.Same(request, item.PassThrough.Request);
        Assert.Empty(_bench.Source.Take());
        _bench.Request(0, _bench.Feed, 5, "A");
        _bench.Read(0);
        _bench.SendMessage(0, SessionRecord.ReissuePassThrough, _bench.Find(_bench.Feed, "A")!.Slot, 5, Request("A", RequestFlags.Streaming,
            domain: DomainType.MarketPrice));
        Assert.StartsWith("Reissued Status 5 ClosedRecover", Answer(0), StringComparison.Ordinal); // one whose images are cached
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(RequestFlags.NoRefresh, false)]
    public void Reissue_OfAPublishedItem_IsAnsweredWithItsPartsWhereTheyAreWanted(int flags, bool hasParts)
    {
        CachedItem item = PublishInParts();
        Ask(1, _bench.Published, "A");
        _bench.Read(1);
        _bench.SendMessage(1, SessionRecord.ReissuePassThrough, item.Slot, 5, Request("A", RequestFlags.Streaming | flags));
        List<(SourceRecord Kind, int Slot, byte[] Bytes)> records = _bench.Read(1);
        Assert.Equal(hasParts ? [SourceRecord.Reissued, SourceRecord.DirectInParts] : [SourceRecord.Reissued], records.Select(record => record.Kind));
        Assert.Equal(StreamAddress.Bytes, records[0].Bytes.Length);
        if (hasParts)
            Assert.Equal("Refresh 5 Open/Ok @0 solicited clear", SourceBench.Describe(SourceBench.Split(records[1].Bytes.AsSpan(StreamAddress.Bytes))[0]));
        Assert.Empty(item.PassThrough!.Request);
    }

    /// <summary>A consumer that missed updates gets the kept image; at an interactive source the request is repeated.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Deferred_Image_IsSentOnceMore(bool isSolicited)
    {
        PublishInParts();
        Ask(1, _bench.Published, "A", RequestFlags.Streaming | RequestFlags.PrivateStream);
        int slot = _bench.ReadAddressed(1).Slot;
        ItemRequestMarks marks = ItemRequestMarks.Deferred | (isSolicited ? ItemRequestMarks.Solicited : 0);
        _bench.Reissue(1, slot, 5, "", marks);
        (SourceRecord kind, int at, _, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.DirectInParts, slot, $"Refresh 5 Open/Ok @0{(isSolicited ? " solicited" : "")} clear private"),
            (kind, at, SourceBench.Describe(SourceBench.Split(message)[0])));

        Ask(1, _bench.Feed, "F");
        _bench.Source.Take();
        slot = _bench.ReadAddressed(1).Slot;
        _bench.Reissue(1, slot, 5, "", marks);
        Assert.Empty(_bench.Read(1));
        Assert.Equal(["Reissue F"], _bench.Source.Take());
    }

    private CachedItem PublishInParts() => PublishInParts(_bench);

    /// <summary>Publishes the item A with an image of two parts.</summary>
    internal static CachedItem PublishInParts(SourceBench bench)
    {
        CachedItem item = bench.Publish("A", Domain);
        long before = bench.Host.Items.HeldBytes;
        byte[] first = Part("one", 0), second = Part("two", Complete);
        bench.Deliver(item, first);
        Assert.False(item.Image.Exists);
        bench.Deliver(item, second);
        Assert.True(item.Image is { Exists: true, IsOk: true });
        Assert.Equal(before + first.Length + second.Length, bench.Host.Items.HeldBytes);
        return item;
    }

    private string Answer(int session)
    {
        (SourceRecord kind, _, StreamAddress address, byte[] message) = _bench.ReadAddressed(session);
        Assert.Equal(SourceBench.AddressOf(5), address);
        return $"{kind} {SourceBench.Describe(message)}";
    }

    private byte[] Ask(int session, ServiceItems service, string name, int flags = RequestFlags.Streaming) => Ask(_bench, session, service, name, flags);

    internal static byte[] Ask(SourceBench bench, int session, ServiceItems service, string name, int flags)
    {
        byte[] request = Request(name, flags);
        bench.SendMessage(session, SessionRecord.RequestPassThrough, service.Service.Key.Number, 5, request);
        return request;
    }

    private static byte[] Request(string name, int flags, string payload = "view", DomainType domain = Domain) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Request,
        DomainType = domain,
        StreamId = 5,
        Flags = flags,
        ContainerType = DataType.Opaque,
        Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = 11, Name = Encoding.ASCII.GetBytes(name) },
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    internal static byte[] Part(string payload, int flags, StreamState stream = StreamState.Open, DataState data = DataState.Ok) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = Domain,
        StreamId = 101,
        Flags = flags,
        ContainerType = DataType.Opaque,
        State = new RwfState(stream, data),
        GroupId = DomainMsg.GroupId,
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    internal static string PayloadOf(byte[] message) => Encoding.ASCII.GetString(Wire.Decode(message).Payload);
}
