using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>Classifies the domains of items that a hub distributes.</summary>
internal static class HubDomain
{
    /// <summary>True for market price and market by order, whose images are cached field by field and sent to all watchers.</summary>
    public static bool IsCached(DomainType domain) => domain is DomainType.MarketPrice or DomainType.MarketByOrder;

    /// <summary>True for every domain but the administrative ones: logins, services and dictionaries.</summary>
    // wire/domains 1
    public static bool IsItem(DomainType domain) => domain > DomainType.Dictionary;
}
