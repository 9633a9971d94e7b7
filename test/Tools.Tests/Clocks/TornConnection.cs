using System.Net;
using System.Net.Sockets;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Passes the bytes of one connection on, in small parts, both ways. Datagrams to its port are not answered.</summary>
internal sealed class TornConnection : IDisposable
{
    private const int PieceBytes = 40;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly IPEndPoint _to;
    private readonly TestThread _thread;

    /// <param name="to">Where it connects to when it is connected.</param>
    public TornConnection(IPEndPoint to)
    {
        _to = to;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        _thread = new(Pass, "torn connection");
        _thread.Start();
    }

    public IPEndPoint Local => (IPEndPoint)_listener.LocalEndPoint!;

    /// <summary>Ends when both ends have closed their connections.</summary>
    public void Dispose()
    {
        _listener.Dispose();
        Assert.True(_thread.Join(Limit));
    }

    private void Pass()
    {
        try
        {
            using Socket from = _listener.Accept();
            using Socket there = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            from.NoDelay = true; // a part that waits for the acknowledgement of the one before is later than the prober waits
            there.Connect(_to);
            TestThread back = new(() => Copy(there, from));
            back.Start();
            Copy(from, there);
            Assert.True(back.Join(Limit));
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // never connected
        }
    }

    // A message arrives in three parts.
    private static void Copy(Socket from, Socket to)
    {
        byte[] piece = new byte[PieceBytes];
        try
        {
            for (int bytes = from.Receive(piece); bytes > 0; bytes = from.Receive(piece))
                to.Send(piece, bytes, SocketFlags.None);
            to.Shutdown(SocketShutdown.Send);
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // the end
        }
    }
}
