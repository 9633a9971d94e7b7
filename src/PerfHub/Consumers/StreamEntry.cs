namespace PerfHub.Consumers;

/// <summary>What a consumer has open on one stream: an item, or a request that was not answered yet.</summary>
/// <param name="State">Nothing, Requested or Open.</param>
/// <param name="SourceHost">Number of the source thread.</param>
/// <param name="NameBytes">Bytes of the item's name.</param>
/// <param name="View">Number of its view among those of the connection.</param>
/// <param name="Slot">Slot of the item there; while it is requested, that of one whose only answer is waited for, and 1.</param>
/// <param name="Place">Its place among the watchers of the item; while it is requested, number of the request.</param>
internal readonly record struct StreamEntry(StreamUse State, byte SourceHost, byte NameBytes, byte View, int Slot, int Place);

/// <summary>What a stream is used for.</summary>
internal enum StreamUse : byte
{
    None,
    Requested,
    Open,
}
