using System.Diagnostics;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>A request for an item, with the members that a provider uses.</summary>
/// <remarks>Borrows the message: copy the name to keep it.</remarks>
/// <param name="msg">A message of class Request.</param>
[DebuggerDisplay("{Domain} stream {StreamId}, service {ServiceId}, name {NameText}")]
public readonly ref struct ItemRequest(scoped in RwfMsg msg)
{
    /// <summary>Domain of the item.</summary>
    public DomainType Domain { get; } = msg.DomainType;

    /// <summary>Stream of the answers.</summary>
    public int StreamId { get; } = msg.StreamId;

    /// <summary>Bits of <see cref="RequestFlags"/>.</summary>
    internal int Flags { get; } = msg.Flags;

    /// <summary>Bits of <see cref="MsgKeyFlags"/>.</summary>
    public int KeyFlags { get; } = msg.Key.Flags;

    /// <summary>Service of the item; 0 when the key has none.</summary>
    public ushort ServiceId { get; } = msg.Key.ServiceId;

    /// <summary>Name of the item; empty when the key has none.</summary>
    public ReadOnlySpan<byte> Name { get; } = msg.Key.Name;

    /// <summary>Type of the name; 0 when the key has none, which means the same as 1 here.</summary>
    public byte NameType { get; } = msg.Key.NameType; // wire/domains 5.1

    /// <summary>The only, or the best, requested quality; check <see cref="Flags"/> first.</summary>
    internal RwfQos Qos { get; } = msg.Qos;

    /// <summary>The worst requested quality; check <see cref="Flags"/> first.</summary>
    internal RwfQos WorstQos { get; } = msg.WorstQos;

    /// <summary>Type of the payload, which lists the fields of a view or the items of a batch.</summary>
    internal DataType ContainerType { get; } = msg.ContainerType;

    /// <summary>The payload; empty when there is none.</summary>
    internal ReadOnlySpan<byte> Payload { get; } = msg.Payload;

    /// <summary>True when updates are requested after the image.</summary>
    public bool IsStreaming => (Flags & RequestFlags.Streaming) != 0;

    /// <summary>True when a reissue requests no new image.</summary>
    public bool IsWithoutRefresh => (Flags & RequestFlags.NoRefresh) != 0;

    /// <summary>True for a private stream of this consumer.</summary>
    public bool IsPrivate => (Flags & RequestFlags.PrivateStream) != 0;

    /// <summary>True when the payload lists many items.</summary>
    public bool IsBatch => (Flags & RequestFlags.HasBatch) != 0;

    private string NameText => Encoding.UTF8.GetString(Name);

    /// <summary>True when an offered quality satisfies the request.</summary>
    /// <param name="offered">Quality of the provider's items.</param>
    /// <returns>True when no quality was requested, the only one requested is equal, or the offer is in the requested range.</returns>
    public bool Accepts(RwfQos offered) // wire/domains 12
    {
        if ((Flags & RequestFlags.HasQos) == 0)
            return true;
        if ((Flags & RequestFlags.HasWorstQos) == 0)
            return offered == Qos;

        // wire/domains 12
        return Qos.Timeliness <= offered.Timeliness && offered.Timeliness <= WorstQos.Timeliness
            && Qos.Rate <= offered.Rate && offered.Rate <= WorstQos.Rate;
    }
}

/// <summary>Reason for which a provider refuses a request for an item.</summary>
public enum ItemRejection : byte // wire/domains 12
{
    /// <summary>Not refused: send the image.</summary>
    None,

    /// <summary>The connection has reached its maximum of open items.</summary>
    OpenLimit,

    /// <summary>The key names no service, or another service.</summary>
    ServiceId,

    /// <summary>Our quality of service does not satisfy the request.</summary>
    Qos,

    /// <summary>Another stream of the connection has the same key.</summary>
    AlreadyOpen,

    /// <summary>The stream is open with another key.</summary>
    StreamInUse,

    /// <summary>The service has no items of that domain.</summary>
    Domain,

    /// <summary>There is no such item.</summary>
    NotFound,

    /// <summary>It is a batch that lists no items, or batches are not announced.</summary>
    Batch,
}
