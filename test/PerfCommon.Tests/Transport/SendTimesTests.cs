using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Linux's counts of a connection: whether the peer limits sending.</summary>
public class SendTimesTests
{
    private const int PollMillis = 10;

    [Fact]
    public void Of_PeerThatDoesNotRead_IsLimitedByIt()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux tells");
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using Socket sender = new(SocketType.Stream, ProtocolType.Tcp);
        sender.Connect(listener.LocalEndpoint);
        using Socket silent = listener.AcceptSocket();
        Assert.Null(SendTimes.Of(sender)!.Value.PeerLimitedPercent);

        sender.Blocking = false;
        byte[] bytes = new byte[65_536];
        SpinWait.SpinUntil(() => Fill(sender, bytes) && SendTimes.Of(sender)!.Value.PeerLimitedPercent > 50, 60_000);
        Assert.InRange(SendTimes.Of(sender)!.Value.PeerLimitedPercent!.Value, 50, 100);
    }

    [Fact]
    public void Of_ClosedSocket_IsUnknown()
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
        socket.Dispose();
        Assert.Null(SendTimes.Of(socket));
    }

    [Fact]
    public void PeerLimitedPercent_IsAPartOfTheTimeWithBytesOnTheirWay()
    {
        Assert.Equal(25, new SendTimes(1_000, 250).PeerLimitedPercent);
        Assert.Null(new SendTimes(0, 0).PeerLimitedPercent);
    }

    // Sends all that it accepts, and then waits a while.
    private static bool Fill(Socket sender, byte[] bytes)
    {
        SocketError error;
        do
            sender.Send(bytes, SocketFlags.None, out error);
        while (error == SocketError.Success);
        Thread.Sleep(PollMillis);
        return true;
    }
}
