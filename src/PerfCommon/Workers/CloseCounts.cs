using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Selects the counter for a connection that the server has closed; null where the peer closed it, or the closing code counts it.</summary>
internal static class CloseCounts
{
    /// <summary>Returns the counter for a connection whose handshake was complete.</summary>
    public static Counter? OfOpen(CloseKind kind) => kind switch
    {
        CloseKind.PingTimeout => Counter.ConnectionsSilent,
        CloseKind.ProtocolError or CloseKind.LimitExceeded => Counter.ConnectionsBad,
        _ => null,
    };

    /// <summary>Returns the counter for a connection whose handshake was not complete.</summary>
    public static Counter? OfOpening(CloseKind kind) => kind switch
    {
        CloseKind.HandshakeTimeout or CloseKind.Timeout => Counter.HandshakesTimedOut,
        CloseKind.HandshakeFailed or CloseKind.ProtocolError or CloseKind.LimitExceeded => Counter.HandshakesFailed,
        CloseKind.Aborted => Counter.HandshakesCut,
        _ => null,
    };
}
