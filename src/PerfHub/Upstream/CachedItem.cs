using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Cache;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>
/// An item as its source thread knows it: its image, its stream at the source, and how many streams watch it at each session thread.
/// </summary>
/// <param name="table">The items of that thread.</param>
/// <param name="service">The items that it is one of.</param>
/// <param name="name">Its name.</param>
/// <param name="domain">Its domain.</param>
internal sealed class CachedItem(ItemTable table, ServiceItems service, byte[] name, DomainType domain)
{
    /// <summary>Bytes of its object and its places in tables, about; beside its name and its fields.</summary>
    public const int OverheadBytes = 360;

    private readonly CachedBook? _book = domain == DomainType.MarketByOrder ? new() : null;
    private HostCounts _watchers;

    /// <summary>Its place at the source thread.</summary>
    public int Slot { get; } = table.TakeSlot();

    public ServiceItems Service => service;

    public byte[] Name => name;

    public DomainType Domain => domain;

    /// <summary>By what it is found where it is shared.</summary>
    public uint NameHash { get; } = ItemTable.HashOf(service, name, domain);

    /// <summary>Bytes that it takes, beside its fields, which are counted by their store.</summary>
    public int HeldBytes => OverheadBytes + name.Length + (_book?.HeldBytes ?? 0) + (Throttle?.HeldBytes ?? 0) + (Passed?.HeldBytes ?? 0);

    /// <summary>Its stream at the source; 0 while it has none.</summary>
    public int StreamId { get; set; }

    /// <summary>Non-interactive providers that publish it.</summary>
    public int Publishers { get; set; }

    /// <summary>When the last of them left, or where there never was one, when nobody wanted it first; null before.</summary>
    public long? LeftNanos { get; set; }

    /// <summary>True while it is among <see cref="UnwantedItems"/>; theirs to set.</summary>
    public bool IsKept { get; set; }

    /// <summary>True when it is found by its name: one for all who ask.</summary>
    public bool IsShared { get; init; }

    public bool IsPrivate { get; init; }

    /// <summary>The item of which this is a form; null for an item itself.</summary>
    public CachedItem? Of { get; init; }

    /// <summary>What of the item this form's watchers get, and on what streams; of an item itself everything, on those it has.</summary>
    public ItemForm Form { get; init; }

    /// <summary>Its forms that are watched; null for none. Theirs to change, see <see cref="ItemForms"/>.</summary>
    public List<CachedItem>? Forms { get; set; }

    /// <summary>What is passed on of an item whose images are not kept field by field; null for any other.</summary>
    public PassedStream? Passed { get; } = ItemDomain.IsCached(domain) ? null : new();

    /// <summary>True for a stream that ends with its image.</summary>
    public bool IsSnapshot { get; init; }

    /// <summary>True when the key of its images has a type of the name, because the first request had.</summary>
    public bool HasNameType { get; init; }

    /// <summary>True once there is an image, whatever its state.</summary>
    public bool HasImage { get; set; }

    /// <summary>True while its data are good.</summary>
    public bool IsOk { get; set; }

    /// <summary>True once nothing more will come for it: it goes when nobody watches it.</summary>
    public bool IsOver { get; set; }

    /// <summary>True once it has left its slot, for good: another provider may still send for it.</summary>
    public bool IsFreed { get; private set; }

    /// <summary>Quality of its images.</summary>
    public RwfQos Qos { get; set; } = service.Service.Offer.Qos;

    /// <summary>What waits of its updates, and until when; null where that never happened.</summary>
    public ItemThrottle? Throttle { get; private set; }

    /// <summary>Streams that get its image and nothing else; null for none.</summary>
    public Dictionary<(int SessionHost, StreamAddress Address), ItemForm>? Snapshots { get; set; }

    /// <summary>What ended it; while streams wait for that.</summary>
    public byte[] FinalMessage { get; set; } = [];

    /// <summary>Streams that watch it, in whatever form.</summary>
    public int Watchers { get; private set; }

    /// <summary>True while nobody publishes it, watches it or waits for its image.</summary>
    public bool IsUnwanted => Publishers == 0 && Watchers == 0 && Snapshots is null;

    /// <summary>Takes an image in place of the last values.</summary>
    /// <returns>False when the bytes cannot be decoded, or have no room.</returns>
    public bool Replace(ReadOnlySpan<byte> payload, FieldMerger merger) =>
        _book?.Replace(payload, merger.Limit) ?? (IsFreed || State.Fields.Replace(payload, merger));

    /// <summary>Merges an update into the last values.</summary>
    /// <inheritdoc cref="Replace"/>
    public bool Merge(ReadOnlySpan<byte> payload, FieldMerger merger) =>
        _book is null ? IsFreed || State.Fields.Merge(payload, merger) : _book.Merge(payload, merger.Limit);

    /// <summary>The last values, whole; valid until those of any item are merged or read again.</summary>
    public ReadOnlySpan<byte> Read(FieldMerger merger) => _book is null ? State.Fields.Read(merger) : _book.Read(merger);

    /// <summary>Leaves its slot.</summary>
    public void Free(FieldMerger merger)
    {
        State.Fields.Clear(merger);
        IsFreed = true;
    }

    /// <summary>What waits of its updates from now on.</summary>
    public ItemThrottle OpenThrottle()
    {
        State.HasThrottle = true;
        return Throttle ??= new();
    }

    /// <summary>Moves its fields, where their blocks are given up.</summary>
    public void Move(FieldStore store) => State.Fields.Move(store);

    public void AddWatcher(int sessionHost)
    {
        if (_watchers[sessionHost]++ == 0)
            State.SetWatched(sessionHost, isWatched: true);
        Watchers++;
        if (Of is not null)
            Of.Watchers++;
    }

    public void RemoveWatcher(int sessionHost)
    {
        if (--_watchers[sessionHost] == 0)
            State.SetWatched(sessionHost, isWatched: false);
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
