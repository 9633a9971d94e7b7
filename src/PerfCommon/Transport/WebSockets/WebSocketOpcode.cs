namespace PerfCommon.Transport.WebSockets;

/// <summary>Kinds of WebSocket frames.</summary>
internal enum WebSocketOpcode : byte
{
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}
