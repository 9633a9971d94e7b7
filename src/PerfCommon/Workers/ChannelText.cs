using PerfCommon.Transport;

namespace PerfCommon.Workers;

internal static class ChannelText
{
    /// <summary>What both sides of a channel agreed on, in one line fit to print; after its handshake.</summary>
    public static string Describe(RsslChannel channel)
    {
        ChannelInfo info = channel.Info;
        return $"Channel {info.RemoteAddress}: connection version {info.ConnectionVersion}, max fragment size {info.MaxFragmentBytes}, "
            + $"output buffers {channel.OutputBufferLimit}, ping timeout {info.PingTimeoutSeconds} s, "
            + $"compression {info.CompressionType}, peer \"{info.ComponentVersion}\"";
    }
}
