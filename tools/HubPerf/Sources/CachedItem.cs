using System.Runtime.CompilerServices;
using HubPerf.Cache;
using HubPerf.Rings;
using PerfCommon.Codec;
using PerfCommon.Workers;

namespace HubPerf.Sources;

/// <summary>
/// An item as its source thread knows it: its image, its stream at the source, and how many streams watch it at each session thread.
/// </summary>
internal sealed class CachedItem(int slot, ServiceItems service, byte[] name)
{
    /// <summary>Bytes of its object and its places in tables, about; beside its name and its fields.</summary>
    public const int OverheadBytes = 320;

    private HostCounts _watchers;

    /// <summary>The last values, merged; owned by the source thread.</summary>
    public CachedImage Fields;

    public int Slot => slot;

    public ServiceItems Service => service;

    public byte[] Name => name;

    /// <summary>Its stream at the source; 0 while it has none.</summary>
    public int StreamId { get; set; }

    /// <summary>Non-interactive providers that publish it.</summary>
    public int Publishers { get; set; }

    /// <summary>True when it is found by its name: one for all who ask.</summary>
    public bool IsShared { get; init; }

    public bool IsPrivate { get; init; }

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

    /// <summary>Quality of its images.</summary>
    public RwfQos Qos { get; set; } = service.Service.Offer.Qos;

    /// <summary>What waits of its updates, and until when; null where that never happened.</summary>
    public ItemThrottle? Throttle { get; set; }

    /// <summary>Streams that get its image and nothing else.</summary>
    public List<(int SessionHost, StreamAddress Address)>? Snapshots { get; set; }

    /// <summary>What ended it; while streams wait for that.</summary>
    public byte[] FinalMessage { get; set; } = [];

    /// <summary>Streams that watch it.</summary>
    public int Watchers { get; private set; }

    public bool IsWatchedAt(int sessionHost) => _watchers[sessionHost] > 0;

    public void AddWatcher(int sessionHost)
    {
        _watchers[sessionHost]++;
        Watchers++;
    }

    public void RemoveWatcher(int sessionHost)
    {
        _watchers[sessionHost]--;
        Watchers--;
    }

    // In the item itself: looked at with every update.
    [InlineArray(ThreadPlan.MaxThreads)]
    private struct HostCounts
    {
        private int _count;
    }
}
