using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Requests on open streams: each has one answer, with an image or without, and may move the stream to a form of its item.</summary>
[Trait("Category", "Fast")]
public sealed class ItemReissueTests : IDisposable
{
    private const ItemRequestMarks Streaming = ItemRequestMarks.Streaming;
    private const string InUse = "Status 5 ClosedRecover/Suspect/UsageError Item request rejected for stream id 5 - stream already in use with a different key";

    private readonly SourceBench _bench = new();
    private readonly CachedItem _item;

    public ItemReissueTests()
    {
        _bench.Request(0, _bench.Feed, 5, "A");
        _item = _bench.Find(_bench.Feed, "A")!;
        _bench.DeliverImage(_item);
        _bench.Read(0);
        _bench.Source.Take();
    }

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData("B", 0, "")]
    [InlineData("AA", 0, "")]
    [InlineData("A", (int)ItemRequestMarks.OrderBook, "")]
    [InlineData("B", (int)ItemRequestMarks.Private, " private")]
    public void Reissue_WithAnotherKey_IsRefusedAndTheStreamStays(string name, int marks, string isPrivate)
    {
        _bench.Reissue(0, _item.Slot, 5, name, Streaming | (ItemRequestMarks)marks);
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Reissued, _item.Slot, SourceBench.AddressOf(5), InUse + isPrivate),
            (kind, slot, address, SourceBench.Describe(message)));
        Assert.Equal((1, null), (_item.Watchers, _item.Forms));
    }

    [Theory]
    [InlineData(0, "Refresh 5 Open/Ok A@11 solicited clear complete [22=1]")]
    [InlineData((int)ItemRequestMarks.NameType, "Refresh 5 Open/Ok A@11 solicited clear complete typed [22=1]")]
    [InlineData((int)ItemRequestMarks.NoRefresh, "")]
    public void Reissue_OfTheSame_IsAnsweredWithAnImageWhereOneIsWanted(int marks, string answer)
    {
        _bench.Reissue(0, _item.Slot, 5, "A", Streaming | (ItemRequestMarks)marks);
        (SourceRecord kind, int slot, _, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Reissued, _item.Slot, answer), (kind, slot, SourceBench.Describe(message)));
        Assert.Equal((1, null), (_item.Watchers, _item.Forms));
        Assert.Empty(_bench.Source.Take());
    }

    [Fact]
    public void Reissue_BeforeTheImage_IsAnsweredWithoutOne()
    {
        _bench.Request(1, _bench.Feed, 6, "NEW");
        CachedItem item = _bench.Find(_bench.Feed, "NEW")!;
        _bench.Read(1);
        _bench.Reissue(1, item.Slot, 6, "NEW");
        (SourceRecord kind, _, _, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.Reissued, 0), (kind, message.Length));
        _bench.Request(1, _bench.Unsourced, 7, "OWN");
        _bench.Read(1);
        _bench.Reissue(1, _bench.Find(_bench.Unsourced, "OWN")!.Slot, 7, "OWN");
        Assert.Equal("Refresh 7 Open/Ok OWN@13 solicited clear complete []", SourceBench.Describe(_bench.ReadAddressed(1).Message));
    }

    /// <summary>A stream that became private stays so, whatever it requests later.</summary>
    [Fact]
    public void Reissue_ThatIsPrivate_MovesToAFormAndStaysThere()
    {
        _bench.Reissue(0, _item.Slot, 5, "A", Streaming | ItemRequestMarks.Private);
        (SourceRecord kind, int slot, _, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Moved, "Refresh 5 Open/Ok A@11 solicited clear complete private [22=1]"), (kind, SourceBench.Describe(message)));
        CachedItem form = Assert.Single(_item.Forms!);
        Assert.Equal((form.Slot, _item), (slot, form.Of));
        Assert.Equal((1, 2), (form.Watchers, _item.Watchers));
        _bench.Send(0, SessionRecord.Unwatch, _item.Slot, []); // the stream has moved
        Assert.Equal((1, 1), (form.Watchers, _item.Watchers));

        _bench.Reissue(0, slot, 5, "A");
        (kind, int again, _, message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Moved, slot, "Refresh 5 Open/Ok A@11 solicited clear complete private [22=1]"), (kind, again,
            SourceBench.Describe(message)));
        _bench.Send(0, SessionRecord.Unwatch, slot, []);
        Assert.Equal((1, 1), (form.Watchers, _item.Watchers));
        _bench.Send(0, SessionRecord.Unwatch, slot, []);
        Assert.Equal((0, null, 0L), (_item.Watchers, _item.Forms, _bench.Host.Items.Forms.HeldBytes));
        Assert.Equal(["Close A"], _bench.Source.Take());
        Assert.Equal(0, _bench.Host.Items.Table.Count);
    }

    [Fact]
    public void Reissue_WithAView_MovesToItsFieldsAndBack()
    {
        _bench.Deliver(_item, SourceBench.Image(HostileMessages.List(22, 3, value: 4)));
        _bench.Read(0);
        int view = _bench.Settings.Views.Enter(new FieldView(23, 24));
        _bench.Reissue(0, _item.Slot, 5, "A", Streaming, view);
        (SourceRecord kind, int slot, _, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Moved, "Refresh 5 Open/Ok A@11 solicited clear complete [23=4 24=4]"), (kind, SourceBench.Describe(message)));
        _bench.Send(0, SessionRecord.Unwatch, _item.Slot, []);
        _bench.DeliverUpdate(_item, field: 23);
        (kind, int at, byte[] update) = Assert.Single(_bench.Read(0));
        Assert.Equal((SourceRecord.Update, slot, "23=2"), (kind, at, SourceBench.Fields(update)));
        _bench.DeliverUpdate(_item, field: 22);
        Assert.Empty(_bench.Read(0));
        Assert.Equal(1, _bench[HubCounter.UpdatesUnwatched]);

        _bench.Reissue(0, slot, 5, "A", Streaming);
        (kind, at, _, message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Moved, _item.Slot, "Refresh 5 Open/Ok A@11 solicited clear complete [22=2 23=2 24=4]"), (kind, at,
            SourceBench.Describe(message)));
        _bench.Send(0, SessionRecord.Unwatch, slot, []);
        Assert.Equal((1, null), (_item.Watchers, _item.Forms));
    }

    /// <summary>An image that a session could not queue is sent once more, an answer where it was one.</summary>
    [Theory]
    [InlineData(false, "Refresh 5 Open/Ok A@11 clear complete [22=1]")]
    [InlineData(true, "Refresh 5 Open/Ok A@11 solicited clear complete [22=1]")]
    public void Reissue_OfADeferredImage_IsTheImageAlone(bool isAnswer, string image)
    {
        _bench.Reissue(0, _item.Slot, 5, "", ItemRequestMarks.Deferred | (isAnswer ? ItemRequestMarks.Solicited : 0));
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(0);
        Assert.Equal((SourceRecord.Direct, _item.Slot, SourceBench.AddressOf(5), image), (kind, slot, address, SourceBench.Describe(message)));
    }

    [Fact]
    public void Reissue_OfADeferredImageOfAForm_IsThatOfTheForm()
    {
        int view = _bench.Settings.Views.Enter(new FieldView(24));
        _bench.Deliver(_item, SourceBench.Image(HostileMessages.List(22, 3, value: 4)));
        _bench.Request(1, _bench.Feed, 8, "A", Streaming, view);
        int slot = _bench.ReadAddressed(1).Slot;
        _bench.Reissue(1, slot, 8, "", ItemRequestMarks.Deferred);
        Assert.Equal("Refresh 8 Open/Ok A@11 clear complete [24=4]", SourceBench.Describe(_bench.ReadAddressed(1).Message));
    }

    /// <summary>An update that waits is sent before the answer, which contains its values.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData((int)ItemRequestMarks.Deferred)]
    public void Reissue_WhileAnUpdateWaits_SendsItFirst(int marks)
    {
        _bench.Settings.Tuning.ThrottleNanos = Clock.NanosPerSecond;
        _bench.DeliverUpdate(_item, value: 2);
        _bench.DeliverUpdate(_item, value: 3);
        Assert.Equal("Update", _bench.Kinds(0));
        _bench.Reissue(0, _item.Slot, 5, "A", Streaming | (ItemRequestMarks)marks);
        List<(SourceRecord Kind, int Slot, byte[] Bytes)> records = _bench.Read(0);
        Assert.Equal([SourceRecord.Update, marks == 0 ? SourceRecord.Reissued : SourceRecord.Direct], records.Select(record => record.Kind));
        Assert.Equal("22=3", SourceBench.Fields(records[0].Bytes));
        Assert.Equal("22=3", SourceBench.Fields(records[1].Bytes[StreamAddress.Bytes..]));
    }
}
