using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class PeriodTests
{
    [Fact]
    public void Add_OfParts_EqualsOneThatSawEverything()
    {
        Random random = new(4711);
        Period whole = new();
        Period[] parts = [new(), new(), new()];
        for (int i = 0; i < 30_000; i++)
        {
            long micros = random.Next(1, 200) * random.Next(1, 20_000);
            whole.Record(micros);
            parts[random.Next(3)].Record(micros);
        }

        Period sum = new();
        foreach (Period part in parts)
            sum.Add(part);

        Assert.Equal((whole.Count, whole.SumMicros, whole.MinMicros, whole.MaxMicros),
            (sum.Count, sum.SumMicros, sum.MinMicros, sum.MaxMicros));
        Assert.All(Enumerable.Range(whole.Latencies.FirstUsed, whole.Latencies.LastUsed),
            cell => Assert.Equal(whole.Latencies.CountAt(cell), sum.Latencies.CountAt(cell)));
        Assert.Equal(whole.PercentileMicros(99), sum.PercentileMicros(99));
    }

    [Fact]
    public void PercentileMicros_P99_IsWithinAThousandthOfTheSamples()
    {
        Random random = new(17);
        Period period = new();
        List<long> samples = [];
        for (int i = 0; i < 20_000; i++)
        {
            samples.Add((long)Math.Exp(random.NextDouble() * 12) + 1);
            period.Record(samples[^1]);
        }

        samples.Sort();
        long exact = samples[(int)Math.Ceiling(0.99 * samples.Count) - 1];
        Assert.InRange(period.PercentileMicros(99)!.Value, exact * 0.999, (exact * 1.001) + 1);
    }

    [Fact]
    public void PercentileMicros_TooFewSamples_IsNull()
    {
        Period period = new();
        for (int i = 0; i < 999; i++)
            period.Record(100);
        Assert.Null(period.PercentileMicros(99));
        period.Record(100);
        Assert.Equal(100, period.PercentileMicros(99));
    }

    [Theory]
    [InlineData(1000, 500, 0, 0, 0, 0, null)]
    [InlineData(1009, 500, 0, 0, 0, 0, null)]
    [InlineData(985, 500, 0, 0, 0, 0, "received 98.5 % of what was due")]
    [InlineData(1011, 500, 0, 0, 0, 0, "received 101.1 % of what was due")]
    [InlineData(1000, 499, 0, 0, 0, 0, "499 of 500 users were in")]
    [InlineData(1000, 500, 2, 0, 0, 0, "2 users were lost")]
    [InlineData(1000, 500, 0, 0, 3, 0, "3 updates came out of order")]
    [InlineData(1001, 500, 0, 0, 0, 1, "1 updates came twice")]
    [InlineData(999, 500, 0, 1, 0, 0, "1 updates are missing")]
    [InlineData(1000, 499, 2, 5, 4, 3, "2 users were lost")]
    public void FindFault_OfAStep_NamesTheFirst(
        long updates, int usersIn, long lost, long missing, long outOfOrder, long repeated, string? fault)
    {
        MeasuredStep step = Measure(new() { Updates = updates, UsersIn = usersIn, Counts = new(lost, missing, outOfOrder, repeated) });

        Assert.Equal(fault, step.FindFault());
    }

    [Fact]
    public void FindFault_NobodyKnowsWhatIsDue_LetsAHubLeaveUpdatesOut() =>
        Assert.Null((Measure(new() { Updates = 10, UsersIn = 500, Counts = new(0, 990, 0, 0) }) with { DueRate = 0 }).FindFault());

    [Fact]
    public void Add_OfCountsAndPosts_SumsEach()
    {
        Period sum = new();
        foreach (int factor in (int[])[1, 10])
        {
            Period part = new()
            {
                Updates = factor,
                UsersIn = 2 * factor,
                LoginRetries = 3 * factor,
                Counts = new(4 * factor, 5 * factor, 6 * factor, 7 * factor)
            };
            part.RecordPost(8 * factor);
            part.RecordPost(factor);
            part.CpuPerThread.Add(9 * factor);
            sum.Add(part);
        }

        Assert.Equal((11L, 22, 33L), (sum.Updates, sum.UsersIn, sum.LoginRetries));
        Assert.Equal(new PeriodCounts(44, 55, 66, 77), sum.Counts);
        Assert.Equal((4L, 99L, 80L), (sum.Posts, sum.PostSumMicros, sum.PostMaxMicros));
        Assert.Equal([9d, 90], sum.CpuPerThread.OfType<double>());
    }

    [Theory]
    [InlineData("avg<1ms,rate>99%", null)]
    [InlineData("avg<100us", "avg<100us: 200us")]
    [InlineData("p99.9<1ms", "p99.9<1ms: too few samples")]
    [InlineData("rate>=100%,rate<100", "rate<100: 500")]
    [InlineData("max<=200us,lost<1,cpu<51%", null)]
    [InlineData("cpu<50%", "cpu<50%: 50%")]
    public void FindMiss_OfThresholds_NamesTheFirst(string limits, string? miss)
    {
        Period period = new() { Updates = 1000, UsersIn = 500 };
        for (int i = 0; i < 1000; i++)
            period.Record(200);
        period.CpuPerThread.AddRange([20, 30]);

        Assert.Equal(miss, Measure(period).FindMiss(Threshold.TryParseList(limits, UsersPerfOptions.UntilMetrics)!, workingSetBytes: 0));
    }

    [Fact]
    public void Describe_OfAStep_IsTheLineOfTheConsole()
    {
        Period period = new() { Updates = 1000 };
        for (int i = 0; i < 1000; i++)
            period.Record(50 + i);

        Assert.Equal("  step 3: 500 users: received 1000 of 1000, mean 0.549 ms, min 0.050, max 1.049, p99 1.039",
            PeriodLog.Describe(Measure(period)));
    }

    private static MeasuredStep Measure(Period period) =>
        new(new UserStep(2, 250, 500, 0, 0, 0, 2 * Clock.NanosPerSecond), period, DateTime.UnixEpoch, Asked: 500, DueRate: 500);
}
