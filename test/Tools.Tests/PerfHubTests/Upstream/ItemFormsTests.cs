using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>The forms in which watchers receive an item: how they are distinguished, counted and removed, and what becomes of each message.</summary>
[Trait("Category", "Fast")]
public sealed class ItemFormsTests : IDisposable
{
    private static readonly FieldView View = new(22, 24);

    private readonly SourceBench _bench = new();
    private readonly ItemForms _forms;
    private readonly CachedItem _item;

    public ItemFormsTests()
    {
        _forms = _bench.Host.Items.Forms;
        _item = _bench.Publish("A");
    }

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Open_OfEachForm_IsOneForAllOfItsWatchers()
    {
        ItemForm[] kinds = [new(View, false), new(null, true), new(null, false, true), new(View, true), new(View, true, true), new(new FieldView(22), false)];
        CachedItem[] opened = [.. kinds.Select(form => _forms.Open(_item, form))];
        Assert.Equal(6, opened.Select(form => form.Slot).Distinct().Count());
        Assert.Equal(opened, _item.Forms!);
        Assert.Equal(opened, kinds.Select(form => _forms.Open(_item, form with
        {
            View = form.View is null
            ? null : new FieldView(form.View.FieldIds.ToArray())
        })));
        Assert.All(opened, form => Assert.Equal((_item, _item, "A"), (form.Of, form.Whole, System.Text.Encoding.ASCII.GetString(form.Name))));
        Assert.Equal(kinds, opened.Select(form => form.Form));
        Assert.Equal((1, 6L * opened[0].HeldBytes), (_bench.Host.Items.Table.Count, _forms.HeldBytes));
        Assert.Equal(_forms.HeldBytes + _item.HeldBytes, _bench.Host.Items.HeldBytes);
    }

    [Fact]
    public void Open_OfAFormThatChangesNothing_IsTheItemItself()
    {
        Assert.Same(_item, _forms.Open(_item, default));
        CachedItem book = _bench.Publish("B", DomainType.MarketByOrder);
        Assert.Same(book, _forms.Open(book, new ItemForm(View, false)));
        _bench.Request(0, _bench.Feed, 4, "P", ItemRequestMarks.Streaming | ItemRequestMarks.Private);
        CachedItem own = _bench.Host.Items.Table[_bench.Read(0)[0].Slot]!;
        Assert.Same(own, _forms.Open(own, new ItemForm(null, IsPrivate: true)));
        Assert.Equal((null, null, null, 0L), (_item.Forms, book.Forms, own.Forms, _forms.HeldBytes));
        Assert.False(_bench.Host.Items.Table.StateOf(_item.Slot).HasForms);
        Assert.Equal((default, new ItemForm(View, false), new ItemForm(null, true)),
            (ItemForms.Of(book, new ItemForm(View, false)), ItemForms.Of(_item, new ItemForm(View, false)), ItemForms.Of(book, new ItemForm(View, true))));
    }

    [Fact]
    public void Leave_OfTheLastWatcher_RemovesTheFormAndTheLastFormItsMark()
    {
        for (int round = 0; round < 3; round++)
        {
            CachedItem one = _forms.Open(_item, new ItemForm(View, false)), other = _forms.Open(_item, new ItemForm(null, true));
            one.AddWatcher(0);
            one.AddWatcher(1);
            other.AddWatcher(2);
            Assert.Equal((2, 1, 3, true), (one.Watchers, other.Watchers, _item.Watchers, _bench.Host.Items.Table.StateOf(_item.Slot).IsWatched));
            Assert.Same(_item, _forms.Leave(one, 0));
            Assert.Equal((2, 2), (_item.Forms!.Count, _item.Watchers));
            Assert.Equal([false, true, false], Enumerable.Range(0, 3).Select(_bench.Host.Items.Table.StateOf(one.Slot).IsWatchedAt));
            Assert.Same(_item, _forms.Leave(one, 1));
            Assert.Equal([other], _item.Forms!);
            Assert.Equal((other.HeldBytes, true), ((int)_forms.HeldBytes, _bench.Host.Items.Table.StateOf(_item.Slot).HasForms));
            Assert.Same(_item, _forms.Leave(other, 2));
            Assert.Equal((null, 0L, 0, false), (_item.Forms, _forms.HeldBytes, _item.Watchers, _bench.Host.Items.Table.StateOf(_item.Slot).HasForms));
            Assert.False(_bench.Host.Items.Table.StateOf(_item.Slot).IsWatched);
            _item.AddWatcher(1);
            Assert.Same(_item, _forms.Leave(_item, 1));
            Assert.Equal((1, 0), (_bench.Host.Items.Table.Count, _item.Watchers));
        }
    }

    [Theory]
    [InlineData(22, 1, "22=1")]
    [InlineData(22, 3, "22=1 24=1")]
    [InlineData(23, 1, null)] // none of its fields
    [InlineData(25, 3, null)]
    public void Shape_OfAnUpdate_HasTheFieldsOfTheView(short first, int fields, string? kept)
    {
        byte[] quick = SourceBench.Update(HostileMessages.List(first, fields));
        byte[] full = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketPrice,
            StreamId = 5,
            Flags = UpdateFlags.HasSeqNum,
            SeqNum = 7,
            ContainerType = DataType.FieldList,
            Payload = HostileMessages.List(first, fields),
        });
        foreach (byte[] update in (byte[][])[quick, full])
        {
            byte[] shaped = Shape(new ItemForm(View, IsPrivate: true), update);
            Assert.Equal(kept, shaped.Length == 0 ? null : SourceBench.Fields(shaped));
            Assert.Empty(Shape(new ItemForm(null, false, IsStandby: true), update));
            Assert.Equal(update, Shape(new ItemForm(null, IsPrivate: true), update));
        }
    }

    [Fact]
    public void Shape_OfAnUpdateWithoutFields_IsSentAsItIs()
    {
        byte[] empty = SourceBench.Update([]);
        Assert.Equal(empty, Shape(new ItemForm(View, false), empty));
        byte[] other = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketPrice,
            StreamId = 5,
            ContainerType = DataType.Opaque,
            Payload = "text"u8
        });
        Assert.Equal(other, Shape(new ItemForm(View, false), other));
    }

    [Fact]
    public void Shape_OfOtherMessages_SaysWhereTheStreamIsPrivate()
    {
        byte[] status = SourceBench.Status(StreamState.Open), image = SourceBench.Image(HostileMessages.List(22, 3));
        byte[] generic = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.MarketPrice,
            StreamId = 5,
            ContainerType = DataType.NoData
        });
        Assert.Equal("Status 101 Open/Suspect/NotEntitled go away\n\0 private", SourceBench.Describe(Shape(new ItemForm(null, true), status)));
        Assert.Equal(status, Shape(new ItemForm(View, false, true), status));
        Assert.Equal("Refresh 101 Open/Ok @0 complete private [22=1 24=1]", SourceBench.Describe(Shape(new ItemForm(View, true), image)));
        Assert.Equal("Refresh 101 Open/Ok @0 complete [22=1 24=1]", SourceBench.Describe(Shape(new ItemForm(View, false), image)));
        Assert.Equal("Refresh 101 Open/Ok @0 complete private [22=1 23=1 24=1]", SourceBench.Describe(Shape(new ItemForm(null, true), image)));
        Assert.Equal(image, Shape(new ItemForm(null, false, true), image));
        Assert.Equal(generic, Shape(new ItemForm(View, true), generic));
        Assert.Equal((RefreshFlags.PrivateStream, StatusFlags.PrivateStream, AckFlags.PrivateStream, 0, 0, 0),
            (ItemForms.PrivateFlagOf(MsgClass.Refresh), ItemForms.PrivateFlagOf(MsgClass.Status), ItemForms.PrivateFlagOf(MsgClass.Ack),
                ItemForms.PrivateFlagOf(MsgClass.Update), ItemForms.PrivateFlagOf(MsgClass.Generic), ItemForms.PrivateFlagOf(MsgClass.Post)));
    }

    /// <summary>A message is encoded once for each form, and counts as a copy for each further session thread.</summary>
    [Fact]
    public void Update_OfAnItemWithForms_IsCopiedForEachThreadOfEach()
    {
        _item.AddWatcher(0);
        _forms.Open(_item, new ItemForm(View, false)).AddWatcher(0);
        CachedItem two = _forms.Open(_item, new ItemForm(new FieldView(23), false));
        two.AddWatcher(1);
        two.AddWatcher(2);
        _bench.DeliverUpdate(_item, field: 22);
        Assert.Equal(("Update Update", "", ""), (_bench.Kinds(0), _bench.Kinds(1), _bench.Kinds(2)));
        _bench.DeliverUpdate(_item, field: 23);
        Assert.Equal(("Update", "Update", "Update"), (_bench.Kinds(0), _bench.Kinds(1), _bench.Kinds(2)));
        _bench.DeliverUpdate(_item, field: 30);
        Assert.Equal(("Update", "", ""), (_bench.Kinds(0), _bench.Kinds(1), _bench.Kinds(2)));
        _forms.Leave(_item, 0);
        _bench.DeliverUpdate(_item, field: 30);
        Assert.Equal("UpdatesCopied=3 UpdatesReceived=4 UpdatesUnwatched=1", _bench.Counts);
        _bench.DeliverImage(_item, field: 23);
        Assert.Equal(("Image", "Image", "Image"), (_bench.Kinds(0), _bench.Kinds(1), _bench.Kinds(2)));
    }

    private byte[] Shape(ItemForm form, byte[] message)
    {
        CachedItem opened = _forms.Open(_item, form);
        opened.AddWatcher(0);
        byte[] shaped = _forms.Shape(opened, message).ToArray();
        _forms.Leave(opened, 0);
        return shaped;
    }
}
