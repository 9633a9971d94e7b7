using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>The clock of a latency as people read it: its bound is never shown smaller than it is.</summary>
[Trait("Category", "Fast")]
public sealed class ClockValueTests
{
    private static readonly ClockFigures Clock = new() { Pair = "host:1", Transport = "udp", State = ClockState.Bounded };

    [Theory]
    [InlineData(9.5, "+- 9.5 us (clock)", 9.5)]
    [InlineData(9.41, "+- 9.5 us (clock)", 9.5)]
    [InlineData(0.01, "+- 0.1 us (clock)", 0.1)]
    [InlineData(null, "(clock: unbounded)", LatencyFormats.NoValue)]
    public void Arguments_OfABound_AreItsTenthsRoundedUp(double? micros, string words, object bound)
    {
        object?[] shown = new ClockValue().Arguments(new Figures { Clock = Clock with { BoundMicros = micros } }, ReportScope.Run);
        object?[] expected = [words, bound, "host:1 by udp"];
        Assert.Equal(expected, shown[..3]);
    }

    [Fact]
    public void Arguments_OfEachState_SayIt()
    {
        ClockFigures bounded = Clock with { BoundMicros = 7 };
        Assert.Equal("~ +- 7.0 us (clock via rank 0: final)", Words(bounded with { State = ClockState.Coarse, ViaText = " via rank 0", IsFinal = true }));
        Assert.Equal("+- 0 us (same clock)", Words(bounded with { State = ClockState.Same }));
        Assert.Equal("- (clock-wrong)", Words(bounded with { State = ClockState.ClockWrong }));
        Assert.Equal("(clock via rank 0: unbounded)", Words(Clock with { State = ClockState.Unbounded, ViaText = " via rank 0" }));

        static object? Words(ClockFigures clock) => new ClockValue().Arguments(new Figures { Clock = clock }, ReportScope.Run)[0];
    }

    [Fact]
    public void Arguments_WithoutAClock_AreNone()
    {
        ClockValue value = new();
        Assert.False(value.Exists(new Figures()));
        object?[] none = [LatencyFormats.NoValue, LatencyFormats.NoValue, "", 0.0, 0.0, 0.0, 0L, 0L, 0];
        Assert.Equal(none, value.Arguments(new Figures(), ReportScope.Run));
    }
}
