using System.Diagnostics;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>A TCP connection that a listener has taken and no worker serves yet; hand it to <see cref="ChannelPoller.Post"/>.</summary>
[DebuggerDisplay("{Socket.RemoteEndPoint}, refusal {Refusal}")]
public sealed class AcceptedConnection : IDisposable
{
    private readonly RsslListener _listener;
    private int _released;

    internal AcceptedConnection(RsslListener listener, Socket socket, string? refusal) =>
        (_listener, Socket, Refusal) = (listener, socket, refusal);

    /// <summary>Text of the nak when this connection is over the limit; it must be posted all the same, and never appears among the channels.</summary>
    public string? Refusal { get; private set; }

    internal Socket Socket { get; }

    internal ListenOptions Options => _listener.Options;

    /// <summary>Has the connection refused: a nak with this text answers its request.</summary>
    /// <param name="text">What the peer may show, at most 200 characters.</param>
    public void Refuse(string text) => Refusal = text;

    /// <summary>Closes it without an answer, when no worker will take it.</summary>
    public void Dispose()
    {
        Socket.Dispose();
        Release();
    }

    /// <summary>Tells the listener that this connection no longer counts.</summary>
    internal void Release()
    {
        if (Interlocked.Exchange(ref _released, 1) == 0)
            _listener.Release();
    }
}
