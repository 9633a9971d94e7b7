using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>The statuses that answer requests of consumers in place of an image.</summary>
/// <remarks>One owner thread; a result is valid until the next call.</remarks>
/// <param name="broadcaster">Sends them.</param>
internal sealed class StatusReplies(Broadcaster broadcaster)
{
    /// <summary>Maximum bytes of a status.</summary>
    public const int MaxBytes = 512;

    private readonly byte[] _room = new byte[MaxBytes];

    /// <summary>Encodes the refusal of another item on an open stream.</summary>
    public ReadOnlySpan<byte> EncodeInUse(DomainType domain, StreamAddress address, bool isPrivate) => _room.AsSpan(0,
        MarketPriceProvider.EncodeRejection(_room, domain, address.StreamId, ItemRejection.StreamInUse, isPrivate));

    /// <summary>Encodes the answer for an item that no provider has published so far.</summary>
    public ReadOnlySpan<byte> EncodeUnpublished(DomainType domain, StreamAddress address, bool isPrivate)
    {
        RwfState state = new(StreamState.Open, DataState.Suspect, StateCode.None, "the item is not published yet"u8); // wire/domains 11
        return _room.AsSpan(0, DomainMsg.EncodeStatus(_room, domain, address.StreamId, state, isPrivate));
    }

    /// <summary>Refuses a request.</summary>
    public void Refuse(int session, RequestedItem asked, StateCode code, ReadOnlySpan<byte> text) =>
        Refuse(session, asked.Domain, asked.Address, asked.Has(ItemRequestMarks.Private), code, text);

    /// <inheritdoc cref="Refuse(int, RequestedItem, StateCode, ReadOnlySpan{byte})"/>
    public void Refuse(int session, DomainType domain, StreamAddress address, bool isPrivate, StateCode code, ReadOnlySpan<byte> text)
    {
        Span<byte> room = stackalloc byte[MaxBytes];
        RwfState state = new(StreamState.Closed, DataState.Suspect, code, text);
        broadcaster.Send(session, SourceRecord.Answer, 0, address, room[..DomainMsg.EncodeStatus(room, domain, address.StreamId, state, isPrivate)]);
    }
}
