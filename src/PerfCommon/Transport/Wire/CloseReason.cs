namespace PerfCommon.Transport;

/// <summary>The reason why a channel ended: a normal event, never an exception.</summary>
/// <param name="Kind">Kind of the end.</param>
/// <param name="Text">A sentence for people; text of the peer in it has its control characters escaped.</param>
/// <param name="Cause">The exception that caused it, where there was one.</param>
public sealed record CloseReason(CloseKind Kind, string Text, Exception? Cause = null)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Kind}: {Text}";
}

/// <summary>Kind of the end of a channel.</summary>
public enum CloseKind : byte
{
    /// <summary>The owner closed it.</summary>
    Local,

    /// <summary>The peer ended its stream in order.</summary>
    PeerClosed,

    /// <summary>The connection broke: reset, unreachable, or another error of the system.</summary>
    Reset,

    /// <summary>No TCP connection was established: unknown name, refused, or no answer in time.</summary>
    ConnectFailed,

    /// <summary>The server answered with a nak; its text is in the reason.</summary>
    Refused,

    /// <summary>The handshake (RSSL, or a layer below it such as TLS) was aborted or malformed.</summary>
    HandshakeFailed,

    /// <summary>The handshake did not end within the time limit.</summary>
    HandshakeTimeout,

    /// <summary>Nothing was received from the peer within the negotiated ping timeout.</summary>
    PingTimeout,

    /// <summary>
    /// The handshake did not end within the owner's timeout: <see cref="ChannelOptions.ReceiveTimeoutMillis"/>.
    /// </summary>
    Timeout,

    /// <summary>The peer's bytes break the protocol.</summary>
    ProtocolError,

    /// <summary>The peer exceeded one of our limits (message size, open fragments).</summary>
    LimitExceeded,

    /// <summary><see cref="RsslChannel.Abort"/> was called.</summary>
    Aborted,

    /// <summary>The peer's certificate is not trusted; another attempt would fail the same way.</summary>
    NotTrusted,
}
