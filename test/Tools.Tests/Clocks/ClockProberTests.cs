using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Tests;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Probes and answers over sockets of this machine.</summary>
public sealed class ClockProberTests : IDisposable
{
    private const long Ahead = 5_000 * Clock.NanosPerSecond;
    private static readonly byte[] Key = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
    private static readonly IPEndPoint Free = new(IPAddress.Loopback, 0);

    private readonly RunFolder _folder = new();
    private readonly List<IDisposable> _open = [];

    [Fact]
    public void Exchange_SameClock_HoldsZeroAndSaysSo()
    {
        using ClockProber prober = ClockProber.Open(Listen(Now).Local, Key, Now);
        Assert.Equal("udp", prober.Transport);
        for (int i = 0; i < 100; i++)
        {
            if (!prober.TryExchange(out ClockExchange exchange))
                continue; // a busy machine may be late
            Assert.InRange(0, exchange.LowerNanos, exchange.UpperNanos);
            Assert.True(exchange.IsOrdered);
        }

        Assert.InRange(prober.Lost, 0, 99);
        Assert.Equal(OperatingSystem.IsLinux(), prober.IsOneClock);
    }

    // A machine that was copied while it ran has the boot id of the other.
    [Fact]
    public void Open_OneNameButOtherTime_IsAnotherClock()
    {
        using ClockProber prober = ClockProber.Open(Listen(() => Clock.NowNanos + Ahead).Local, Key, Now);
        Assert.False(prober.IsOneClock);
    }

    [Fact]
    public void Open_OtherKey_IsRefusedAndCounted()
    {
        ClockAnswerer answerer = Listen(Now);
        SetupException refused = Assert.Throws<SetupException>(() => ClockProber.Open(answerer.Local, [.. Key.Reverse()], Now));
        Assert.Equal((SetupProblem.NotStarted, 0), (refused.Problem, answerer.Answered));
        Assert.Contains("does not answer", refused.Message, StringComparison.Ordinal);
        Assert.True(answerer.Dropped >= 2);
    }

    [Fact]
    public void Open_NoDatagramsPass_GoesOverAConnection()
    {
        using TornConnection between = new(Listen(() => Clock.NowNanos + Ahead).Local);
        using ClockProber prober = ClockProber.Open(between.Local, Key, Now);
        Assert.Equal("tcp", prober.Transport);
        Assert.True(Until(() => prober.TryExchange(out ClockExchange exchange) && exchange.LowerNanos <= Ahead && exchange.UpperNanos >= Ahead));
    }

    /// <summary>A peer on another continent: a probe without an answer is followed by one that is waited for longer.</summary>
    [Fact]
    public void Open_PeerThatIsFarAway_IsFound()
    {
        ClockAnswerer answerer = Listen(() =>
        {
            Thread.Sleep(150); // twice an answer
            return Clock.NowNanos + Ahead;
        });
        using ClockProber prober = ClockProber.Open(answerer.Local, Key, Now);
        Assert.True(Until(() => prober.TryExchange(out ClockExchange exchange) && exchange.LowerNanos <= Ahead && exchange.UpperNanos >= Ahead));
    }

    [Fact]
    public void Exchange_AnswersThatAreLateTwiceOrForeign_AreDropped()
    {
        using Socket peer = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        peer.Bind(Free);
        TestThread thread = new(() => AnswerBadly(peer));
        thread.Start();
        using ClockProber prober = ClockProber.Open((IPEndPoint)peer.LocalEndPoint!, Key, Now);
        Assert.True(Until(() => prober.TryExchange(out ClockExchange _) && prober.TryExchange(out ClockExchange _)));
        Assert.True(prober.Dropped >= 6, $"{prober.Dropped}"); // of each answer three others, and one that came twice
        peer.Close();
    }

    // The second of a stopped clock does not end.
    [Fact]
    public void Answers_MoreThanAllowedInASecond_AreDropped()
    {
        ClockAnswerer answerer = Listen(() => 1);
        using ClockProber prober = ClockProber.Open(answerer.Local, Key, Now);
        for (int i = 0; i < 20_000 && answerer.Dropped == 0; i++)
            prober.TryExchange(out ClockExchange _);
        Assert.Equal((5_000, true), (answerer.Answered, answerer.Dropped > 0));
    }

    [Fact]
    public void Connections_MoreThanAllowed_AreClosed()
    {
        IPEndPoint answerer = Listen(Now).Local;
        List<Socket> connections = [];
        for (int i = 0; i <= 16; i++)
        {
            Socket connection = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 60_000 };
            _open.Add(connection);
            connections.Add(connection);
            connection.Connect(answerer);
        }

        Assert.Equal(0, connections[16].Receive(new byte[1]));
        connections[0].Send(new byte[ClockMessage.Bytes]); // still there, and closed as it has no key
        Assert.Equal(0, connections[0].Receive(new byte[1]));
    }

    [Fact]
    public void PeerClock_ThatDrifts_IsWithinItsBound()
    {
        const double Ppm = 50;
        long origin = Clock.NowNanos;
        long Peer(long own) => own + Ahead + (long)((own - origin) * Ppm * 1e-6);
        using PeerClock clock = PeerClock.Open(OptionsOf(Listen(() => Peer(Clock.NowNanos)).Local));
        Assert.False(clock.IsSame);
        clock.Begin(CancellationToken.None);
        long from = Clock.NowNanos;
        Assert.NotNull(clock.Line);
        List<(long Own, long Corrected)> stamps = [];
        SpinWait.SpinUntil(() => Add(stamps, clock, Peer), TimeSpan.FromSeconds(2));
        Assert.True(Until(() => clock.Describe(from, Clock.NowNanos) is { Exchanges: >= 100, State: ClockState.Bounded }));
        long to = Clock.NowNanos;
        clock.Complete();

        ClockFigures figures = clock.Describe(from, to);
        Assert.Equal((ClockState.Bounded, "udp"), (figures.State, figures.Transport));
        double bound = figures.BoundMicros!.Value * 1_000;
        Assert.All(stamps, stamp => Assert.InRange(stamp.Corrected - stamp.Own, -bound - 2, bound + 2));
        Assert.InRange(figures.OffsetNanos - (Peer(to) - to), -bound - 2, bound + 2);
        Assert.InRange(figures.Exchanges, 100, 10_000);
        Assert.Equal(ClockState.ClockWrong, figures.Beside(1_000_000, beyondBound: 1).State);
        Assert.Equal(ClockState.Coarse, figures.Beside(figures.BoundMicros * 9, beyondBound: 0).State);
        Assert.Equal(ClockState.Bounded, figures.Beside(figures.BoundMicros * 11, beyondBound: 0).State);
    }

    [Fact]
    public void PeerClock_GreaterRate_ProbesMoreOften()
    {
        IPEndPoint answerer = Listen(() => Clock.NowNanos + Ahead).Local;
        using PeerClock slow = PeerClock.Open(OptionsOf(answerer) with { Rate = ClockOptions.MinRate });
        using PeerClock fast = PeerClock.Open(OptionsOf(answerer) with { Rate = ClockOptions.MaxRate });
        slow.Begin(CancellationToken.None);
        fast.Begin(CancellationToken.None);
        long from = Clock.NowNanos;
        (long ofSlow, long ofFast) = (Count(slow), Count(fast));
        Assert.True(Until(() => Count(slow) >= ofSlow + 12));
        Assert.InRange(Count(fast) - ofFast, 3 * (Count(slow) - ofSlow), long.MaxValue);

        long Count(PeerClock clock) => clock.Describe(from, Clock.NowNanos).Exchanges;
    }

    [Fact]
    public void PeerClock_PeerThatIsGone_IsUnbounded()
    {
        ClockAnswerer answerer = Listen(() => Clock.NowNanos + Ahead);
        using PeerClock clock = PeerClock.Open(OptionsOf(answerer.Local));
        clock.Begin(CancellationToken.None);
        answerer.Dispose();
        long from = Clock.NowNanos;
        Assert.True(SpinWait.SpinUntil(() => clock.Describe(from, Clock.NowNanos).State == ClockState.Unbounded, TimeSpan.FromSeconds(60)));
    }

    public void Dispose()
    {
        _open.ForEach(one => one.Dispose());
        _folder.Dispose();
    }

    private static long Now() => Clock.NowNanos;

    // On a busy machine an answer may be later than the prober waits.
    private static bool Until(Func<bool> isReached) => SpinWait.SpinUntil(isReached, TimeSpan.FromSeconds(60));

    private static bool Add(List<(long Own, long Corrected)> stamps, PeerClock clock, Func<long, long> peer)
    {
        long own = Clock.NowNanos;
        stamps.Add((own, clock.Line!.ToOwn(peer(own))));
        Thread.Yield();
        return false;
    }

    private static void AnswerBadly(Socket peer)
    {
        using ClockSeal seal = new(Key), foreign = new([.. Key.Reverse()]);
        byte[] message = new byte[ClockMessage.Bytes];
        EndPoint sender = new IPEndPoint(IPAddress.Any, 0);
        try
        {
            while (true)
            {
                peer.ReceiveFrom(message, ref sender);
                Assert.True(ClockMessage.TryRead(message, ClockMessageKind.Probe, seal, out ClockMessage probe));
                ClockMessage right = probe with { Kind = ClockMessageKind.Answer, PeerReceived = Clock.NowNanos, PeerSent = Clock.NowNanos };
                foreach ((ClockMessage answer, ClockSeal by) in new[]
                {
                    (right with { Sequence = right.Sequence - 1 }, seal), (right with { Run = 1 }, seal), (right, foreign), (right, seal), (right, seal),
                })
                {
                    answer.Write(message, by);
                    peer.SendTo(message, sender);
                }
            }
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // the end
        }
    }

    private ClockAnswerer Listen(Func<long> now)
    {
        ClockAnswerer answerer = ClockAnswerer.Listen(Free, Key, now);
        _open.Add(answerer);
        return answerer;
    }

    private ClockOptions OptionsOf(IPEndPoint peer)
    {
        File.WriteAllBytes(_folder.PathOf("key"), Key);
        return new() { Peer = peer.ToString(), KeyFile = _folder.PathOf("key") };
    }
}
