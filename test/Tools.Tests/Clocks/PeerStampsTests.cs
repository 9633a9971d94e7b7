using System.Net;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Stamps by a line without an error: what is received before it was sent is within the bound, or disproves it.</summary>
public sealed class PeerStampsTests : IDisposable
{
    private const long Now = 10_000_500;
    private static readonly byte[] Key = new byte[32];

    private readonly RunFolder _folder = new();
    private readonly ClockAnswerer _answerer = ClockAnswerer.Listen(new IPEndPoint(IPAddress.Loopback, 0), Key, () => Clock.NowNanos);
    private readonly CounterSet _counters = new();

    [Theory]
    [InlineData(LatencyUnit.Nanoseconds, Now - 7, Now - 7, 0, 0)]
    [InlineData(LatencyUnit.Nanoseconds, Now, Now, 0, 0)]
    [InlineData(LatencyUnit.Nanoseconds, Now + 1, Now, 1, 0)] // the stamp's own resolution
    [InlineData(LatencyUnit.Nanoseconds, Now + 2, Now + 2, 0, 1)]
    [InlineData(LatencyUnit.Microseconds, 10_000, 10_000, 0, 0)]
    [InlineData(LatencyUnit.Microseconds, 10_001, 10_000, 1, 0)]
    [InlineData(LatencyUnit.Microseconds, 10_002, 10_002, 0, 1)]
    public void TryRead_StampOfALine_IsNoLaterThanNowWithinItsBound(LatencyUnit unit, long stamp, long expected, long belowZero, long beyondBound)
    {
        using PeerClock clock = Open();
        clock.Begin(CancellationToken.None);
        Assert.True(new PeerStamps(clock, unit, _counters).TryRead((ulong)stamp, Now, out long sent));
        Assert.Equal((expected, belowZero, beyondBound), (sent, _counters[Counter.BelowZero], _counters[Counter.BeyondBound]));
    }

    [Fact]
    public void TryRead_NoLine_IsCounted()
    {
        using PeerClock clock = Open(); // and not begun
        PeerStamps stamps = new(clock, LatencyUnit.Nanoseconds, _counters);
        for (int i = 1; i <= 2; i++)
        {
            Assert.False(stamps.TryRead(5, Now, out long sent));
            Assert.Equal((0, i), (sent, _counters[Counter.Uncorrected]));
        }
    }

    public void Dispose()
    {
        _answerer.Dispose();
        _folder.Dispose();
    }

    private PeerClock Open()
    {
        Assert.SkipUnless(LinuxClock.IsUsed, "elsewhere no two programs are known to have one clock");
        File.WriteAllBytes(_folder.PathOf("key"), Key);
        return PeerClock.Open(new() { Peer = _answerer.Local.ToString(), KeyFile = _folder.PathOf("key") });
    }
}
