using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public class SendingTimesTests
{
    private const long Second = 1_000_000_000;

    private readonly SendingTimes _times = new();

    [Fact]
    public void EndSpan_TicksBetween_IsFromTheFirstToTheEndOfTheLast()
    {
        _times.AddTick(10, 20);
        _times.AddTick(20, 30);
        Assert.Empty(_times.Spans);
        _times.EndSpan();
        _times.EndSpan(); // there is none
        _times.AddTick(100, 110);
        _times.EndSpan();

        Assert.Equal([new(10, 30), new(100, 110)], _times.Spans);
    }

    [Theory]
    [InlineData(0.0)]
    [InlineData(5.0, 0, 5)]
    [InlineData(10.0, 0, 5, 20, 25)] // one after the other: the time between them is in no rate
    [InlineData(7.0, 0, 5, 2, 7)] // overlapping: counted once
    [InlineData(10.0, 0, 10, 2, 3, 4, 10)]
    [InlineData(8.0, 20, 25, 0, 3)] // in any order
    public void SecondsOf_Spans_CountEachMomentOnce(double seconds, params int[] edges) => Assert.Equal(seconds,
        SendingTimes.SecondsOf(edges.Chunk(2).Select(span => new SendingSpan(span[0] * Second, span[1] * Second))));

    [Fact]
    public void EndSpan_MoreThanAreKept_JoinsThoseWithTheShortestGap()
    {
        for (int i = 1; i <= 1_000; i++)
        {
            long due = (i * 10) + (i > 500 ? 5 : 0);
            _times.AddTick(due, due + 1);
            _times.EndSpan();
        }

        Assert.Equal(256, _times.Spans.Count);
        Assert.Equal((10, 10_006), (_times.Spans[0].FromNanos, _times.Spans[^1].ToNanos));
        Assert.All(_times.Spans.Skip(1).Zip(_times.Spans), pair => Assert.True(pair.First.FromNanos > pair.Second.ToNanos));
        Assert.Contains(_times.Spans, span => span.ToNanos == 5_001); // the longest gap, before 5,015, remains
        Assert.DoesNotContain(_times.Spans, span => span.FromNanos < 5_001 && span.ToNanos > 5_015);
    }
}
