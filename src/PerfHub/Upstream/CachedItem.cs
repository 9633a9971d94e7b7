using PerfCommon.Codec;
using PerfHub.Cache;

namespace PerfHub.Upstream;

/// <summary>
/// An item in its source thread: its image, its stream at the source, and the number of its watchers in each session thread.
/// </summary>
/// <param name="table">The items of that thread.</param>
/// <param name="service">The items of its service.</param>
/// <param name="name">Its name.</param>
/// <param name="domain">Its domain.</param>
internal sealed class CachedItem(ItemTable table, ServiceItems service, byte[] name, DomainType domain)
{
    /// <summary>Approximate bytes of its object and its places in tables; its name and its fields are not included.</summary>
    public const int OverheadBytes = 360;

    /// <summary>The state of its image.</summary>
    public ImageState Image = new() { Qos = service.Service.Offer.Qos };

    private readonly CachedBook? _book = domain == DomainType.MarketByOrder ? new() : null;
    private readonly ItemKey _key = new(service, name, domain);
    private ItemWatchers _watchers;

    /// <summary>Its place in the source thread.</summary>
    public int Slot { get; } = table.AllocateSlot();

    public ServiceItems Service => _key.Service;

    public byte[] Name => _key.Name;

    public DomainType Domain => _key.Domain;

    /// <summary>The hash by which a shared item is found.</summary>
    public uint NameHash => _key.Hash;

    /// <summary>Bytes in memory, without its fields, which are counted by their store.</summary>
    public int HeldBytes => OverheadBytes + Name.Length + (_book?.HeldBytes ?? 0) + (Throttle?.HeldBytes ?? 0) + (PassThrough?.HeldBytes ?? 0);

    /// <summary>Its stream at the source; 0 while it has none.</summary>
    public int StreamId { get; set; }

    /// <summary>Number of non-interactive providers that publish it.</summary>
    public int Publishers { get; set; }

    /// <summary>When the last of them left, or, where there never was one, when it first lost its last watcher; null before.</summary>
    public long? LeftNanos { get; set; }

    /// <summary>True while it is in <see cref="UnwantedItems"/>, which sets it.</summary>
    public bool IsKept { get; set; }

    /// <summary>How it was requested first, or published.</summary>
    public ItemTerms Terms { get; init; }

    /// <summary>The item of which this is a form; null for an item itself.</summary>
    public CachedItem? Of { get; init; }

    /// <summary>
    /// The part of the item that this form's watchers receive, and on what streams; of an item itself everything, on its own streams.
    /// </summary>
    public ItemForm Form { get; init; }

    /// <summary>Its forms with watchers; null for none. Changed by <see cref="ItemForms"/> alone.</summary>
    public List<CachedItem>? Forms { get; set; }

    /// <summary>The data passed on for an item whose images are not cached; null for any other.</summary>
    public PassThroughStream? PassThrough { get; } = HubDomain.IsCached(domain) ? null : new();

    /// <summary>True once nothing more will arrive for it: it is removed with its last watcher.</summary>
    public bool IsOver { get; set; }

    /// <summary>True once it has left its slot, for good: another provider may still send for it.</summary>
    public bool IsFreed { get; private set; }

    /// <summary>Its waiting updates, and the time until which they wait; null where none ever did.</summary>
    public ItemThrottle? Throttle { get; private set; }

    /// <summary>Streams that receive its image and nothing else; null for none.</summary>
    public ItemSnapshots? Snapshots { get; set; }

    /// <summary>True when requests are answered with its image: of an interactive source once its last part has arrived.</summary>
    public bool HasImage => Image.Exists && !(Image.IsPartial && Service.Source.IsInteractive);

    /// <summary>The item itself, where this is a form of it.</summary>
    public CachedItem Whole => Of ?? this;

    /// <summary>True when the last message of an order book had orders that do not fit: its image leaves them out.</summary>
    public bool HasLeftOut => _book is { HasLeftOut: true };

    /// <summary>Number of its watchers, in whatever form.</summary>
    public int Watchers => _watchers.Count;

    /// <summary>True while it has no publisher, no watcher and no request for its image.</summary>
    public bool IsUnwanted => Publishers == 0 && Watchers == 0 && Snapshots is null;

    /// <summary>Replaces the last values by an image.</summary>
    /// <returns>False when the bytes cannot be decoded, or do not fit.</returns>
    public bool Replace(ReadOnlySpan<byte> payload, FieldMerger merger) =>
        _book?.Replace(payload, merger.Limit) ?? (IsFreed || State.Fields.Replace(payload, merger));

    /// <summary>Merges an update into the last values.</summary>
    /// <inheritdoc cref="Replace"/>
    public bool Merge(ReadOnlySpan<byte> payload, FieldMerger merger) =>
        _book is null ? IsFreed || State.Fields.Merge(payload, merger) : _book.Merge(payload, merger.Limit);

    /// <summary>Returns all last values; valid until those of any item are merged or read again.</summary>
    public ReadOnlySpan<byte> Read(FieldMerger merger) => _book is null ? State.Fields.Read(merger) : _book.Read(merger);

    /// <summary>Leaves its slot.</summary>
    public void Free(FieldMerger merger)
    {
        State.Fields.Clear(merger);
        IsFreed = true;
    }

    /// <summary>Returns the store of its waiting updates, which is created when it has none.</summary>
    public ItemThrottle OpenThrottle()
    {
        State.HasThrottle = true;
        return Throttle ??= new();
    }

    /// <summary>Moves its fields out of blocks that are being freed.</summary>
    public void Move(FieldMerger merger) => State.Fields.Move(merger);

    public void AddWatcher(int consumerIndex)
    {
        if (_watchers.Add(consumerIndex))
            State.SetWatched(consumerIndex, isWatched: true);
        Of?._watchers.CountOfForm(1);
    }

    public void RemoveWatcher(int consumerIndex)
    {
        if (_watchers.Remove(consumerIndex))
            State.SetWatched(consumerIndex, isWatched: false);
        Of?._watchers.CountOfForm(-1);
    }

    private ref ItemState State => ref table.StateOf(Slot);
}
