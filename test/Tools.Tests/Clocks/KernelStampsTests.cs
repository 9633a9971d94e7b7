using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Probes with the kernel's stamps over sockets of this machine.</summary>
public sealed class KernelStampsTests : IDisposable
{
    private const long Ahead = 5_000 * Clock.NanosPerSecond;
    private static readonly byte[] Key = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
    private static readonly IPEndPoint Free = new(IPAddress.Loopback, 0);
    private static readonly Func<long> Wall = () => LinuxClock.Read(LinuxClock.WallClock);

    private readonly RunFolder _folder = new();
    private readonly List<IDisposable> _open = [];
    private volatile bool _setsClock;
    private long _step;

    public KernelStampsTests() => Assert.SkipUnless(LinuxClock.IsUsed, "only Linux has these stamps");

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true, "::1")]
    public void Exchange_StampsOfEitherKernel_HoldTheTruth(bool own, bool peer, string loopback = "127.0.0.1")
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6 || loopback != "::1", "this system has no IPv6");
        using ClockProber prober = ClockProber.Open(Listen(peer, loopback).Local, Key, Now, own ? Wall : null);
        int held = 0;
        Assert.True(Until(() =>
        {
            long before = Now();
            if (!prober.TryExchange(out ClockExchange exchange))
                return false;
            Assert.InRange(Ahead, exchange.LowerNanos, exchange.UpperNanos);
            Assert.True(exchange.IsOrdered);
            Assert.InRange(exchange.Sent, before, exchange.Received);
            Assert.InRange(exchange.Received, exchange.Sent, Now());
            held++;
            return held >= 500 && (!peer || prober.IsPeerStamped) && (!own || prober.Stamped >= 100);
        }), $"{held} exchanges, {prober.Stamped} stamped, {prober.Stepped} dropped");
        Assert.Equal((own, peer), (prober.Stamped > 0, prober.IsPeerStamped));
    }

    // The answering side sets the wall clock of this one by a second, between the probe and its answer.
    [Fact]
    public void Exchange_WallClockSetMeanwhile_IsDropped()
    {
        ClockAnswerer answerer = ClockAnswerer.Listen(Free, Key, () =>
        {
            if (_setsClock)
                SetClock();
            return Now() + Ahead;
        });
        _open.Add(answerer);
        using ClockProber prober = ClockProber.Open(answerer.Local, Key, Now, () => Wall() + Volatile.Read(ref _step));
        Assert.True(Until(() => prober.TryExchange(out ClockExchange _) && prober.Stamped > 0));
        long stepped = prober.Stepped;
        _setsClock = true;
        Assert.True(Until(() => !prober.TryExchange(out ClockExchange _) && prober.Stepped > stepped));

        // The stamps are those of the clock as it was: they are from before the probe.
        stepped = prober.Stepped;
        Assert.True(Until(() => !prober.TryExchange(out ClockExchange _) && prober.Stepped > stepped));

        Volatile.Write(ref _step, 0);
        (long stamped, stepped) = (prober.Stamped, prober.Stepped);
        Assert.True(Until(() => prober.TryExchange(out ClockExchange exchange) && prober.Stamped > stamped
            && exchange.LowerNanos <= Ahead && exchange.UpperNanos >= Ahead));
        Assert.Equal(stepped, prober.Stepped); // both clocks are read before a probe, too: a setting between two probes costs neither
    }

    [Fact]
    public void PeerClock_StampsOfTheKernel_AreNamedAndWithinTheBound()
    {
        using PeerClock clock = PeerClock.Open(OptionsOf(Listen(isStamped: true).Local));
        clock.Begin(CancellationToken.None);
        long from = Clock.NowNanos;
        Assert.True(Until(() => clock.Describe(from, Clock.NowNanos) is { Exchanges: >= 100, State: ClockState.Bounded }));
        long to = Clock.NowNanos;
        clock.Complete();
        ClockFigures figures = clock.Describe(from, to);
        double bound = figures.BoundMicros!.Value * 1_000;
        Assert.InRange(figures.OffsetNanos - Ahead, -bound - 2, bound + 2);
        Assert.Equal(("kernel", "kernel", ", stamps: kernel, peer kernel"), (figures.Stamps, figures.PeerStamps, figures.StampText));
    }

    [Fact]
    public void StampText_EachKind_SaysWhatWasUsed()
    {
        ClockFigures figures = new() { Pair = "host:1", Transport = "tcp" };
        Assert.Equal("", figures.StampText);
        Assert.Equal(", stamps: user, peer kernel", (figures with { PeerStamps = ClockStampWords.Kernel }).StampText);
        Assert.Equal(", stamps: the system gave none of the kernel, peer user", (figures with { Stamps = ClockStampWords.NoKernel }).StampText);
    }

    public void Dispose()
    {
        _open.ForEach(one => one.Dispose());
        _folder.Dispose();
    }

    private static long Now() => Clock.NowNanos;

    private static bool Until(Func<bool> isReached) => SpinWait.SpinUntil(isReached, TimeSpan.FromSeconds(60));

    private void SetClock()
    {
        _setsClock = false;
        Volatile.Write(ref _step, Clock.NanosPerSecond);
    }

    private ClockAnswerer Listen(bool isStamped, string loopback = "127.0.0.1")
    {
        ClockAnswerer answerer = ClockAnswerer.Listen(new IPEndPoint(IPAddress.Parse(loopback), 0), Key, () => Now() + Ahead, isStamped ? Wall : null);
        Assert.Equal(isStamped, answerer.IsStamped);
        _open.Add(answerer);
        return answerer;
    }

    private ClockOptions OptionsOf(IPEndPoint peer)
    {
        File.WriteAllBytes(_folder.PathOf("key"), Key);
        return new() { Peer = peer.ToString(), KeyFile = _folder.PathOf("key"), Stamps = ClockStamps.Kernel };
    }
}
