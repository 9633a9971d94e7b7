using PerfCommon.Codec;

namespace PerfCommon.Sessions;

/// <summary>What a provider knows of one item stream beside its name and id.</summary>
[Flags]
internal enum ItemTraits : byte
{
    None = 0, // a snapshot that was not asked again
    Streaming = 1, // updates follow the image
    PrivateStream = 2, // the request asked for one, so the image says that it is
    NameTypeGiven = 4, // the request's key carried a name type, so the image's key repeats it
    OrderBook = 32, // of market by order, else of market price
    SymbolList = 64, // the list of the service's items
    Asked = Streaming | PrivateStream | NameTypeGiven | OrderBook | SymbolList, // the part that comes from requests
    Key = PrivateStream | OrderBook | SymbolList, // the part of it that tells items of one name apart
    Solicited = 8, // the image that is due answers a request
    RefreshDue = 16, // an image is queued
}

/// <summary>The key of an item beside its name: domain, and whether the stream is private.</summary>
internal static class ItemKeys
{
    /// <summary>The key of a domain's items on common or private streams.</summary>
    public static ItemTraits Of(DomainType domain, bool isPrivate) =>
        (domain switch
        {
            DomainType.MarketByOrder => ItemTraits.OrderBook,
            DomainType.SymbolList => ItemTraits.SymbolList,
            _ => ItemTraits.None,
        }) | (isPrivate ? ItemTraits.PrivateStream : ItemTraits.None);

    /// <summary>The domain of an item.</summary>
    public static DomainType DomainOf(ItemTraits traits) => (traits & (ItemTraits.OrderBook | ItemTraits.SymbolList)) switch
    {
        ItemTraits.None => DomainType.MarketPrice,
        ItemTraits.OrderBook => DomainType.MarketByOrder,
        _ => DomainType.SymbolList,
    };
}
