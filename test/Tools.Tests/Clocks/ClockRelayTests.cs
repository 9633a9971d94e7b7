using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Probes of a clock that pass a relay, over sockets of this machine.</summary>
public sealed class ClockRelayTests : IDisposable
{
    private const long Ahead = 5_000 * Clock.NanosPerSecond;
    private const long Delay = 2 * Clock.NanosPerMilli;
    private static readonly byte[] Key = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
    private static readonly IPEndPoint Free = new(IPAddress.Loopback, 0);

    private readonly List<IDisposable> _open = [];
    private readonly ClockSeal _seal = new(Key);

    /// <summary>The clock reads a probe 2 ms after it arrived: the interval is wider by that, and holds the true difference.</summary>
    [Theory]
    [InlineData("udp")]
    [InlineData("tcp")]
    public void Exchange_ThroughARelay_HoldsTheTrueDifference(string transport)
    {
        ClockAnswerer answerer = Answer(() => LateNow() + Ahead);
        ClockRelay relay = Relay(transport == "udp" ? answerer.Local : Keep(new TornConnection(answerer.Local)).Local);
        using ClockProber prober = ClockProber.Open(relay.Local, Key, Now);
        Assert.Equal((transport, false), (prober.Transport, prober.IsOneClock));
        int count = 0;
        Assert.True(Until(() =>
        {
            if (!prober.TryExchange(out ClockExchange exchange))
                return false; // a busy machine may be late
            Assert.InRange(Ahead, exchange.LowerNanos, exchange.UpperNanos);
            Assert.True(exchange.IsOrdered && exchange.UpperNanos >= Ahead + Delay);
            return ++count == 50;
        }));
        Assert.InRange(relay.Passed, 2 * count, long.MaxValue);
    }

    [Fact]
    public void Datagrams_SealedWithTheKey_PassUnchanged()
    {
        Socket clock = OpenDatagrams(), prober = OpenDatagrams(to: Relay(AddressOf(clock)).Local);
        byte[] probe = Seal(new(ClockMessageKind.Probe, 7, 1, 2, 3, 4, 5)), answer = Seal(new(ClockMessageKind.Answer, 7, 1, 2, 3, 4, 5, IsStamped: true));
        prober.Send(probe);
        (byte[] received, EndPoint from) = Receive(clock);
        Assert.Equal(probe, received);
        clock.SendTo(answer, from);
        Assert.Equal(answer, Receive(prober).Message);
    }

    [Fact]
    public void Datagrams_ThatAreNoProbes_AreDropped()
    {
        Socket clock = OpenDatagrams();
        ClockRelay relay = Relay(AddressOf(clock));
        Socket prober = OpenDatagrams(to: relay.Local);
        using ClockSeal foreign = new([.. Key.Reverse()]);
        byte[] probe = Seal(new(ClockMessageKind.Probe, 7, 1, 2, 3, 4, 5)), wrong = new byte[ClockMessage.Bytes];
        new ClockMessage(ClockMessageKind.Probe, 7, 1, 2, 3, 4, 5).Write(wrong, foreign);
        foreach (byte[] bad in (byte[][])[new byte[96], wrong, probe[..95], [.. probe, 0], Seal(new(ClockMessageKind.Answer, 7, 1, 2, 3, 4, 5)), []])
            prober.Send(bad);
        prober.Send(probe);
        Assert.Equal(probe, Receive(clock).Message);
        Assert.Equal((6, true), (relay.Dropped, Until(() => relay.Passed == 1)));
    }

    /// <summary>A recorded probe sent from elsewhere has no answer sent there, nor has a second answer to a probe an address.</summary>
    [Fact]
    public void Answers_ToNoProbeThatWaits_AreDropped()
    {
        Socket clock = OpenDatagrams();
        ClockRelay relay = Relay(AddressOf(clock));
        Socket prober = OpenDatagrams(to: relay.Local), other = OpenDatagrams(to: relay.Local);
        using ClockSeal foreign = new([.. Key.Reverse()]);
        ClockMessage probe = new(ClockMessageKind.Probe, 7, 2, 2, 3, 4, 5), answer = probe with { Kind = ClockMessageKind.Answer };
        prober.Send(Seal(probe));
        EndPoint from = Receive(clock).From;
        other.Send(Seal(probe));
        Assert.True(Until(() => relay.Dropped == 1));
        byte[] wrong = new byte[ClockMessage.Bytes];
        answer.Write(wrong, foreign);
        foreach (byte[] bad in (byte[][])[wrong, Seal(answer with { Run = 8 }), Seal(answer with { Sequence = 1 }), Seal(probe with { Sequence = 3 })])
            clock.SendTo(bad, from);
        clock.SendTo(Seal(answer), from);
        clock.SendTo(Seal(answer), from);
        Assert.Equal(Seal(answer), Receive(prober).Message);
        Assert.True(Until(() => relay.Dropped == 6), $"{relay.Dropped}");
        other.Send(Seal(probe with { Run = 9 }));
        Receive(clock);
        clock.SendTo(Seal(answer with { Run = 9 }), from);
        Assert.Equal(Seal(answer with { Run = 9 }), Receive(other).Message); // the first that comes there
        Assert.Equal((0, 0), (prober.Available, other.Available));
    }

    [Fact]
    public void Senders_MoreThanAllowed_ReplaceTheOldest()
    {
        Socket clock = OpenDatagrams();
        ClockRelay relay = Relay(AddressOf(clock));
        Socket prober = OpenDatagrams(to: relay.Local);
        ClockMessage probe = new(ClockMessageKind.Probe, 0, 1, 2, 3, 4, 5);
        EndPoint from = Free;
        foreach ((int run, int sequence) in ((int, int)[])[.. Enumerable.Range(1, 64).Select(run => (run, 1)), (1, 2), (65, 1)])
        {
            prober.Send(Seal(probe with { Run = (UInt128)run, Sequence = sequence }));
            from = Receive(clock).From;
        }

        foreach ((int run, int sequence) in ((int, int)[])[(2, 1), (1, 2), (3, 1), (65, 1)]) // the last probe of the second run was the oldest
            clock.SendTo(Seal(probe with { Kind = ClockMessageKind.Answer, Run = (UInt128)run, Sequence = sequence }), from);
        Assert.Equal([1, 3, 65], Enumerable.Range(0, 3).Select(_ => RunOf(Receive(prober).Message)));
        Assert.Equal(1, relay.Dropped);
    }

    [Fact]
    public void Connections_MoreThanAllowed_AreClosed()
    {
        ClockRelay relay = Relay(Answer(() => Clock.NowNanos + Ahead).Local);
        Socket[] connections = [.. Enumerable.Range(0, 17).Select(_ => Connect(relay.Local))];
        Assert.Equal(0, connections[16].Receive(new byte[1]));
        connections[15].Send(Seal(new(ClockMessageKind.Probe, 7, 1, 2, 3, 4, 5)));
        byte[] answer = ReceiveWhole(connections[15]);
        Assert.True(ClockMessage.TryRead(answer, ClockMessageKind.Answer, _seal, out ClockMessage read) && read is { Sequence: 1, Sent: 2 });
        connections[0].Send(new byte[ClockMessage.Bytes]); // still there, and closed as it has no key
        Assert.Equal(0, connections[0].Receive(new byte[1]));
    }

    /// <summary>A connection to the clock is opened for a probe only, and one that the clock ends is ended.</summary>
    [Fact]
    public void Connection_OfAClockThatEnds_IsEnded()
    {
        using TcpListener clock = new(Free);
        clock.Start();
        Socket prober = Connect(Relay((IPEndPoint)clock.LocalEndpoint).Local);
        byte[] probe = Seal(new(ClockMessageKind.Probe, 7, 1, 2, 3, 4, 5));
        prober.Send(probe.AsSpan(0, 50));
        Assert.False(clock.Pending());
        prober.Send(probe.AsSpan(50));
        using Socket accepted = clock.AcceptSocket();
        Assert.Equal(probe, ReceiveWhole(accepted));
        byte[] answer = Seal(new(ClockMessageKind.Answer, 7, 1, 2, 3, 4, 5));
        accepted.Send([.. answer, .. new byte[ClockMessage.Bytes]]); // the second one has no key
        Assert.Equal(answer, ReceiveWhole(prober));
        Assert.Equal(0, prober.Receive(new byte[1]));
    }

    // The second of a stopped clock does not end.
    [Fact]
    public void Messages_MoreThanAllowedInASecond_AreDropped()
    {
        Socket clock = OpenDatagrams();
        ClockRelay relay = Keep(ClockRelay.Listen(Free, Key, () => AddressOf(clock), () => 1));
        Socket prober = OpenDatagrams(to: relay.Local);
        ClockMessage probe = new(ClockMessageKind.Probe, 7, 1, 2, 3, 4, 5);
        for (int i = 1; i <= 2_500; i++)
        {
            prober.Send(Seal(probe with { Sequence = i }));
            EndPoint from = Receive(clock).From;
            clock.SendTo(Seal(probe with { Kind = ClockMessageKind.Answer, Sequence = i }), from);
            Receive(prober);
        }

        Assert.Equal((true, 0), (Until(() => relay.Passed == 5_000), relay.Dropped));
        prober.Send(Seal(probe with { Sequence = 2_501 }));
        Assert.True(Until(() => relay.Dropped == 1));
        Assert.Equal((5_000, 0), (relay.Passed, clock.Available));
    }

    [Fact]
    public void Open_ClockThatIsUnknownOrGone_IsNotAnsweredUntilItIsKnown()
    {
        using Socket taken = FreePorts.Refuse(out int port);
        ClockRelay gone = Relay(new(IPAddress.Loopback, port));
        Assert.Equal(SetupProblem.NotStarted, Assert.Throws<SetupException>(() => ClockProber.Open(gone.Local, Key, Now)).Problem);
        Assert.True(gone.Dropped > 0);

        int asked = 0;
        IPEndPoint place = Answer(() => Clock.NowNanos + Ahead).Local;
        IPEndPoint? Find() => asked++ switch { 0 => null, 1 => throw new SetupException(SetupProblem.InputFile, "not yet"), _ => place };
        ClockRelay late = Keep(ClockRelay.Listen(Free, Key, Find, Now));
        using ClockProber prober = ClockProber.Open(late.Local, Key, Now);
        Assert.True(Until(() => prober.TryExchange(out ClockExchange _)));
        Assert.Equal(3, asked); // an address that was found is kept
    }

    [Fact]
    public void Dispose_WhileConnected_EndsBothSides()
    {
        using TcpListener clock = new(Free);
        clock.Start();
        ClockRelay relay = Relay((IPEndPoint)clock.LocalEndpoint);
        Socket prober = Connect(relay.Local);
        prober.Send(Seal(new(ClockMessageKind.Probe, 7, 1, 2, 3, 4, 5)));
        using Socket accepted = clock.AcceptSocket();
        accepted.ReceiveTimeout = 60_000;
        ReceiveWhole(accepted);
        relay.Dispose();
        Assert.Equal((true, true), (IsEnded(accepted), IsEnded(prober)));
    }

    public void Dispose()
    {
        _open.AsEnumerable().Reverse().ToList().ForEach(one => one.Dispose());
        _seal.Dispose();
    }

    private static long Now() => Clock.NowNanos;

    // A reading that takes 2 ms.
    private static long LateNow()
    {
        long from = Clock.NowNanos;
        while (Clock.NowNanos < from + Delay)
            Thread.Yield();
        return Clock.NowNanos;
    }

    // On a busy machine an answer may be later than the prober waits.
    private static bool Until(Func<bool> isReached) => SpinWait.SpinUntil(isReached, TimeSpan.FromSeconds(60));

    private static IPEndPoint AddressOf(Socket socket) => (IPEndPoint)socket.LocalEndPoint!;

    private static (byte[] Message, EndPoint From) Receive(Socket socket)
    {
        byte[] message = new byte[200];
        EndPoint from = Free;
        int bytes = socket.ReceiveFrom(message, ref from);
        return (message[..bytes], from);
    }

    private static byte[] ReceiveWhole(Socket connection)
    {
        byte[] message = new byte[ClockMessage.Bytes];
        for (int bytes = 0; bytes < message.Length;)
        {
            int more = connection.Receive(message.AsSpan(bytes));
            Assert.NotEqual(0, more);
            bytes += more;
        }

        return message;
    }

    private static bool IsEnded(Socket connection)
    {
        try
        {
            return connection.Receive(new byte[1]) == 0;
        }
        catch (SocketException failure)
        {
            return failure.SocketErrorCode == SocketError.ConnectionReset;
        }
    }

    private byte[] Seal(ClockMessage message)
    {
        byte[] sealedOne = new byte[ClockMessage.Bytes];
        message.Write(sealedOne, _seal);
        return sealedOne;
    }

    private int RunOf(byte[] message)
    {
        Assert.True(ClockMessage.TryRead(message, ClockMessageKind.Answer, _seal, out ClockMessage read));
        return (int)read.Run;
    }

    private Socket OpenDatagrams(IPEndPoint? to = null)
    {
        Socket socket = Keep(new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = 60_000 });
        socket.Bind(Free);
        if (to is not null)
            socket.Connect(to);
        return socket;
    }

    private Socket Connect(IPEndPoint to)
    {
        Socket socket = Keep(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 60_000 });
        socket.Connect(to);
        return socket;
    }

    private ClockAnswerer Answer(Func<long> now) => Keep(ClockAnswerer.Listen(Free, Key, now));

    private ClockRelay Relay(IPEndPoint clock) => Keep(ClockRelay.Listen(Free, Key, () => clock, Now));

    private T Keep<T>(T one)
        where T : IDisposable
    {
        _open.Add(one);
        return one;
    }
}
