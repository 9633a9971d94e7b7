using PerfCommon.Codec;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Streams whose consumer has the hub stand by: they receive an image without content and no updates, and everything anew when it is active.</summary>
[Trait("Category", "Fast")]
public sealed class StandbyStreamTests : IDisposable
{
    private readonly SourceBench _bench = new();
    private readonly StandbyParts _parts = new();

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Request_WhileStandingBy_IsAnsweredWithoutContent()
    {
        CachedItem item = Open(4);
        _bench.DeliverImage(item);
        _bench.Request(1, _bench.Feed, 5, "A", ItemRequestMarks.Streaming | ItemRequestMarks.Standby);
        (SourceRecord kind, int slot, _, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.WatchWithAnswer, "Refresh 5 Open/Ok A@11 solicited clear complete []", false),
            (kind, SourceBench.Describe(message), slot == item.Slot));
        _bench.DeliverUpdate(item);
        Assert.Empty(_bench.Read(1));
        _bench.DeliverImage(item, value: 3);
        (kind, int at, byte[] image) = Assert.Single(_bench.Read(1));
        Assert.Equal((SourceRecord.Image, slot, "Refresh 0 Open/Ok A@11 clear complete []"), (kind, at, SourceBench.Describe(image)));
        _bench.Deliver(item, SourceBench.Status(StreamState.Open));
        Assert.Equal("Status", _bench.Kinds(1));
    }

    [Fact]
    public void Switch_ToActiveAndBack_SendsTheImageOnceAndThenNothing()
    {
        CachedItem item = Open(4);
        _bench.DeliverImage(item);
        _bench.Read(0);
        _parts.SetLogin(isStandby: true);
        int slot = Switch(item.Slot, 4, SourceRecord.Moved, "");
        Assert.Equal((new ItemForm(null, false, IsStandby: true), 1), (Assert.Single(item.Forms!).Form, item.Forms![0].Watchers));
        _bench.DeliverUpdate(item);
        Assert.Empty(_bench.Read(0));
        Assert.Equal(1, _bench[HubCounter.UpdatesUnwatched]);
        _parts.SetLogin(isStandby: false);
        Assert.Equal(item.Slot, Switch(slot, 4, SourceRecord.Moved, "Refresh 4 Open/Ok A@11 clear complete [22=2]"));
        Assert.Null(item.Forms);
        _bench.DeliverUpdate(item, value: 5);
        Assert.Equal("Update", _bench.Kinds(0));
    }

    /// <summary>An item of the service that the change is for, and one of another.</summary>
    [Theory]
    [InlineData(11, true)]
    [InlineData(12, false)]
    [InlineData(0, true)] // all services
    public void Switch_OfAService_ConcernsItsItems(ushort changed, bool isConcerned)
    {
        CachedItem item = Open(4);
        _bench.DeliverImage(item);
        _bench.Read(0);
        _parts.Set(11, isStandby: true);
        _parts.Begin(changed, [4]);
        int slot = Switch(item.Slot, 4, isConcerned ? SourceRecord.Moved : SourceRecord.Reissued, "", begin: false);
        Assert.Equal(isConcerned, slot != item.Slot);
    }

    [Fact]
    public void Switch_ToActiveWithoutAnImage_WaitsForIt()
    {
        CachedItem item = Open(4);
        _bench.Read(0);
        Assert.Equal(item.Slot, Switch(item.Slot, 4, SourceRecord.Reissued, ""));
        _bench.Request(0, _bench.Unsourced, 6, "B", ItemRequestMarks.Streaming | ItemRequestMarks.Standby);
        (_, int slot, _, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal("Refresh 6 Open/Ok B@13 solicited clear complete []", SourceBench.Describe(message));
        Switch(slot, 6, SourceRecord.Moved, "Refresh 6 Open/Ok B@13 clear complete []");
    }

    [Fact]
    public void Switch_OfAPrivateStream_KeepsItPrivateAndItsView()
    {
        _bench.Request(0, _bench.Published, 4, "P", ItemRequestMarks.Streaming | ItemRequestMarks.Private);
        CachedItem item = _bench.Find(_bench.Published, "P")!;
        _bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 2)));
        int slot = _bench.Read(0)[0].Slot;
        int view = _bench.Settings.Views.Enter(new FieldView(23));
        _parts.SetLogin(isStandby: true);
        slot = Switch(slot, 4, SourceRecord.Moved, "");
        Assert.Equal(new ItemForm(null, IsPrivate: true, IsStandby: true), Assert.Single(item.Forms!).Form);
        _parts.SetLogin(isStandby: false);
        Switch(slot, 4, SourceRecord.Moved, "Refresh 4 Open/Ok P@12 clear complete private [23=1]", view: view);
        Assert.Equal(new ItemForm(new FieldView(23), IsPrivate: true), Assert.Single(item.Forms!).Form);
    }

    [Theory]
    [InlineData(true, "Refresh 5 Open/Ok A@11 clear complete typed [22=1]")]
    [InlineData(false, "Refresh 5 Open/Ok A@11 clear complete [22=1]")]
    public void Switch_ToActive_HasTheTypeOfTheNameOfTheItem(bool hasNameType, string image)
    {
        _bench.Request(0, _bench.Feed, 5, "A", ItemRequestMarks.Streaming | (hasNameType ? ItemRequestMarks.NameType : 0));
        CachedItem item = _bench.Find(_bench.Feed, "A")!;
        _bench.DeliverImage(item);
        _bench.Read(0);
        Switch(item.Slot, 5, SourceRecord.Reissued, image);
    }

    private CachedItem Open(int streamId)
    {
        _bench.Request(0, _bench.Feed, streamId, "A");
        return _bench.Find(_bench.Feed, "A")!;
    }

    // Sends what a session does when the part of a stream changes; returns the slot that the stream then watches.
    private int Switch(int slot, int streamId, SourceRecord kind, string image, int view = 0, bool begin = true)
    {
        if (begin)
            _parts.Begin(StandbyParts.AllServices, [streamId]);
        byte[] parts = new byte[StandbyParts.MaxBytes];
        parts = parts[.._parts.Write(parts)];
        byte[] room = new byte[RequestedItem.MaxBytes];
        _bench.Send(0, SessionRecord.Reissue, slot,
            room[..new RequestedItem(SourceBench.AddressOf(streamId), ItemRequestMarks.Switch, parts, view).Write(room)]);
        (SourceRecord sent, int now, StreamAddress address, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((kind, SourceBench.AddressOf(streamId), image), (sent, address, SourceBench.Describe(message)));
        if (sent == SourceRecord.Moved)
            _bench.Send(0, SessionRecord.Unwatch, slot, []);
        return now;
    }
}
