using PerfCommon.Domains;

namespace PerfCommon.Load;

/// <summary>A kind of message that a load sends: its header, then a field list with a stamp as its last field, or a map whose summary is the stamp.</summary>
/// <remarks>The kinds are structs, so that the encoder of each is compiled for it. <see cref="StampedMessage"/> encodes them.</remarks>
internal interface IStampedMessage
{
    /// <summary>Bytes of the header, the same for both payloads.</summary>
    static abstract int HeaderBytes { get; }

    /// <summary>The name of the kind with its article, in sentences.</summary>
    static abstract string Name { get; }

    /// <summary>Field of the stamp; see <see cref="StampFields"/>.</summary>
    static abstract short StampField { get; }

    /// <summary>Returns the index of an item's next message of this kind, and advances it.</summary>
    /// <param name="item">The item.</param>
    /// <param name="count">Number of messages that take turns.</param>
    static abstract int TakeTurn(ref RotatingItem item, int count);

    /// <summary>Writes the header, of <see cref="HeaderBytes"/>, on an item's stream.</summary>
    /// <param name="room">Where it is written.</param>
    /// <param name="streamId">The stream.</param>
    /// <param name="isOrderBook">True for an item of market by order, with a map; else market price, with a field list.</param>
    void WriteHeader(Span<byte> room, int streamId, bool isOrderBook);
}
