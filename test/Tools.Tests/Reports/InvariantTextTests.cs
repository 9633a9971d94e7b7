using PerfCommon.Load;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>Small figures of every report: rates, shares, sizes, and the counts of updates that do not follow the one before.</summary>
[Trait("Category", "Fast")]
public sealed class InvariantTextTests
{
    [Fact]
    public void Figures_OfNothing_AreNoneAndOfLittleAreExact()
    {
        Assert.Equal((null, 100.0, 25.0), (InvariantText.Percent(1, 0), InvariantText.Percent(1, 1), InvariantText.Percent(0.125, 0.5)));
        Assert.Equal((0, 10, 5), (InvariantText.PerSecond(5, 0), InvariantText.PerSecond(5, 0.5), InvariantText.PerSecond(5, 1)));
        Assert.Equal((1, 0.5), (InvariantText.Megabytes(1 << 20), InvariantText.Megabytes(1 << 19)));
        Assert.Equal(("", "a\\u000Ab"), (InvariantText.OneLine(null), InvariantText.OneLine("a\nb")));
        Assert.Equal("2026-11-30 07:08:09", InvariantText.Time(new(2026, 11, 30, 7, 8, 9, DateTimeKind.Utc)));
    }

    [Theory]
    [InlineData(SequenceStep.Next, 0, 0, 0, 0)]
    [InlineData(SequenceStep.Skipped, 3, 0, 0, 0)]
    [InlineData(SequenceStep.Repeated, 0, 1, 0, 0)]
    [InlineData(SequenceStep.Late, 0, 0, 1, 1)]
    [InlineData(SequenceStep.FarBack, 0, 0, 0, 1)]
    public void Sequence_OfAnUpdate_IsCountedByItsStep(SequenceStep step, long skipped, long repeated, long late, long outOfOrder)
    {
        CounterSet counters = new();
        SequenceCounts.Add(counters, step, skipped: 3);
        Assert.Equal((skipped, repeated, late, outOfOrder), (counters[Counter.UpdatesSkipped], counters[Counter.UpdatesRepeated],
            counters[Counter.UpdatesLate], counters[Counter.UpdatesOutOfOrder]));
    }
}
