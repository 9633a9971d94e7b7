using PerfCommon.Codec;
using PerfCommon.Load;

namespace PerfCommon.Sessions;

/// <summary>Tracks the open item streams of one connection at a provider: names, stream ids, images due, rotation of updates.</summary>
/// <remarks>Flat tables by slot, reused after a close; one owner thread. 100,000 items need about 5 MB.</remarks>
internal sealed class ProviderItems
{
    private const int NotRotating = -1;
    private const int MaxRefreshesDue = 100_000;
    private const int MaxNameBytesKept = 32 * 1024 * 1024;

    private readonly ItemNameIndex _names = new();
    private readonly StreamMap<int> _slots; // one more than the slot, so that 0 is none
    private readonly Stack<int> _freeSlots = new();
    private readonly Queue<int> _refreshes = new();
    private readonly Segments<int> _streamIds = new();
    private readonly Segments<ItemTraits> _traits = new();
    private readonly Segments<int> _positions = new();
    private readonly List<int> _symbolLists = []; // slots
    private int _slotsUsed;

    public ProviderItems() => _slots = new(() => new SparseSlots(StreamIdOf));

    public int OpenCount => _names.Count;

    /// <summary>Streaming items whose image was sent: they receive updates and generic messages.</summary>
    public ItemRotation Rotation { get; } = new();

    /// <summary>The views of the items.</summary>
    public ItemViews Views { get; } = new();

    /// <summary>
    /// True while refreshes have no content and no item receives updates; when it ends, the image of each is due.
    /// </summary>
    public bool IsStandby
    {
        get;
        set
        {
            field = value;
            for (int slot = 0; slot < _slotsUsed; slot++)
            {
                if (FindStream(_streamIds[slot]) != slot)
                    continue;
                StopRotating(slot);
                if (!value)
                    EnqueueRefresh(slot, solicited: false);
            }

            _symbolLists.Clear();
        }
    }

    /// <summary>Private streams that are open.</summary>
    public int PrivateStreams { get; private set; }

    /// <summary>Streams of the service's symbol list whose refresh was sent: they receive changes.</summary>
    public IReadOnlyList<int> SymbolLists => _symbolLists;

    /// <summary>Number of images that are due; entries of closed items may still be among them.</summary>
    public int RefreshesDue => _refreshes.Count;

    /// <summary>True while the maximum of images is due and no further request should be read: the peer may not be reading.</summary>
    public bool IsFull => _refreshes.Count >= MaxRefreshesDue;

    /// <summary>Counts open items whose image is due. Checks all of them.</summary>
    public int CountDueRefreshes()
    {
        int count = 0;
        for (int slot = 0; slot < _slotsUsed; slot++)
            count += (_traits[slot] & ItemTraits.RefreshDue) != 0 ? 1 : 0;
        return count;
    }

    /// <summary>Finds the slot of an open stream; -1 for none.</summary>
    public int FindStream(int streamId) => _slots.Find(streamId) - 1;

    /// <summary>Finds the slot of an open item; -1 for none.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="key">Domain, and whether the stream is private: each combination is a separate item.</param>
    public int FindName(ReadOnlySpan<byte> name, ItemTraits key = ItemTraits.None) => _names.Find(name, KindOf(key));

    /// <summary>Finds the next slot with the name and the key of one that was found; -1 for none. One item may have many private streams.</summary>
    public int FindNext(int slot) => _names.FindNext(slot);

    /// <summary>Finds the slot of an open item, on its common stream or else a private one; -1 for none.</summary>
    public int FindAny(ReadOnlySpan<byte> name, ItemTraits domain) =>
        FindName(name, domain) is var slot and >= 0 ? slot : FindName(name, domain | ItemTraits.PrivateStream);

    /// <summary>True for a streaming item whose image was sent.</summary>
    public bool IsUpdating(int slot) => _positions[slot] != NotRotating;

    /// <summary>Returns the item's name; valid until the next <see cref="Open"/>.</summary>
    public ReadOnlySpan<byte> NameOf(int slot) => _names.NameOf(slot);

    public int StreamIdOf(int slot) => _streamIds[slot];

    /// <summary>True for a market-by-order item.</summary>
    public bool IsOrderBook(int slot) => (_traits[slot] & ItemTraits.OrderBook) != 0;

    /// <summary>Returns the properties that the item's request has.</summary>
    public ItemTraits TraitsOf(int slot) => _traits[slot];

    /// <summary>False when the names of items would exceed the maximum of a connection.</summary>
    public bool HasRoomFor(ReadOnlySpan<byte> name) =>
        _names.KeptBytes < MaxNameBytesKept || _names.HasRoom(_freeSlots.Count > 0 ? _freeSlots.Peek() : _slotsUsed, name.Length);

    /// <summary>Opens a stream; its id may not be open, nor, unless it is private, its name. <see cref="EnqueueRefresh"/> makes its image due.</summary>
    public int Open(int streamId, ReadOnlySpan<byte> name, ItemTraits traits)
    {
        int slot = _freeSlots.Count > 0 ? _freeSlots.Pop() : _slotsUsed++;
        _streamIds.Reserve(slot + 1);
        _traits.Reserve(slot + 1);
        _positions.Reserve(slot + 1);
        _streamIds[slot] = streamId;
        _traits[slot] = traits & ItemTraits.Asked;
        _positions[slot] = NotRotating;
        _slots.Add(streamId, slot + 1);
        _names.Add(slot, name, KindOf(traits));
        CountPrivate(traits, 1);
        return slot;
    }

    /// <summary>Applies a reissue; streaming and private are never removed.</summary>
    // wire/domains 5.5
    public void Reissue(int slot, ItemTraits traits)
    {
        byte kind = KindOf(_traits[slot]);
        CountPrivate(traits & ~_traits[slot], 1);
        _traits[slot] |= traits & ItemTraits.Asked;
        if (KindOf(_traits[slot]) is var changed && changed != kind)
            Rename(slot, changed);
    }

    /// <summary>Sets the view of an item, or null for all fields, from its next message on.</summary>
    public void SetView(int slot, FieldView? view)
    {
        Views.Set(slot, view);
        if (_positions[slot] is var position and not NotRotating)
            Rotation.Items[position].HasView = Views.NumberOf(slot) != ItemViews.None;
    }

    /// <summary>Closes a stream: it receives no image and no update any more; the slot is free again.</summary>
    public void Close(int slot)
    {
        StopRotating(slot);
        _symbolLists.Remove(slot);
        Views.Set(slot, null);
        CountPrivate(_traits[slot], -1);
        _names.Remove(slot);
        _traits[slot] = ItemTraits.None;
        _slots.Remove(_streamIds[slot]);
        _freeSlots.Push(slot);
    }

    public void CloseAll()
    {
        for (int slot = 0; slot < _slotsUsed; slot++)
        {
            if (FindStream(_streamIds[slot]) == slot)
                Close(slot);
        }
    }

    /// <summary>Queues the item's image; once, however often it is requested before the image is sent.</summary>
    public void EnqueueRefresh(int slot, bool solicited)
    {
        if (solicited)
            _traits[slot] |= ItemTraits.Solicited;
        if ((_traits[slot] & ItemTraits.RefreshDue) != 0)
            return;
        _traits[slot] |= ItemTraits.RefreshDue;
        _refreshes.Enqueue(slot);
    }

    /// <summary>Returns the next item whose image is due; it stays due until <see cref="RefreshSent"/>.</summary>
    public bool TryPeekRefresh(out int slot)
    {
        while (_refreshes.TryPeek(out slot))
        {
            if ((_traits[slot] & ItemTraits.RefreshDue) != 0)
                return true;
            _refreshes.Dequeue(); // closed meanwhile
        }

        return false;
    }

    /// <summary>Dequeues the image that was sent; a streaming item receives updates from now on, a snapshot is closed.</summary>
    public void RefreshSent(int slot)
    {
        _refreshes.Dequeue();
        _traits[slot] &= ~(ItemTraits.RefreshDue | ItemTraits.Solicited);
        // wire/domains 5.2
        if ((_traits[slot] & ItemTraits.Streaming) == 0)
            Close(slot);
        else if (IsStandby)
            return;
        else if ((_traits[slot] & ItemTraits.SymbolList) != 0)
            FollowSymbols(slot);
        else if (_positions[slot] == NotRotating)
            _positions[slot] = Rotation.Add(slot, _streamIds[slot], IsOrderBook(slot), Views.NumberOf(slot) != ItemViews.None);
    }

    private static byte KindOf(ItemTraits traits) => (byte)(
        ((traits & ItemTraits.OrderBook) != 0 ? 1 : 0) | ((traits & ItemTraits.PrivateStream) != 0 ? 2 : 0)
        | ((traits & ItemTraits.SymbolList) != 0 ? 4 : 0));

    private void CountPrivate(ItemTraits traits, int change) => PrivateStreams += (traits & ItemTraits.PrivateStream) != 0 ? change : 0;

    private void FollowSymbols(int slot)
    {
        if (!_symbolLists.Contains(slot))
            _symbolLists.Add(slot);
    }

    // The key has changed, so it is another item.
    private void Rename(int slot, byte kind)
    {
        Span<byte> name = stackalloc byte[byte.MaxValue];
        ReadOnlySpan<byte> old = _names.NameOf(slot);
        old.CopyTo(name);
        name = name[..old.Length];
        _names.Remove(slot);
        _names.Add(slot, name, kind);
    }

    private void StopRotating(int slot)
    {
        int position = _positions[slot];
        if (position == NotRotating)
            return;
        _positions[Rotation.RemoveAt(position)] = position;
        _positions[slot] = NotRotating;
    }
}
