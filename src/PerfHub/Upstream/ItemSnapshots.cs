using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>The streams that receive the image of an item and nothing else, while they wait for it.</summary>
internal sealed class ItemSnapshots
{
    public Dictionary<(int ConsumerIndex, StreamAddress Address), ItemForm> Streams { get; } = [];

    /// <summary>The message that ended the item; empty while it has not ended.</summary>
    public byte[] FinalMessage { get; set; } = [];
}
