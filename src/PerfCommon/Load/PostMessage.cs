using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>
/// Encodes the posts of one user on items' streams: an update in a post, both with the user, its payload like that of any other update.
/// </summary>
/// <param name="user">The posting user.</param>
internal sealed class PostMessage(PostUser user)
{
    private readonly byte[] _headers = CreateHeaders(user, DomainType.MarketPrice);
    private readonly byte[] _orderBookHeaders = CreateHeaders(user, DomainType.MarketByOrder);

    /// <summary>Returns the maximum bytes of a post with these fields.</summary>
    public static int MaxBytes(FieldListTemplate fields) =>
        Math.Max(fields.EstimatedBytes, MarketPriceHeaders.PostHeaderBytes + fields.EncodedBytes + FieldListEncoder.Slack);

    /// <summary>Encodes a post into a buffer of at least <see cref="MaxBytes(FieldListTemplate)"/>, with a stamp unless it is 0.</summary>
    /// <returns>Its length.</returns>
    public int Encode(Span<byte> room, int streamId, FieldListTemplate fields, ulong stamp)
    {
        byte[] headers = _headers;
        headers.CopyTo(room);
        MsgPatch.SetStreamId(room, streamId); // of the post; the update in it has none
        int listBytes = fields.EncodeList(room[headers.Length..], StampFields.Post, stamp);
        return listBytes > 0
            ? headers.Length + listBytes
            : throw new InvalidOperationException("a post does not fit the room measured for it");
    }

    /// <summary>Returns the maximum bytes of a post with this map.</summary>
    public static int MaxBytes(FieldMapTemplate map) => Math.Max(map.EstimatedBytes, MarketPriceHeaders.PostHeaderBytes + map.MaxBytes);

    /// <inheritdoc cref="Encode(Span{byte}, int, FieldListTemplate, ulong)"/>
    public int Encode(Span<byte> room, int streamId, FieldMapTemplate map, ulong stamp)
    {
        _orderBookHeaders.CopyTo(room);
        MsgPatch.SetStreamId(room, streamId);
        return _orderBookHeaders.Length + map.Encode(room[_orderBookHeaders.Length..], StampFields.Post, stamp);
    }

    private static byte[] CreateHeaders(PostUser user, DomainType domain)
    {
        byte[] headers = new byte[MarketPriceHeaders.PostHeaderBytes];
        RwfWriter writer = new(headers);
        MarketPriceHeaders.TryWritePostHeaders(ref writer, streamId: 0, user.Address, user.Id, domain);
        return headers;
    }
}
