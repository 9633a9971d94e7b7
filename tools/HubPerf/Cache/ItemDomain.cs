using PerfCommon.Codec;

namespace HubPerf.Cache;

/// <summary>The domains of items that a hub passes on.</summary>
internal static class ItemDomain
{
    /// <summary>True for market price and market by order.</summary>
    public static bool IsKnown(DomainType domain) => domain is DomainType.MarketPrice or DomainType.MarketByOrder;
}
