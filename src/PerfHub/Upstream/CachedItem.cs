using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;

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

    private readonly CachedBook? _book = domain == DomainType.MarketByOrder ? new() : null;
    private HostCounts _watchers;

    /// <summary>Its place in the source thread.</summary>
    public int Slot { get; } = table.AllocateSlot();

    public ServiceItems Service => service;

    public byte[] Name => name;

    public DomainType Domain => domain;

    /// <summary>The hash by which a shared item is found.</summary>
    public uint NameHash { get; } = ItemTable.HashOf(service, name, domain);

    /// <summary>Bytes in memory, without its fields, which are counted by their store.</summary>
    public int HeldBytes => OverheadBytes + name.Length + (_book?.HeldBytes ?? 0) + (Throttle?.HeldBytes ?? 0) + (PassThrough?.HeldBytes ?? 0);

    /// <summary>Its stream at the source; 0 while it has none.</summary>
    public int StreamId { get; set; }

    /// <summary>Number of non-interactive providers that publish it.</summary>
    public int Publishers { get; set; }

    /// <summary>When the last of them left, or, where there never was one, when it first lost its last watcher; null before.</summary>
    public long? LeftNanos { get; set; }

    /// <summary>True while it is in <see cref="UnwantedItems"/>, which sets it.</summary>
    public bool IsKept { get; set; }

    /// <summary>True when it is found by its name: one item for all requests.</summary>
    public bool IsShared { get; init; }

    public bool IsPrivate { get; init; }

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

    /// <summary>True for a stream that ends with its image.</summary>
    public bool IsSnapshot { get; init; }

    /// <summary>True when the key of its images has a type of the name, because the first request had one.</summary>
    public bool HasNameType { get; init; }

    /// <summary>True once there is an image, whatever its state.</summary>
    public bool HasImage { get; set; }

    /// <summary>True while its data are good.</summary>
    public bool IsOk { get; set; }

    /// <summary>True once nothing more will arrive for it: it is removed with its last watcher.</summary>
    public bool IsOver { get; set; }

    /// <summary>True once it has left its slot, for good: another provider may still send for it.</summary>
    public bool IsFreed { get; private set; }

    /// <summary>Quality of service of its images.</summary>
    public RwfQos Qos { get; set; } = service.Service.Offer.Qos;

    /// <summary>Its waiting updates, and the time until which they wait; null where none ever did.</summary>
    public ItemThrottle? Throttle { get; private set; }

    /// <summary>Streams that receive its image and nothing else; null for none.</summary>
    public Dictionary<(int ConsumerIndex, StreamAddress Address), ItemForm>? Snapshots { get; set; }

    /// <summary>The message that ended it, while streams wait for it.</summary>
    public byte[] FinalMessage { get; set; } = [];

    /// <summary>Number of its watchers, in whatever form.</summary>
    public int Watchers { get; private set; }

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
    public void Move(FieldStore store) => State.Fields.Move(store);

    public void AddWatcher(int consumerIndex)
    {
        if (_watchers[consumerIndex]++ == 0)
            State.SetWatched(consumerIndex, isWatched: true);
        Watchers++;
        if (Of is not null)
            Of.Watchers++;
    }

    public void RemoveWatcher(int consumerIndex)
    {
        if (--_watchers[consumerIndex] == 0)
            State.SetWatched(consumerIndex, isWatched: false);
        Watchers--;
        if (Of is not null)
            Of.Watchers--;
    }

    private ref ItemState State => ref table.StateOf(Slot);

    [InlineArray(ThreadPlan.MaxThreads)]
    private struct HostCounts
    {
        private int _count;
    }
}
