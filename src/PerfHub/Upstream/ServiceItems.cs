using PerfCommon.Domains;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>The items of one service in one source thread.</summary>
internal sealed class ServiceItems(HubService service, ItemSource source)
{
    /// <summary>The service as it was offered; its id does not change.</summary>
    public HubService Service => service;

    /// <summary>The source of the items; a standby source may replace it.</summary>
    public ItemSource Source { get; set; } = source;

    /// <summary>The service's entry in the source's directory, with the id there.</summary>
    public ServiceInfo? AtSource { get; set; }

    /// <summary>Number of items, shared or not.</summary>
    public int Count { get; set; }
}
