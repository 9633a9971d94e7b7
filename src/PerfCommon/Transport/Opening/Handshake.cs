namespace PerfCommon.Transport;

/// <summary>
/// The RSSL handshake of one side as a state machine: bytes in, at most one message out per step, no input or output of its own.
/// </summary>
internal abstract class Handshake
{
    /// <summary>Enough for any handshake message of either side.</summary>
    public const int BufferBytes = 1024;

    /// <summary>The least M that a server may name.</summary>
    protected const int LeastMaxMessage = 20; // wire/transport 1.6

    /// <summary>What was agreed on; null until Done. Addresses are not filled in.</summary>
    public ChannelInfo? Info { get; protected set; }

    /// <summary>Null until Failed.</summary>
    public CloseReason? Failure { get; private set; }

    /// <summary>True once the peer has answered or asked anything: a client then falls back to no lower version.</summary>
    public bool HasHeard { get; protected set; }

    /// <summary>Writes the message that begins the handshake into room of <see cref="BufferBytes"/>.</summary>
    /// <returns>Its bytes; 0 when the peer begins.</returns>
    public virtual int Begin(Span<byte> message) => 0;

    /// <summary>Takes what has arrived so far.</summary>
    /// <param name="received">All bytes that were not consumed yet.</param>
    /// <param name="consumed">Bytes that the handshake used; those behind them belong to the frames.</param>
    /// <param name="reply">Room of <see cref="BufferBytes"/>.</param>
    /// <param name="replyBytes">Bytes to send, in one write.</param>
    public abstract HandshakeStep Feed(ReadOnlySpan<byte> received, out int consumed, Span<byte> reply, out int replyBytes);

    protected HandshakeStep Fail(string text, CloseKind kind = CloseKind.HandshakeFailed)
    {
        Failure = new CloseReason(kind, text);
        return HandshakeStep.Failed;
    }
}

/// <summary>What a handshake wants next.</summary>
internal enum HandshakeStep : byte
{
    /// <summary>More bytes of the peer; also after a reply of ours.</summary>
    NeedMore,

    /// <summary>Nothing: the channel is active once the reply, if any, is sent.</summary>
    Done,

    /// <summary>
    /// Like Done, but the peer may throw away what comes right behind our reply: wait for its first bytes, or 50 ms, before writing.
    /// </summary>
    DoneAfterPause,

    /// <summary>The end: <see cref="Handshake.Failure"/> says why. A reply (a nak) is sent first.</summary>
    Failed,

    /// <summary>The first bytes are an HTTP request: put the WebSocket layer in between and begin again.</summary>
    WebSocket,
}
