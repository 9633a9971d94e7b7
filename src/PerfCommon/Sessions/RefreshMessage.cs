using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Sessions;

/// <summary>The frame around an item's refresh.</summary>
internal static class RefreshMessage
{
    // header members at their largest: key with service id and name type, state, group, QoS
    private const int MaxHeaderBytes = 64;
    private const byte RicNameType = 1;

    /// <summary>Most bytes of a refresh.</summary>
    public static int MaxBytes(int payloadBytes, int nameBytes) => MaxHeaderBytes + nameBytes + payloadBytes;

    /// <summary>Writes the header as the request asked for it.</summary>
    public static void WriteHeader(ref RwfWriter writer, MarketPriceProvider provider, int streamId, ReadOnlySpan<byte> name, ItemTraits traits)
    {
        byte? nameType = (traits & ItemTraits.NameTypeGiven) != 0 ? RicNameType : null;
        bool streams = (traits & ItemTraits.Streaming) != 0;
        bool solicited = (traits & ItemTraits.Solicited) != 0;
        provider.TryWriteRefreshHeader(ref writer, streamId, name, nameType, streams, solicited);
    }
}
