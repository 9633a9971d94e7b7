using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>As what a server counts a connection that it has closed; null where the peer did, or whoever closed it counts.</summary>
internal static class CloseCounts
{
    /// <summary>Of one whose handshake was done.</summary>
    public static Counter? OfOpen(CloseKind kind) => kind switch
    {
        CloseKind.PingTimeout => Counter.ConnectionsSilent,
        CloseKind.ProtocolError or CloseKind.LimitExceeded => Counter.ConnectionsBad,
        _ => null,
    };

    /// <summary>Of one whose handshake was not.</summary>
    public static Counter? OfOpening(CloseKind kind) => kind switch
    {
        CloseKind.HandshakeTimeout or CloseKind.Timeout => Counter.HandshakesTimedOut,
        CloseKind.HandshakeFailed or CloseKind.ProtocolError or CloseKind.LimitExceeded => Counter.HandshakesFailed,
        CloseKind.Aborted => Counter.HandshakesCut,
        _ => null,
    };
}
