using PerfCommon.Measurement;
using PerfHub.Consumers;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>How long the updates of a connection wait for more, at the ends of its interval and phase.</summary>
[Trait("Category", "Fast")]
public sealed class FlushWaitTests
{
    private const long Milli = Clock.NanosPerMilli;
    private const long Start = 1_000 * Milli;

    private static readonly BurstSettings Common = new(160 * Milli, 160 * Milli, 0);
    private static readonly BurstSettings Separate = new(160 * Milli, 160 * Milli, 0, IsPerSession: true);

    [Theory]
    [InlineData(159, true)]
    [InlineData(160, false)]
    [InlineData(161, false)]
    public void MayWait_AfterAFlush_IsTrueForTheInterval(int millisAfter, bool mayWait)
    {
        foreach (BurstSettings settings in (BurstSettings[])[Common, Separate])
        {
            (FlushWait wait, BurstInterval ofThread) = Begin(settings);
            wait.BeginFlush(Start);
            Assert.Equal(mayWait, wait.MayWait(settings, ofThread, number: 0, Start + (millisAfter * Milli), out _));
        }
    }

    [Theory]
    [InlineData(0, 160)]
    [InlineData(1, 10)]
    [InlineData(15, 150)]
    [InlineData(16, 160)]
    [InlineData(17, 10)]
    [InlineData(5, 50)]
    public void MayWait_OfAConnection_IsUntilTheEndOfItsPhase(int number, int untilMillis)
    {
        foreach (BurstSettings settings in (BurstSettings[])[Common, Separate])
        {
            (FlushWait wait, BurstInterval ofThread) = Begin(settings);
            wait.BeginFlush(Start);
            Assert.True(wait.MayWait(settings, ofThread, number, Start, out long until));
            Assert.Equal(Start + (untilMillis * Milli), until);
            Assert.Equal(0, wait.UntilNanos); // the caller sets it
        }
    }

    /// <summary>Updates join those that wait already, whatever the time.</summary>
    [Fact]
    public void MayWait_WhileOthersWait_IsUntilTheirTime()
    {
        (FlushWait wait, BurstInterval ofThread) = Begin(Common);
        wait.UntilNanos = Start + 7;
        Assert.True(wait.MayWait(Common, ofThread, 3, Start + (500 * Milli), out long until));
        Assert.Equal(Start + 7, until);
        wait.Release();
        Assert.Equal(0, wait.UntilNanos);
        Assert.False(wait.MayWait(Common, ofThread, 3, Start + (500 * Milli), out until));
        Assert.Equal(0, until);
        wait.UntilNanos = 9;
        wait.BeginFlush(Start + (500 * Milli));
        Assert.Equal(0, wait.UntilNanos);
        Assert.True(wait.MayWait(Common, ofThread, 3, Start + (501 * Milli), out _));
    }

    /// <summary>The interval that counts is the connection's where each has one, and the thread's else.</summary>
    [Fact]
    public void MayWait_ByItsSettings_TakesTheIntervalOfTheConnectionOrTheThread()
    {
        FlushWait wait = default;
        BurstInterval ofThread = default;
        wait.RecordArrivals(Separate, Start, 5);
        wait.BeginFlush(Start);
        Assert.Equal((true, false), (wait.MayWait(Separate, ofThread, 1, Start + Milli, out _), wait.MayWait(Common, ofThread, 1, Start + Milli, out _)));
        wait = default;
        ofThread.Record(Common, Start, 5);
        wait.BeginFlush(Start);
        Assert.Equal((false, true), (wait.MayWait(Separate, ofThread, 1, Start + Milli, out _), wait.MayWait(Common, ofThread, 1, Start + Milli, out _)));
    }

    private static (FlushWait Wait, BurstInterval OfThread) Begin(BurstSettings settings)
    {
        FlushWait wait = default;
        BurstInterval ofThread = default;
        if (settings.IsPerSession)
            wait.RecordArrivals(settings, Start, 1);
        else
            ofThread.Record(settings, Start, 1);
        return (wait, ofThread);
    }
}
