using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary>Latencies are moved by intervals when it is known how far the line was off by which they were corrected; none is lost.</summary>
public class HeldIntervalsTests
{
    private const double Micro = 1_000;

    private readonly List<int> _asked = [];

    /// <summary>Shifts of 20 us up, of 5 us down, none that is known, none worth it.</summary>
    [Theory]
    [InlineData(LatencyUnit.Nanoseconds)]
    [InlineData(LatencyUnit.Microseconds)]
    public void Complete_IntervalsOfKnownErrors_MovesEachByItsOwn(LatencyUnit unit)
    {
        ClockError?[] errors = [new(30 * Micro, -10 * Micro), new(5 * Micro, 15.4 * Micro), null, new(10.9 * Micro, 9 * Micro)];
        WorkerRecording recording = Create(unit);
        HeldIntervals held = new(spans => [.. spans.Select((_, i) => errors[i])], recording, [Series.Updates, Series.Generic]);
        held.Begin(0);
        for (int i = 0; i < errors.Length; i++)
            Collect(recording, held, 0, 100 + i);

        Assert.Equal([100.0, 101, 102, 103], SamplesOf(recording).Select(value => Math.Round(value))); // not moved yet, and not lost
        held.Complete();
        Assert.Equal([96.0, 102, 103, 120], SamplesOf(recording).Select(value => Math.Round(value))); // 101 - 5.2, or by whole microseconds
        Assert.Equal(unit == LatencyUnit.Nanoseconds ? [20_000L, -5_200, 0, 0] : [20_000L, -5_000, 0, 0], held.Released.Select(span => span.ShiftNanos));
        LatencyAccumulator lag = new(LatencyUnit.Microseconds);
        recording[Series.SendLag].AddWholeTo(lag);
        Assert.Equal((4L, 7.0), (lag.Count, lag.Exact.Max)); // not corrected, so never moved
    }

    /// <summary>How far a sample was below zero is not known any more, so its interval goes up by nothing.</summary>
    [Theory]
    [InlineData(20, 0, 1, 0)]
    [InlineData(20, 0, 0, 10)]
    [InlineData(0, 20, 1, -10)]
    public void Complete_IntervalWithLatenciesBelowZero_IsNotMovedUp(double above, double below, int belowZero, double shiftMicros)
    {
        WorkerRecording recording = Create(LatencyUnit.Nanoseconds);
        HeldIntervals held = new(spans => [new(above * Micro, below * Micro)], recording, [Series.Updates]);
        held.Begin(0);
        Collect(recording, held, belowZero, 100, 3);
        held.Complete();
        Assert.Equal(shiftMicros * Micro, Assert.Single(held.Released).ShiftNanos);
        Assert.Equal([Math.Max(0, 3 + shiftMicros), 100 + shiftMicros], SamplesOf(recording).Select(value => Math.Round(value)));
    }

    /// <summary>A hundredth of the median decides where that is more than a microsecond.</summary>
    [Theory]
    [InlineData(1_000, 9_000, 0)]
    [InlineData(1_000, 12_000, 12_000)]
    [InlineData(50, 999, 0)]
    [InlineData(50, 1_001, 1_001)]
    public void Complete_ShiftThatIsSmallBesideTheMedian_IsNotMade(int median, long nanos, long shift)
    {
        WorkerRecording recording = Create(LatencyUnit.Nanoseconds);
        HeldIntervals held = new(spans => [new(nanos, -nanos)], recording, [Series.Updates]);
        held.Begin(0);
        Collect(recording, held, 0, [.. Enumerable.Repeat(median, 100)]);
        held.Complete();
        Assert.Equal(shift, Assert.Single(held.Released).ShiftNanos);
    }

    /// <summary>A long run keeps no more than a minute of intervals; each is moved once, in order.</summary>
    [Fact]
    public void Add_MoreThanAreKept_ReleasesTheOldest()
    {
        WorkerRecording recording = Create(LatencyUnit.Nanoseconds);
        HeldIntervals held = new(spans =>
        {
            _asked.Add(spans.Count);
            return [.. spans.Select(_ => (ClockError?)new ClockError(10 * Micro, 0))];
        }, recording, [Series.Updates]);
        held.Begin(0);
        for (int i = 0; i < 200; i++)
            Collect(recording, held, 0, 1_000);
        Assert.InRange(held.Released.Count, 140, 199);
        held.Complete();
        held.Complete();
        Assert.Equal((200, 200), (_asked.Sum(), held.Released.Count));
        Assert.All(_asked, count => Assert.InRange(count, 1, 60));
        for (int i = 1; i < held.Released.Count; i++)
            Assert.Equal(held.Released[i - 1].ToNanos, held.Released[i].FromNanos);
        Assert.Equal(200, SamplesOf(recording).Count);
        Assert.All(SamplesOf(recording), value => Assert.InRange(value, 1_004, 1_006));
    }

    /// <summary>Half of them at a time: the rest is asked again with more probes after it.</summary>
    [Fact]
    public void Add_OneMoreThanAMinuteOfThem_ReleasesHalfOfAMinute()
    {
        WorkerRecording recording = Create(LatencyUnit.Nanoseconds);
        HeldIntervals held = new(spans => new ClockError?[spans.Count], recording, [Series.Updates]);
        held.Begin(0);
        for (int i = 0; i < 60; i++)
            Collect(recording, held, 0, 1_000);
        Assert.Empty(held.Released);
        Collect(recording, held, 0, 1_000);
        Assert.Equal(30, held.Released.Count);
    }

    private static WorkerRecording Create(LatencyUnit unit)
    {
        WorkerRecording recording = new();
        recording.Measure(Series.Updates, unit, phased: true);
        return recording;
    }

    // The worker records, completes the interval, and it is collected.
    private static void Collect(WorkerRecording recording, HeldIntervals held, long belowZero, params int[] micros)
    {
        LatencySeries updates = recording[Series.Updates];
        foreach (int value in micros)
            updates.Record(RunPhase.Steady, RunPhase.Steady, updates.Unit == LatencyUnit.Nanoseconds ? value * 1_000L : value);
        recording.RecordLag(7_000);
        recording.RequestInterval();
        recording.ServiceRequest();
        Assert.True(recording.TryCollect(out _));
        held.Add(belowZero);
    }

    // All samples in microseconds, ascending, as exact as the cells are.
    private static List<double> SamplesOf(WorkerRecording recording)
    {
        LatencyAccumulator whole = new(recording[Series.Updates].Unit);
        recording[Series.Updates].AddWholeTo(whole, RunPhase.Steady);
        List<double> samples = [];
        for (int cell = whole.Histogram.FirstUsed; cell <= whole.Histogram.LastUsed; cell++)
        {
            double value = whole.Histogram.Layout.MedianOf(cell) / (whole.Histogram.Unit == LatencyUnit.Nanoseconds ? Micro : 1);
            samples.AddRange(Enumerable.Repeat(value, (int)whole.Histogram.CountAt(cell)));
        }

        Assert.Equal(whole.Count, samples.Count);
        return samples;
    }
}
