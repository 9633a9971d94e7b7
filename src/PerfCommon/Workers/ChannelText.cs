using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Says in one line what both sides of a channel agreed on.</summary>
internal static class ChannelText
{
    /// <summary>One line, fit to print.</summary>
    /// <param name="channel">A channel whose handshake is done.</param>
    public static string Describe(RsslChannel channel)
    {
        ArgumentNullException.ThrowIfNull(channel);
        ChannelInfo info = channel.Info;
        return $"Channel {info.RemoteAddress}: connection version {info.ConnectionVersion}, max fragment size {info.MaxFragmentBytes}, "
            + $"output buffers {channel.OutputBufferLimit}, ping timeout {info.PingTimeoutSeconds} s, "
            + $"compression {info.CompressionType}, peer \"{info.ComponentVersion}\"";
    }
}
