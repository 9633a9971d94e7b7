using PerfCommon.Codec;

namespace PerfCommon.Sessions;

/// <summary>Properties of one item stream at a provider, except its name and id.</summary>
[Flags]
internal enum ItemTraits : byte
{
    None = 0, // a snapshot that was not requested again
    Streaming = 1, // updates follow the image
    PrivateStream = 2, // the request had this flag, so the image repeats it
    NameTypeGiven = 4, // the request's key carried a name type, so the image's key repeats it
    OrderBook = 32, // of market by order, else of market price
    SymbolList = 64, // the list of the service's items
    Asked = Streaming | PrivateStream | NameTypeGiven | OrderBook | SymbolList, // the part that is set by requests
    Key = PrivateStream | OrderBook | SymbolList, // the part that belongs to the item's key
    Solicited = 8, // the image that is due answers a request
    RefreshDue = 16, // an image is queued
}

/// <summary>Computes the key of an item besides its name: domain, and whether the stream is private.</summary>
internal static class ItemKeys
{
    /// <summary>Returns the key of a domain's items on common or private streams.</summary>
    public static ItemTraits Of(DomainType domain, bool isPrivate) =>
        (domain switch
        {
            DomainType.MarketByOrder => ItemTraits.OrderBook,
            DomainType.SymbolList => ItemTraits.SymbolList,
            _ => ItemTraits.None,
        }) | (isPrivate ? ItemTraits.PrivateStream : ItemTraits.None);

    /// <summary>Returns the domain of an item.</summary>
    public static DomainType DomainOf(ItemTraits traits) => (traits & (ItemTraits.OrderBook | ItemTraits.SymbolList)) switch
    {
        ItemTraits.None => DomainType.MarketPrice,
        ItemTraits.OrderBook => DomainType.MarketByOrder,
        _ => DomainType.SymbolList,
    };
}
