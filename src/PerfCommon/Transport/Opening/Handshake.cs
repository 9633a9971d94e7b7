namespace PerfCommon.Transport;

/// <summary>
/// Runs the RSSL handshake of one side as a state machine: bytes are passed in, each step returns at most one message; it does no I/O.
/// </summary>
internal abstract class Handshake
{
    /// <summary>The negotiated settings; null until Done. Addresses are not filled in.</summary>
    public ChannelInfo? Info { get; protected set; }

    /// <summary>The reason why it failed; null until Failed.</summary>
    public CloseReason? Failure { get; private set; }

    /// <summary>True once the peer has sent any answer or request: a client then falls back to no lower version.</summary>
    public bool HasReceived { get; protected set; }

    /// <summary>Writes the message that begins the handshake into a buffer of <see cref="HandshakeLayout.BufferBytes"/>.</summary>
    /// <returns>Its length; 0 when the peer begins.</returns>
    public virtual int Begin(Span<byte> message) => 0;

    /// <summary>Handles the bytes received so far.</summary>
    /// <param name="received">All bytes that were not consumed yet.</param>
    /// <param name="consumed">Bytes that the handshake used; later ones belong to frames.</param>
    /// <param name="reply">Buffer of <see cref="HandshakeLayout.BufferBytes"/>.</param>
    /// <param name="replyBytes">Bytes to send, in one write.</param>
    public abstract HandshakeStep Feed(ReadOnlySpan<byte> received, out int consumed, Span<byte> reply, out int replyBytes);

    protected HandshakeStep Fail(string text, CloseKind kind = CloseKind.HandshakeFailed)
    {
        Failure = new CloseReason(kind, text);
        return HandshakeStep.Failed;
    }
}

/// <summary>The next action for a handshake.</summary>
internal enum HandshakeStep : byte
{
    /// <summary>Receive more bytes from the peer; also after a reply of ours.</summary>
    NeedMore,

    /// <summary>None: the channel is active once the reply, if any, is sent.</summary>
    Done,

    /// <summary>
    /// Like Done, but the peer may discard bytes that arrive directly after our reply: wait for its first bytes, or 50 ms, before writing.
    /// </summary>
    DoneAfterPause,

    /// <summary>End the channel: <see cref="Handshake.Failure"/> is the reason. A reply (a nak) is sent first.</summary>
    Failed,

    /// <summary>The first bytes are an HTTP request: insert the WebSocket layer and restart.</summary>
    WebSocket,
}
