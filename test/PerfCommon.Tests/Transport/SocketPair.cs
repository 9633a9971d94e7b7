using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Tests.Transport;

/// <summary>Both ends of a TCP connection on loopback.</summary>
internal sealed class SocketPair : IDisposable
{
    public SocketPair()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Sender.Connect(listener.LocalEndpoint);
        Reader = listener.AcceptSocket();
    }

    public Socket Sender { get; } = new(SocketType.Stream, ProtocolType.Tcp);

    public Socket Reader { get; }

    public void Dispose()
    {
        Sender.Dispose();
        Reader.Dispose();
    }
}
