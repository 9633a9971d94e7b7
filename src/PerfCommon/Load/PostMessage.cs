using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Load;

/// <summary>A post of one user on an item's stream: an update in a post, both with the user, its payload like that of any other update.</summary>
/// <param name="user">The posting user.</param>
internal readonly struct PostMessage(PostUser user) : IStampedMessage
{
    private readonly byte[] _headers = CreateHeaders(user, DomainType.MarketPrice);
    private readonly byte[] _orderBookHeaders = CreateHeaders(user, DomainType.MarketByOrder);

    public static int HeaderBytes => MarketPriceHeaders.PostHeaderBytes;

    public static string Name => "a post";

    public static short StampField => StampFields.Post;

    public static int TakeTurn(ref RotatingItem item, int count) => item.TakeUpdate(count);

    public void WriteHeader(Span<byte> room, int streamId, bool isOrderBook)
    {
        (isOrderBook ? _orderBookHeaders : _headers).CopyTo(room);
        MsgPatch.SetStreamId(room, streamId); // of the post; the update in it has none
    }

    private static byte[] CreateHeaders(PostUser user, DomainType domain)
    {
        byte[] headers = new byte[MarketPriceHeaders.PostHeaderBytes];
        RwfWriter writer = new(headers);
        MarketPriceHeaders.TryWritePostHeaders(ref writer, streamId: 0, user.Address, user.Id, domain);
        return headers;
    }
}
