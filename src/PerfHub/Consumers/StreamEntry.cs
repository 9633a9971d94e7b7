namespace PerfHub.Consumers;

/// <summary>The use of one stream of a consumer: an item, or a request that was not answered yet.</summary>
/// <param name="State">Nothing, Requested or Open.</param>
/// <param name="UpstreamIndex">Number of the source thread.</param>
/// <param name="NameBytes">Bytes of the item's name.</param>
/// <param name="View">Number of its view among those of the connection.</param>
/// <param name="Slot">Slot of the item there. While it is requested: the slot plus 1 of an item whose only answer is awaited.</param>
/// <param name="Place">Its place among the watchers of the item. While it is requested: number of the request.</param>
internal readonly record struct StreamEntry(StreamUse State, byte UpstreamIndex, byte NameBytes, byte View, int Slot, int Place);

/// <summary>The uses of a stream.</summary>
internal enum StreamUse : byte
{
    None,
    Requested,
    Open,
}
