namespace PerfCommon.Transport;

/// <summary>Why a channel ended: one normal event among others, never an exception.</summary>
/// <param name="Kind">What ended it.</param>
/// <param name="Text">A sentence for people; text of the peer in it has its control characters escaped.</param>
/// <param name="Cause">The exception that caused it, where there was one.</param>
public sealed record CloseReason(CloseKind Kind, string Text, Exception? Cause = null)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Kind}: {Text}";
}

/// <summary>What ended a channel.</summary>
public enum CloseKind : byte
{
    /// <summary>The owner closed it.</summary>
    Local,

    /// <summary>The peer ended its stream in good order.</summary>
    PeerClosed,

    /// <summary>The connection broke: reset, unreachable, or another error of the system.</summary>
    Reset,

    /// <summary>No TCP connection came about: unknown name, refused, or no answer in time.</summary>
    ConnectFailed,

    /// <summary>The server answered with a nak; its text is in the reason.</summary>
    Refused,

    /// <summary>The handshake (RSSL, or a layer below it such as TLS) broke off or was malformed.</summary>
    HandshakeFailed,

    /// <summary>The handshake did not end in the time allowed.</summary>
    HandshakeTimeout,

    /// <summary>Nothing was heard from the peer within the agreed ping time-out.</summary>
    PingTimeout,

    /// <summary>
    /// The handshake did not end within a time-out of the owner's own: <see cref="ChannelOptions.ReceiveTimeoutMillis"/>.
    /// </summary>
    Timeout,

    /// <summary>The peer's bytes break the protocol.</summary>
    ProtocolError,

    /// <summary>The peer went beyond a limit of ours (message size, open fragments).</summary>
    LimitExceeded,

    /// <summary><see cref="RsslChannel.Abort"/> was called.</summary>
    Aborted,

    /// <summary>We do not trust the peer's certificate; another attempt would fail the same way.</summary>
    NotTrusted,
}
