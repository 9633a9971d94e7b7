namespace PerfCommon.Transport;

/// <summary>What a handshake wants next.</summary>
internal enum HandshakeStep : byte
{
    /// <summary>More bytes of the peer; also after a reply of ours.</summary>
    NeedMore,

    /// <summary>Nothing: the channel is active once the reply, if any, is sent.</summary>
    Done,

    /// <summary>Like Done, but the peer may throw away what comes right behind our reply: wait for its first bytes, or 50 ms, before writing.</summary>
    DoneAfterPause,

    /// <summary>The end: <see cref="Handshake.Failure"/> says why. A reply (a nak) is sent first.</summary>
    Failed,

    /// <summary>The first bytes are an HTTP request: put the WebSocket layer in between and begin again.</summary>
    WebSocket,
}
