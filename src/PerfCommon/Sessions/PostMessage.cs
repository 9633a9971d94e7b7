using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>The posts of one user on items' streams: an update in a post, both with the user, a field list, a stamp as its last field.</summary>
/// <param name="user">Who posts.</param>
internal sealed class PostMessage(PostUser user)
{
    private readonly byte[] _headers = CreateHeaders(user);

    /// <summary>Most bytes of a post with these fields.</summary>
    public static int MaxBytes(FieldListTemplate fields) =>
        Math.Max(fields.EstimatedBytes, MarketPriceHeaders.PostHeaderBytes + fields.EncodedBytes + FieldListEncoder.Slack);

    /// <summary>Encodes a post into room of at least <see cref="MaxBytes"/>, with a stamp unless it is 0.</summary>
    /// <returns>Its bytes.</returns>
    public int Encode(Span<byte> room, int streamId, FieldListTemplate fields, ulong stamp)
    {
        byte[] headers = _headers;
        headers.CopyTo(room);
        MsgPatch.SetStreamId(room, streamId); // that of the post; the update in it has none of its own
        int listBytes = fields.EncodeList(room[headers.Length..], StampFields.Post, stamp);
        return listBytes > 0
            ? headers.Length + listBytes
            : throw new InvalidOperationException("a post does not fit the room measured for it");
    }

    private static byte[] CreateHeaders(PostUser user)
    {
        byte[] headers = new byte[MarketPriceHeaders.PostHeaderBytes];
        RwfWriter writer = new(headers);
        MarketPriceHeaders.TryWritePostHeaders(ref writer, streamId: 0, user.Address, user.Id);
        return headers;
    }
}
