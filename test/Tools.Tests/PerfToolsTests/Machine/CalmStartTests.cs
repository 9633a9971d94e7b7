using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

public sealed class CalmStartTests
{
    private readonly SetClock _clock = new();
    private readonly List<string> _shown = [];

    [Fact]
    public void Wait_CalmMachine_StartsAtOnceAndSaysNothing()
    {
        Assert.Equal(3, Wait(3));
        Assert.Empty(_shown);
    }

    [Fact]
    public void Wait_MachineThatBecomesCalm_SaysHowLongItTook()
    {
        Assert.Equal(4, Wait(49, 30, 4));
        Assert.Equal(["Machine busy: other processes use 49 % of the CPU; waiting up to 5 s.", "Machine calm after 3.0 s."], _shown);
    }

    [Fact]
    public void Wait_MachineThatStaysBusy_StartsAfterTheLimitWithAWarning()
    {
        Assert.Equal(55, Wait(51, 52, 53, 54, 55, 56, 57));
        Assert.Equal(
        [
            "Machine busy: other processes use 51 % of the CPU; waiting up to 5 s.",
            "Warning: machine busy: other processes use 55 % of the CPU; latency and rates will show it.",
        ], _shown);
    }

    [Fact]
    public void Wait_Stopped_EndsAtOnce()
    {
        using CancellationTokenSource stop = new();
        stop.Cancel();
        Queue<double?> loads = new([60, 60]);
        CalmStart.Wait(loads.Dequeue, _shown.Add, TimeSpan.FromSeconds(5), _clock, stop.Token);
        Assert.Single(loads);
    }

    [Fact]
    public void Wait_SystemThatDoesNotTell_StartsAtOnce()
    {
        Assert.Null(Wait([null]));
        Assert.Empty(_shown);
    }

    [Theory]
    [InlineData(null, 5)]
    [InlineData("", 5)]
    [InlineData("0", 0)]
    [InlineData("2.5", 2.5)]
    [InlineData("-1", 5)]
    [InlineData("1e9", 5)]
    [InlineData("6000", 5)]
    public void ReadLimit_OfTheVariable_IsSecondsOrTheUsual(string? text, double seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), CalmStart.ReadLimit(text));

    // Each look takes a second.
    private double? Wait(params double?[] loads)
    {
        Queue<double?> left = new(loads);
        return CalmStart.Wait(() =>
        {
            _clock.Seconds++;
            return left.Dequeue();
        }, _shown.Add, TimeSpan.FromSeconds(5), _clock, CancellationToken.None);
    }

    private sealed class SetClock : TimeProvider
    {
        public long Seconds { get; set; }

        public override long TimestampFrequency => 1;

        public override long GetTimestamp() => Seconds;
    }
}
