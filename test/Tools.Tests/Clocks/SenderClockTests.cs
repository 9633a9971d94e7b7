using System.Net;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Tools.Tests.Reports;
using Tools.Tests.Runs;
using Xunit;
using Figures = PerfTools.Hosting.Reporting.Figures;

namespace Tools.Tests.Clocks;

/// <summary>The clock of a role that receives stamps, and what latencies below its bound do to the run.</summary>
public sealed class SenderClockTests : IDisposable
{
    private static readonly byte[] Key = new byte[32];

    private readonly RunFolder _folder = new();
    private readonly ClockAnswerer _answerer = ClockAnswerer.Listen(new IPEndPoint(IPAddress.Loopback, 0), Key, () => Clock.NowNanos);

    [Fact]
    public void Judge_LatenciesBeyondTheBound_FailARunThatSucceeded()
    {
        Assert.Equal(RunOutcome.Success, SenderClock.Judge(RunOutcome.Success, beyondBound: 0));
        Assert.Equal(new RunOutcome(ExitCode.Incomplete, "clock-wrong: latencies below 0 beyond the bound of the clock: 1"),
            SenderClock.Judge(RunOutcome.Success, beyondBound: 1));
        RunOutcome failed = new(ExitCode.Terminated, "ended by SIGTERM");
        Assert.Equal(failed, SenderClock.Judge(failed, beyondBound: 7));
    }

    [Fact]
    public void Open_NoClock_IsNone() => Assert.Null(SenderClock.Open(new(), CancellationToken.None, Series.Updates));

    [Fact]
    public void Begin_ClockOfThisHost_IsNotProbed()
    {
        using SenderClock clock = Open();
        List<string> lines = [];
        clock.Begin(lines.Add);
        Assert.Equal(["Clock: the sender's host has the clock of this one."], lines);
        Assert.Equal(5, clock.Peer.Line!.ToOwn(5));
        Assert.False(clock.HasMoved);
    }

    // Of an interval the latencies are shown with the state; those of the whole run would be taken for results.
    [Theory]
    [InlineData(0, false, true)]
    [InlineData(0, true, true)]
    [InlineData(1, false, true)]
    [InlineData(1, true, false)]
    public void Describe_LatenciesBeyondTheBound_AreNoResults(int beyondBound, bool isWhole, bool hasUpdates)
    {
        using SenderClock clock = Open();
        clock.Begin(_ => { });
        Figures figures = new()
        {
            Totals = CounterSnapshot.Of((Counter.BeyondBound, beyondBound)),
            Latencies = new()
            {
                [(Series.Updates, null)] = new() { Count = 1 },
                [(Series.Updates, RunPhase.Steady)] = new() { Count = 1 },
                [(Series.RoundTrips, null)] = new() { Count = 1 },
            },
        };
        Figures described = clock.Describe(figures, isWhole);
        Assert.Equal(beyondBound > 0 ? ClockState.ClockWrong : ClockState.Same, described.Clock!.State);
        Assert.Equal((hasUpdates ? 2 : 0, 1),
            (described.Latencies.Keys.Count(key => key.Series == Series.Updates), described.Latencies.Keys.Count(key => key.Series == Series.RoundTrips)));
    }

    /// <summary>The first interval begins with the probes before the run, not before them: of an earlier time nothing is known.</summary>
    [Fact]
    public void Describe_WholeRunOfAnotherClock_IsBoundedByAllItsProbes()
    {
        const long Ahead = 5_000 * Clock.NanosPerSecond;
        using ClockAnswerer answerer = ClockAnswerer.Listen(new IPEndPoint(IPAddress.Loopback, 0), Key, () => Clock.NowNanos + Ahead);
        using SenderClock clock = Open(answerer);
        WorkerRecording recording = new();
        recording.Measure(Series.Updates, LatencyUnit.Nanoseconds, phased: true);
        using Worker worker = new(new WorkerOptions(), recording, network: null);
        clock.Hold([worker]);
        List<string> lines = [];
        clock.Begin(lines.Add);
        Assert.Equal(["Clock: probing the clock of the sender's host for 2 s."], lines);
        long from = Clock.NowNanos;
        Assert.True(SpinWait.SpinUntil(() => clock.Peer.Describe(from, Clock.NowNanos).State == ClockState.Bounded, TimeSpan.FromSeconds(60)));
        recording[Series.Updates].Record(RunPhase.Steady, RunPhase.Steady, 1_000_000_000);
        recording.RequestInterval();
        recording.ServiceRequest();
        Assert.True(recording.TryCollect(out CounterSnapshot interval));
        clock.Collected(0, interval);
        clock.Complete();
        ClockFigures figures = clock.Describe(new Figures(), isWhole: true).Clock!;
        Assert.Equal((ClockState.Bounded, true), (figures.State, figures.IsFinal));
        Assert.InRange(figures.OffsetNanos - Ahead, -figures.BoundMicros!.Value * 1_000, figures.BoundMicros.Value * 1_000);
    }

    [Theory]
    [InlineData("127.0.0.1:5", "127.0.0.1")]
    [InlineData("[::1]:5", "::1")]
    [InlineData("localhost:5", "127.0.0.1")] // also where it has an address of IPv6
    public void Resolve_HostAndPort_IsAnAddressOfIPv4WhereThereIsOne(string peer, string address) =>
        Assert.Equal(new IPEndPoint(IPAddress.Parse(address), 5), PeerClock.Resolve(peer));

    public void Dispose()
    {
        _answerer.Dispose();
        _folder.Dispose();
    }

    private SenderClock Open(ClockAnswerer? answerer = null)
    {
        Assert.SkipUnless(LinuxClock.IsUsed, "elsewhere no two programs are known to have one clock");
        File.WriteAllBytes(_folder.PathOf("key"), Key);
        ClockOptions options = new() { Peer = (answerer ?? _answerer).Local.ToString(), KeyFile = _folder.PathOf("key") };
        return SenderClock.Open(options, CancellationToken.None, Series.Updates)!;
    }
}
