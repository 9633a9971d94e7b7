namespace PerfCommon.Transport;

/// <summary>Limits of the messages of a handshake.</summary>
internal static class HandshakeLayout
{
    /// <summary>Enough for any handshake message of either side.</summary>
    public const int BufferBytes = 1024;

    /// <summary>The minimum M that a server may grant.</summary>
    public const int MinMaxMessageBytes = 20; // wire/transport 1.6
}
