using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Load;

/// <summary>A generic message on an item's stream, with the shortest header.</summary>
internal readonly struct GenericMessage : IStampedMessage
{
    private static readonly byte[] Header = CreateHeader(DomainType.MarketPrice);
    private static readonly byte[] OrderBookHeader = CreateHeader(DomainType.MarketByOrder);

    public static int HeaderBytes => MarketPriceHeaders.GenericHeaderBytes;

    public static string Name => "a generic message";

    public static short StampField => StampFields.Generic;

    public static int TakeTurn(ref RotatingItem item, int count) => item.TakeGeneric(count);

    public void WriteHeader(Span<byte> room, int streamId, bool isOrderBook)
    {
        (isOrderBook ? OrderBookHeader : Header).CopyTo(room);
        MsgPatch.SetStreamId(room, streamId);
    }

    private static byte[] CreateHeader(DomainType domain)
    {
        byte[] header = new byte[MarketPriceHeaders.GenericHeaderBytes];
        RwfWriter writer = new(header);
        MarketPriceHeaders.TryWriteGenericHeader(ref writer, streamId: 0, domain);
        return header;
    }
}
