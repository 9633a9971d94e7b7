using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Linux's statistics of a connection: what was sent, and whether the peer limits sending.</summary>
public class TcpFactsTests
{
    private const int PollMillis = 10;

    [Fact]
    public void Of_PeerThatDoesNotRead_IsLimitedByIt()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux reports them");
        using SocketPair pair = new();
        Socket sender = pair.Sender;
        Assert.Null(TcpInfo.ReadFacts(sender)!.Value.PeerLimitedPercent);

        sender.Blocking = false;
        byte[] bytes = new byte[65_536];
        SpinWait.SpinUntil(() => Fill(sender, bytes) && TcpInfo.ReadFacts(sender)!.Value.PeerLimitedPercent > 50, 60_000);
        Assert.InRange(TcpInfo.ReadFacts(sender)!.Value.PeerLimitedPercent!.Value, 50, 100);
    }

    [Fact]
    public void Of_BytesThatArrived_CountsThemAndTheRoundTrip()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux reports them");
        using SocketPair pair = new();
        (Socket sender, Socket reader) = (pair.Sender, pair.Reader);

        byte[] bytes = new byte[1_234];
        sender.Send(bytes);
        for (int read = 0; read < bytes.Length;)
            read += reader.Receive(bytes, read, bytes.Length - read, SocketFlags.None);
        SpinWait.SpinUntil(() => TcpInfo.ReadFacts(sender)!.Value.BytesSent == 1_234, 60_000);

        TcpFacts facts = TcpInfo.ReadFacts(sender)!.Value;
        Assert.Equal((1_234, 0, 0), (facts.BytesSent, facts.BytesResent, facts.SegmentsResent));
        Assert.InRange(facts.SegmentsSent, 1, 1_234);
        Assert.InRange(facts.PathMtu, 576, 65_536);
        Assert.InRange(facts.RoundTripMicros, 1u, 60_000_000u);
        Assert.InRange(facts.MinRoundTripMicros!.Value, 1u, 60_000_000u);
        Assert.Equal(0, TcpInfo.ReadFacts(reader)!.Value.BytesSent);
    }

    [Fact]
    public void Of_ClosedSocket_IsUnknown()
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
        socket.Dispose();
        Assert.Null(TcpInfo.ReadFacts(socket));
    }

    [Fact]
    public void PeerLimitedPercent_IsAPartOfTheTimeWithBytesOnTheirWay()
    {
        Assert.Equal(25, new TcpFacts { BusyMicros = 1_000, PeerLimitedMicros = 250 }.PeerLimitedPercent);
        Assert.Null(new TcpFacts().PeerLimitedPercent);
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
