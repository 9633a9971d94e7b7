using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>
/// Maps handles to the items of a watchlist: an item has any number of handles, and the number of its first one.
/// </summary>
/// <remarks>One owner thread. No allocation for a message.</remarks>
internal sealed class ItemHandles
{
    private const int None = -1;
    private const int MaxKind = 0x7F; // of the index

    private readonly ItemNameIndex _names = new(); // of the subscribed items
    private readonly List<(DomainType Domain, bool IsPrivate)> _kinds = [(DomainType.MarketPrice, false)]; // the key besides the name
    private readonly Stack<int> _free = new();
    private readonly Queue<int> _released = new(); // while handles of their item were being notified
    private readonly Queue<int> _unwanted = new();
    private Entry[] _entries = new Entry[64];
    private bool _isDispatching;

    /// <summary>Number of handles so far, released ones included.</summary>
    public int Count { get; private set; }

    /// <summary>True while each item has one handle, with the same number: then no look-up is needed.</summary>
    public bool AreItems { get; private set; } = true;

    /// <summary>Adds a handle.</summary>
    /// <param name="name">Name of its item; 1 to 255 bytes.</param>
    /// <param name="flags">Uses of the item, if it is new.</param>
    /// <param name="item">The item; it is new when it has the handle's number.</param>
    /// <param name="domain">Its domain, where the flags do not determine it.</param>
    /// <returns>The handle.</returns>
    public int Add(ReadOnlySpan<byte> name, ItemFlags flags, out int item, DomainType? domain = null)
    {
        int handle = AllocateNumber();
        DomainType of = domain ?? ItemDomain.Of(flags);
        byte kind = KindOf(of, (flags & ItemFlags.PrivateStream) != 0);
        item = _names.Find(name, kind);
        if (item >= 0)
        {
            LastOf(item).Next = handle;
            _entries[handle].Item = item;
            AreItems = false;
            return handle;
        }

        item = handle;
        _names.Add(item, name, kind);
        _entries[handle] = new Entry { Item = item, First = handle, Next = None, Flags = flags, Domain = of, IsNamed = true };
        return handle;
    }

    /// <summary>Returns the item of a handle; -1 for a released or unknown one.</summary>
    public int ItemOf(int handle) => (uint)handle < (uint)Count && !_entries[handle].IsReleased ? _entries[handle].Item : None;

    /// <summary>Returns the name of a handle's current or last item.</summary>
    public ReadOnlySpan<byte> NameOf(int handle) => _names.NameOf(ItemOf(handle));

    /// <summary>Returns the name of an item, also of one that was closed for good.</summary>
    public ReadOnlySpan<byte> NameOfItem(int item) => _names.NameOf(item);

    /// <summary>Returns the uses of an item.</summary>
    public ItemFlags FlagsOf(int item) => _entries[item].Flags;

    /// <summary>Returns the domain of an item.</summary>
    public DomainType DomainOf(int item) => _entries[item].Domain;

    /// <summary>Returns the requested fields of an item; null for all.</summary>
    public FieldView? ViewOf(int item) => _entries[item].View;

    /// <summary>Maximum bytes of a view in a request.</summary>
    public int MaxViewBytes { get; private set; }

    /// <summary>Sets the requested fields of an item from its next request on; null for all.</summary>
    public void SetView(int item, FieldView? view)
    {
        _entries[item].View = view;
        MaxViewBytes = Math.Max(MaxViewBytes, view is null ? 0 : ViewRequest.MaxBytes(view));
    }

    /// <summary>Marks a handle as waiting for an image: messages before it are not delivered to it.</summary>
    public void Wait(int handle) => _entries[handle].Waits = true;

    /// <summary>Releases a handle; an item without handles is then returned by <see cref="TryDequeueUnwanted"/>.</summary>
    public void Release(int handle)
    {
        _entries[handle].IsReleased = true;
        _released.Enqueue(handle);
        if (!_isDispatching)
            Settle();
    }

    /// <summary>Dequeues the next item that lost its last handle; its number is free again.</summary>
    public bool TryDequeueUnwanted(out int item) => _unwanted.TryDequeue(out item);

    /// <summary>Marks an item as closed for good: a new subscription to its name gets another item. Its handles stay.</summary>
    public void Forget(int item)
    {
        if (_entries[item].IsNamed)
            _names.Remove(item);
        _entries[item].IsNamed = false;
    }

    /// <summary>
    /// Starts to enumerate the handles of an item, in their order, until <see cref="EndDispatch"/>: none is removed meanwhile.
    /// </summary>
    /// <returns>The first handle; -1 for none.</returns>
    public int BeginDispatch(int item)
    {
        _isDispatching = true;
        return _entries[item].First;
    }

    public int NextOf(int handle) => _entries[handle].Next;

    public void EndDispatch()
    {
        _isDispatching = false;
        Settle();
    }

    /// <summary>True when the current event is for the handle.</summary>
    /// <param name="handle">The handle.</param>
    /// <param name="beginsImage">True for an image, or its first part, which ends a handle's waiting.</param>
    /// <param name="isForAll">True for an event that is also for handles that wait for an image.</param>
    public bool Accepts(int handle, bool beginsImage, bool isForAll)
    {
        ref Entry entry = ref _entries[handle];
        entry.Waits &= !beginsImage;
        return !entry.IsReleased && (isForAll || !entry.Waits);
    }

    private byte KindOf(DomainType domain, bool isPrivate)
    {
        int kind = _kinds.IndexOf((domain, isPrivate));
        if (kind >= 0)
            return (byte)kind;
        if (_kinds.Count > MaxKind)
            throw new InvalidOperationException($"a watchlist has items of at most {MaxKind} domains");
        _kinds.Add((domain, isPrivate));
        return (byte)(_kinds.Count - 1);
    }

    private int AllocateNumber()
    {
        if (Count == _entries.Length)
            Array.Resize(ref _entries, Count * 2);
        int number = _free.Count > 0 ? _free.Pop() : Count++;
        _entries[number] = new Entry { Item = None, First = None, Next = None };
        return number;
    }

    private ref Entry LastOf(int item)
    {
        int handle = _entries[item].First;
        while (_entries[handle].Next != None)
            handle = _entries[handle].Next;
        return ref _entries[handle];
    }

    private void Settle()
    {
        while (_released.TryDequeue(out int handle))
            Unlink(handle);
    }

    private void Unlink(int handle)
    {
        int item = _entries[handle].Item;
        int next = _entries[handle].Next;
        ref int link = ref _entries[item].First;
        while (link != handle)
            link = ref _entries[link].Next;
        link = next;
        (_entries[handle].Item, _entries[handle].Next) = (None, None);
        if (handle != item) // or it is the number of an item that has other handles
            _free.Push(handle);
        if (_entries[item].First == None)
            Drop(item);
    }

    private void Drop(int item)
    {
        Forget(item);
        _unwanted.Enqueue(item);
        _free.Push(item);
    }

    private struct Entry
    {
        public int Item; // item of the handle with this number; None for a number without a handle
        public int Next; // next handle of the same item
        public int First; // first handle of the item with this number; None for a number without an item
        public ItemFlags Flags; // of the item
        public DomainType Domain; // of the item
        public FieldView? View; // of the item
        public bool IsNamed; // the item is still subscribed
        public bool Waits; // the handle waits for an image
        public bool IsReleased;
    }
}
