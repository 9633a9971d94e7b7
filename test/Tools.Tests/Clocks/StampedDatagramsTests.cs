using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>The kernel's stamps of datagrams over loopback.</summary>
public class StampedDatagramsTests : IDisposable
{
    private readonly IPEndPoint _free;
    private readonly Socket _one;
    private readonly Socket _other;

    public StampedDatagramsTests()
        : this(IPAddress.Loopback)
    {
    }

    protected StampedDatagramsTests(IPAddress loopback)
    {
        _free = new IPEndPoint(loopback, 0);
        (_one, _other) = (new(loopback.AddressFamily, SocketType.Dgram, ProtocolType.Udp), new(loopback.AddressFamily, SocketType.Dgram, ProtocolType.Udp));
        _one.Bind(_free);
        _other.Bind(_free);
        _one.Connect(_other.LocalEndPoint!);
    }

    [Fact]
    public void TryOpen_NotLinux_IsNull() => Assert.Equal(LinuxClock.IsUsed, StampedDatagrams.TryOpen(_one, stampsSent: true) is not null);

    // The kernel begins to stamp a moment after the first socket has asked for it.
    [Fact]
    public void Receive_Datagrams_AreStampedInTheOrderOfTime()
    {
        Assert.SkipUnless(LinuxClock.IsUsed, "only Linux has these stamps");
        (StampedDatagrams from, StampedDatagrams to) = (Open(_one, stampsSent: true), Open(_other, stampsSent: false));
        byte[] room = new byte[100];
        (int sent, int received) = (0, 0);
        bool isStamped = SpinWait.SpinUntil(() =>
        {
            byte[] message = [.. Enumerable.Repeat((byte)(sent++ % 250), 96)];
            long before = Wall();
            Assert.Equal(SocketError.Success, from.Send(message));
            Assert.Equal(message.Length, to.Receive(room, 10 * Clock.NanosPerSecond));
            long after = Wall();
            Assert.Equal(message, room[..96]);
            Assert.Equal(0, from.Receive(room, 1)); // nothing but the stamp
            if (from.SentNanos is not { } there || to.ReceivedNanos is not { } here)
                return false;
            Assert.InRange(there, before, here);
            Assert.InRange(here, there, after);
            return ++received == 100;
        }, TimeSpan.FromSeconds(60));
        Assert.True(isStamped, $"{received} of {sent} stamped");
    }

    [Fact]
    public void Receive_SenderThatIsNotConnected_IsNamed()
    {
        Assert.SkipUnless(LinuxClock.IsUsed, "only Linux has these stamps");
        StampedDatagrams to = Open(_other, stampsSent: false);
        _one.Send([1, 2, 3]);
        byte[] room = new byte[10];
        Assert.Equal(3, to.Receive(room, 10 * Clock.NanosPerSecond));
        SocketAddress sender = new(_free.AddressFamily);
        to.CopySender(sender);
        Assert.Equal(_one.LocalEndPoint, _free.Create(sender));
        _other.SendTo([4], SocketFlags.None, sender);
        Assert.Equal(1, _one.Receive(room));
    }

    [Fact]
    public void Receive_NothingThere_EndsInTime()
    {
        Assert.SkipUnless(LinuxClock.IsUsed, "only Linux has these stamps");
        StampedDatagrams to = Open(_other, stampsSent: true);
        long before = Clock.NowNanos;
        Assert.Equal(0, to.Receive(new byte[10], 20 * Clock.NanosPerMilli));
        Assert.InRange(Clock.NowNanos - before, 20 * Clock.NanosPerMilli, long.MaxValue);
        Assert.Null(to.ReceivedNanos);
    }

    [Fact]
    public void Receive_PeerDoesNotListen_Fails()
    {
        Assert.SkipUnless(LinuxClock.IsUsed, "only Linux has these stamps");
        StampedDatagrams from = Open(_one, stampsSent: true);
        _other.Dispose();
        from.Send([1]);
        Assert.Equal(-1, from.Receive(new byte[10], 60 * Clock.NanosPerSecond));
    }

    public void Dispose()
    {
        _one.Dispose();
        _other.Dispose();
        GC.SuppressFinalize(this);
    }

    private static StampedDatagrams Open(Socket socket, bool stampsSent)
    {
        StampedDatagrams? opened = StampedDatagrams.TryOpen(socket, stampsSent);
        Assert.NotNull(opened);
        return opened;
    }

    private static long Wall() => LinuxClock.Read(LinuxClock.WallClock);
}

/// <summary>The same over IPv6, whose addresses are longer.</summary>
public sealed class StampedDatagramsOverIPv6Tests() : StampedDatagramsTests(Find())
{
    private static IPAddress Find()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "this system has no IPv6");
        return IPAddress.IPv6Loopback;
    }
}
