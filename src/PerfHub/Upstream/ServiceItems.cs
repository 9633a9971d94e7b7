using PerfCommon.Domains;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>The items of one service at one source thread.</summary>
internal sealed class ServiceItems(HubService service, ItemSource source)
{
    /// <summary>The service as it was offered; its id does not change.</summary>
    public HubService Service => service;

    /// <summary>Where they come from; another takes them over where one stands by.</summary>
    public ItemSource Source { get; set; } = source;

    /// <summary>What its source says of it, with the id there.</summary>
    public ServiceInfo? AtSource { get; set; }

    /// <summary>Items that there are, shared or not.</summary>
    public int Count { get; set; }
}
