using System.Globalization;
using System.Text.Unicode;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The rules of a provider for requests of items.</summary>
/// <param name="service">The service whose items are offered.</param>
/// <remarks>Has no state of its own and allocates nothing; which items are open is the owner's business.</remarks>
internal sealed class MarketPriceProvider(ServiceOffer service)
{
    private const int MostTextBytes = 128;

    /// <summary>Checks a request in the order all providers of this family keep.</summary>
    /// <param name="request">The request.</param>
    /// <param name="openItems">Items the connection has open.</param>
    /// <param name="use">What the stream and the key are used for now.</param>
    /// <returns>None when the item is to be opened, or its image sent again.</returns>
    public ItemRejection Check(scoped in ItemRequest request, int openItems, ItemStreamUse use)
    {
        if (request.Domain != DomainType.MarketPrice)
            return ItemRejection.Domain;
        if (request.IsBatch)
            return ItemRejection.Batch;
        if (use != ItemStreamUse.Reissue && service.OpenLimit != 0 && (ulong)openItems >= service.OpenLimit)
            return ItemRejection.OpenLimit;
        if ((request.KeyFlags & MsgKeyFlags.HasServiceId) == 0 || request.ServiceId != service.Id)
            return ItemRejection.ServiceId;
        if (!request.Accepts(service.Qos))
            return ItemRejection.Qos;
        return use switch
        {
            ItemStreamUse.KeyOpenElsewhere => ItemRejection.AlreadyOpen,
            ItemStreamUse.OtherKeyOnStream => ItemRejection.StreamInUse,
            _ => ItemRejection.None,
        };
    }

    /// <summary>Encodes the status that refuses a request, for what <see cref="Check"/> found; 0 when the room is too small.</summary>
    public static int EncodeRejection(Span<byte> room, DomainType domain, int streamId, ItemRejection why)
    {
        (StreamState stream, StateCode code) = why switch
        {
            ItemRejection.OpenLimit => (StreamState.ClosedRecover, StateCode.TooManyItems),
            ItemRejection.AlreadyOpen => (StreamState.ClosedRecover, StateCode.AlreadyOpen),
            ItemRejection.StreamInUse => (StreamState.ClosedRecover, StateCode.UsageError),
            ItemRejection.Batch => (StreamState.Closed, StateCode.UnableToRequestAsBatch),
            _ => (StreamState.Closed, StateCode.UsageError),
        };
        Span<byte> text = stackalloc byte[MostTextBytes];
        int length = WriteText(text, domain, streamId, why);
        return DomainMsg.EncodeStatus(room, domain, streamId, new RwfState(stream, DataState.Suspect, code, text[..length]));
    }

    // The form of the C edition; the text after the dash tells the cause.
    private static int WriteText(Span<byte> text, DomainType domain, int streamId, ItemRejection why)
    {
        CultureInfo culture = CultureInfo.InvariantCulture;
        Utf8.TryWrite(text, culture, $"Item request rejected for stream id {streamId} - ", out int start);
        Span<byte> rest = text[start..];
        if (why == ItemRejection.Domain)
        {
            Utf8.TryWrite(rest, culture, $"this provider does not support domain {(byte)domain}", out int written);
            return start + written;
        }

        ReadOnlySpan<byte> cause = why switch
        {
            ItemRejection.OpenLimit => "item count reached for this channel"u8,
            ItemRejection.ServiceId => "service id invalid"u8,
            ItemRejection.Qos => "QoS not supported"u8,
            ItemRejection.AlreadyOpen => "item already open with exact same key on another stream"u8,
            ItemRejection.StreamInUse => "stream already in use with a different key"u8,
            _ => "batch requests are not supported"u8,
        };
        cause.CopyTo(rest);
        return start + cause.Length;
    }
}

/// <summary>What a provider's tables say of the stream and the key of a request.</summary>
internal enum ItemStreamUse : byte
{
    New, // neither the stream nor the key is open
    Reissue, // the stream is open with this very key
    KeyOpenElsewhere, // the key is open on another stream
    OtherKeyOnStream, // the stream is open with another key
}
