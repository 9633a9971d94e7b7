using System.Buffers.Binary;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

public class ProviderItemsTests
{
    private readonly ProviderItems _items = new();

    [Fact]
    public void Open_Streaming_RotatesOnceItsImageWasSent()
    {
        int slot = Open(6, "A"u8);
        Assert.Equal((1, 0, 1), (_items.OpenCount, _items.Rotation.Count, _items.RefreshesDue));
        SendImage(slot);

        Assert.Equal((1, 1, 0), (_items.OpenCount, _items.Rotation.Count, _items.RefreshesDue));
        Assert.Equal((slot, slot, slot), (_items.Rotation.Items[0].Slot, _items.FindStream(6), _items.FindName("A"u8)));
        Assert.Equal("A"u8, _items.NameOf(slot));
        Assert.Equal(6, _items.StreamIdOf(slot));
    }

    [Fact]
    public void IsFull_AsManyImagesAsMayBeDue_UntilOneWasSent()
    {
        int slot = -1;
        for (int stream = 1; stream <= 100_000; stream++)
        {
            Assert.False(_items.IsFull);
            slot = Open(stream, BitConverter.GetBytes(stream));
        }

        Assert.True(_items.IsFull);
        Assert.True(_items.TryPeekRefresh(out slot));
        SendImage(slot);
        Assert.False(_items.IsFull);
    }

    [Fact]
    public void RefreshSent_Snapshot_ClosesTheStream()
    {
        int slot = _items.Open(6, "A"u8, ItemTraits.None);
        _items.EnqueueRefresh(slot, solicited: true);
        SendImage(slot);

        Assert.Equal((0, 0), (_items.OpenCount, _items.Rotation.Count));
        Assert.Equal((-1, -1), (_items.FindStream(6), _items.FindName("A"u8)));
    }

    [Fact]
    public void AskRefresh_Twice_SendsOneImage()
    {
        int slot = Open(6, "A"u8);
        _items.EnqueueRefresh(slot, solicited: true);
        SendImage(slot);

        Assert.False(_items.TryPeekRefresh(out _));
        _items.EnqueueRefresh(slot, solicited: false);
        Assert.Equal(ItemTraits.Streaming | ItemTraits.RefreshDue, _items.TraitsOf(slot));
        SendImage(slot);
        Assert.Equal(1, _items.Rotation.Count); // not twice in turn
    }

    [Fact]
    public void CountDueRefreshes_SomeSentSomeClosed_AreThoseThatWait()
    {
        int sent = Open(6, "A"u8);
        SendImage(sent);
        _items.Close(Open(7, "B"u8));
        Open(8, "C"u8);
        Open(9, "D"u8);
        Assert.Equal(2, _items.CountDueRefreshes());
    }

    [Fact]
    public void Reissue_SnapshotBecomesStreaming_StaysOpen()
    {
        int slot = _items.Open(6, "A"u8, ItemTraits.NameTypeGiven);
        _items.Reissue(slot, ItemTraits.Streaming | ItemTraits.RefreshDue | ItemTraits.Solicited);
        Assert.Equal(ItemTraits.Streaming | ItemTraits.NameTypeGiven, _items.TraitsOf(slot));
        _items.EnqueueRefresh(slot, solicited: true);
        SendImage(slot);

        Assert.Equal((1, 1), (_items.OpenCount, _items.Rotation.Count));
    }

    [Fact]
    public void Close_WhileQueued_SendsNoImage()
    {
        int first = Open(6, "A"u8);
        int second = Open(7, "B"u8);
        _items.Close(first);

        Assert.True(_items.TryPeekRefresh(out int due));
        Assert.Equal(second, due);
        _items.Close(second);
        Assert.False(_items.TryPeekRefresh(out _));
        Assert.Equal(0, _items.RefreshesDue);
    }

    [Fact]
    public void Close_WhileQueuedThenSlotReused_SendsOneImageOfTheNewItem()
    {
        _items.Close(Open(6, "A"u8));
        int slot = Open(8, "C"u8);
        Assert.True(_items.TryPeekRefresh(out int due));
        Assert.Equal((slot, 8), (due, _items.StreamIdOf(due)));
        SendImage(slot);

        Assert.False(_items.TryPeekRefresh(out _));
        Assert.Equal(1, _items.Rotation.Count);
    }

    [Fact]
    public void Close_InTheMiddle_LeavesTheOthersInTurn()
    {
        for (int i = 0; i < 200; i++)
            SendImage(Open(6 + i, System.Text.Encoding.ASCII.GetBytes($"I{i}")));
        for (int i = 0; i < 200; i += 3)
            _items.Close(_items.FindStream(6 + i));

        int[] streams = [.. Enumerable.Range(0, _items.Rotation.Count).Select(place => _items.Rotation.Items[place].StreamId).Order()];
        Assert.Equal(Enumerable.Range(0, 200).Where(i => i % 3 != 0).Select(i => 6 + i), streams);
        Assert.Equal(streams.Length, _items.OpenCount);
    }

    [Fact]
    public void CloseAll_ThenOpen_StartsAfresh()
    {
        SendImage(Open(6, "A"u8));
        Open(7, "B"u8);
        _items.CloseAll();
        Assert.Equal((0, 0), (_items.OpenCount, _items.Rotation.Count));
        int slot = Open(6, "B"u8);
        SendImage(slot);

        Assert.Equal((0, 1), (_items.Rotation.Items[0].TakeUpdate(2), _items.Rotation.Count));
    }

    [Fact]
    public void HasRoomFor_LongNames_EndsAtTheBytesThatAreKept()
    {
        int opened = 0;
        byte[] name = new byte[255];
        while (_items.HasRoomFor(name))
        {
            BinaryPrimitives.WriteInt32LittleEndian(name, ++opened);
            _items.Open(opened, name, ItemTraits.Streaming);
        }

        Assert.InRange(opened, 90_000, 32 * 1024 * 1024 / name.Length);
        _items.Close(7);
        Assert.True(_items.HasRoomFor(name)); // there is space where a name was before
    }

    [Fact]
    public void IsFull_OpenedAndClosedOverAndOver_IsReached()
    {
        for (int i = 0; i < 99_999; i++)
            _items.Close(Open(6, "A"u8));
        Assert.False(_items.IsFull);
        Open(6, "A"u8);
        Assert.True(_items.IsFull);

        Assert.True(_items.TryPeekRefresh(out int due));
        _items.RefreshSent(due);
        Assert.False(_items.IsFull);
    }

    private int Open(int streamId, ReadOnlySpan<byte> name)
    {
        int slot = _items.Open(streamId, name, ItemTraits.Streaming);
        _items.EnqueueRefresh(slot, solicited: true);
        return slot;
    }

    private void SendImage(int slot)
    {
        Assert.True(_items.TryPeekRefresh(out int due));
        Assert.Equal(slot, due);
        _items.RefreshSent(due);
    }
}
