using System.Net.Sockets;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Clients that do not speak the protocol.</summary>
internal static class BadClients
{
    // length 2 | op code connect 1 | version 4 | ...: an unknown version
    private static readonly byte[] UnknownVersion = [0, 56, 0, 0, 0, 0, 99, .. new byte[49]];

    // a frame that declares more than any handshake has
    private static readonly byte[] LongFrame = [0xFF, 0xFF, 0, 0, 0, 0, 19];

    /// <summary>Connects each of them to a port, where all must be dropped; a silent one at the end of a short handshake time.</summary>
    public static void Try(int port)
    {
        byte[] garbage = new byte[100_000];
        new Random(1).NextBytes(garbage);
        using TcpClient silent = Connect(port);
        ExpectDropped(port, garbage);
        ExpectDropped(port, UnknownVersion);
        ExpectDropped(port, LongFrame);
        ExpectDropped(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"u8.ToArray());
        ExpectDropped(port, [0]);
        ExpectEnd(silent);
        Connect(port).Dispose(); // one that goes away without a word
    }

    private static TcpClient Connect(int port) => new("127.0.0.1", port) { ReceiveTimeout = 30_000, SendTimeout = 30_000 };

    private static void ExpectDropped(int port, byte[] bytes)
    {
        using TcpClient client = Connect(port);
        try
        {
            client.GetStream().Write(bytes);
        }
        catch (IOException)
        {
            return; // dropped while it was still talking
        }

        ExpectEnd(client);
    }

    // Whatever is said first, the stream ends within the limit.
    private static void ExpectEnd(TcpClient client)
    {
        byte[] answer = new byte[1024];
        try
        {
            while (client.GetStream().Read(answer) > 0)
            {
                // a nak, perhaps
            }
        }
        catch (IOException cause)
        {
            Assert.Equal(SocketError.ConnectionReset, ((SocketException)cause.InnerException!).SocketErrorCode);
        }
    }
}
