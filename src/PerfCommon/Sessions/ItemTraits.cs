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
    Asked = Streaming | PrivateStream | NameTypeGiven | OrderBook, // the part that comes from requests
    Solicited = 8, // the image that is due answers a request
    RefreshDue = 16, // an image is queued
}
