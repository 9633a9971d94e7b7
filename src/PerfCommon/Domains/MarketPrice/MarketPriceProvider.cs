using System.Globalization;
using System.Text.Unicode;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Checks a provider's item requests and encodes refusals.</summary>
/// <param name="service">The service whose items are offered.</param>
/// <remarks>Stateless, and allocates nothing; the owner knows which items are open.</remarks>
internal sealed class MarketPriceProvider(ServiceOffer service)
{
    private const int MaxTextBytes = 128;

    /// <summary>Checks a request in the order that all RSSL providers use.</summary>
    /// <param name="request">The request.</param>
    /// <param name="openItems">Items the connection has open.</param>
    /// <param name="use">Current use of the stream and of the key.</param>
    /// <returns>None when the item is to be opened, or its image sent again.</returns>
    public ItemRejection Check(scoped in ItemRequest request, int openItems, ItemStreamUse use) // wire/domains 12
    {
        if (!service.Serves(request.Domain))
            return ItemRejection.Domain;
        if (request.IsBatch) // wire/domains 5.6
            return ItemRejection.Batch;
        if (use != ItemStreamUse.Reissue && service.OpenLimit != 0 && (ulong)openItems >= service.OpenLimit) // wire/domains 5.7
            return ItemRejection.OpenLimit;
        if ((request.KeyFlags & MsgKeyFlags.HasServiceId) == 0 || request.ServiceId != service.Id)
            return ItemRejection.ServiceId;
        if (!request.Accepts(service.Qos))
            return ItemRejection.Qos;
        if (request.Domain == DomainType.SymbolList && !service.IsSymbolList(request.Name)) // wire/domains 5.10
            return ItemRejection.NotFound;
        return use switch
        {
            ItemStreamUse.KeyOpenElsewhere => ItemRejection.AlreadyOpen,
            ItemStreamUse.OtherKeyOnStream => ItemRejection.StreamInUse,
            _ => ItemRejection.None,
        };
    }

    /// <summary>Encodes the status that refuses a request for the reason from <see cref="Check"/>; 0 when the buffer is too small.</summary>
    /// <remarks>On a private stream it has the private flag.</remarks>
    public static int EncodeRejection(Span<byte> room, DomainType domain, int streamId, ItemRejection why, bool isPrivate = false)
    {
        // wire/domains 12
        (StreamState stream, StateCode code, string cause) = why switch
        {
            ItemRejection.OpenLimit => (StreamState.ClosedRecover, StateCode.TooManyItems, "item count reached for this channel"),
            ItemRejection.AlreadyOpen =>
                (StreamState.ClosedRecover, StateCode.AlreadyOpen, "item already open with exact same key on another stream"),
            ItemRejection.StreamInUse => (StreamState.ClosedRecover, StateCode.UsageError, "stream already in use with a different key"),
            ItemRejection.ServiceId => (StreamState.Closed, StateCode.UsageError, "service id invalid"),
            ItemRejection.Qos => (StreamState.Closed, StateCode.UsageError, "QoS not supported"),
            ItemRejection.NotFound => (StreamState.Closed, StateCode.NotFound, "there is no such item"),
            ItemRejection.Domain => (StreamState.Closed, StateCode.UsageError, "this provider does not support domain "),
            _ => (StreamState.Closed, StateCode.UnableToRequestAsBatch, "batch requests are not supported"),
        };
        CultureInfo culture = CultureInfo.InvariantCulture;
        Span<byte> text = stackalloc byte[MaxTextBytes];
        Utf8.TryWrite(text, culture, $"Item request rejected for stream id {streamId} - {cause}", out int length);
        int numberLength = 0;
        if (why == ItemRejection.Domain)
            Utf8.TryWrite(text[length..], culture, $"{(byte)domain}", out numberLength);
        RwfState state = new(stream, DataState.Suspect, code, text[..(length + numberLength)]);
        return DomainMsg.EncodeStatus(room, domain, streamId, state, isPrivate);
    }
}

/// <summary>Current use of the stream and the key of a request in a provider's tables.</summary>
internal enum ItemStreamUse : byte
{
    New, // neither the stream nor the key is open
    Reissue, // the stream is open with the same key
    KeyOpenElsewhere, // the key is open on another stream
    OtherKeyOnStream, // the stream is open with another key
}
