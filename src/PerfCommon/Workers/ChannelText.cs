using System.Net;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

internal static class ChannelText
{
    /// <summary>Formats the peer's address in its usual form; empty for a connection over memory.</summary>
    public static string DescribePeer(RsslChannel channel) => channel.Info.RemoteAddress switch
    {
        IPEndPoint { Address.IsIPv4MappedToIPv6: true } mapped => new IPEndPoint(mapped.Address.MapToIPv4(), mapped.Port).ToString(),
        { } address => address.ToString() ?? "",
        _ => "",
    };

    /// <summary>Formats the negotiated settings of a channel as one printable line; after its handshake.</summary>
    public static string Describe(RsslChannel channel)
    {
        ChannelInfo info = channel.Info;
        return $"Channel {info.RemoteAddress}: connection version {info.ConnectionVersion}, max fragment size {info.MaxFragmentBytes}, "
            + $"output buffers {channel.OutputBufferLimit}, ping timeout {info.PingTimeoutSeconds} s, "
            + $"compression {info.CompressionType}, peer \"{info.ComponentVersion}\"";
    }
}
