namespace PerfCommon.Transport;

/// <summary>Protocol types of the connect request; both sides must name the same.</summary>
public static class RsslProtocol
{
    /// <summary>Rssl Wire Format messages.</summary>
    public const byte Rwf = 0;

    /// <summary>JSON messages (WebSocket only).</summary>
    public const byte Json = 2;

    /// <summary>The bytes of TransportPerf.</summary>
    public const byte TransportPerf = 88;
}
