using PerfCommon.Transport;

namespace TransportPerf;

/// <summary>The protocol that the tool names in a plain or encrypted handshake.</summary>
internal static class ToolProtocol
{
    public static T Of<T>(T options)
        where T : ChannelOptions =>
        (T)(ChannelOptions)(options with { ProtocolType = RsslProtocol.TransportPerf, MajorVersion = 0, MinorVersion = 0 });
}
