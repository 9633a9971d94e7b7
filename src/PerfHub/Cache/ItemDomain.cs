using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>The domains of items that a hub passes on.</summary>
internal static class ItemDomain
{
    /// <summary>True for market price and market by order, whose images are kept field by field and sent to all who watch.</summary>
    public static bool IsCached(DomainType domain) => domain is DomainType.MarketPrice or DomainType.MarketByOrder;

    /// <summary>True for every domain but those of the administration: logins, services and dictionaries.</summary>
    // wire/domains 1
    public static bool IsItem(DomainType domain) => domain > DomainType.Dictionary;
}
