using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>The rules by which users log in, and by which their periods are judged, at their boundary values.</summary>
[Trait("Category", "Fast")]
public sealed class UserRulesTests
{
    private const long Second = Clock.NanosPerSecond;

    private static readonly UsersPerfOptions Options = new()
    {
        Steps = StepList.TryParse("200,201,401"),
        LoginRate = 100,
        WarmupSeconds = 7,
        SettleSeconds = 5,
        PeriodSeconds = 30,
    };

    /// <summary>Log-ins take whole seconds: 200 users two, one more another one.</summary>
    [Fact]
    public void Steps_OfARamp_LogInSettleAndMeasure()
    {
        StepSchedule schedule = new(Options, startNanos: 1_000 * Second);
        Assert.Equal(
            [(0, 0, 200, 1_000, 1_009, 1_014, 1_044), (1, 200, 201, 1_044, 1_045, 1_050, 1_080), (2, 201, 401, 1_080, 1_082, 1_087, 1_117)],
            schedule.Steps.Select(step => (step.Index, step.UsersBefore, step.Users, step.BeginNanos / Second, step.SettleNanos / Second,
                step.FromNanos / Second,
                step.ToNanos / Second)));
        Assert.Equal((1_117 * Second, true, 1_000 * Second), (schedule.EndNanos, schedule.HasPeriods, schedule.StartNanos));
        Assert.Equal(["step 1", "step 2", "step 3"], schedule.Steps.Select(step => step.Title));
        Assert.Equal("period late", (schedule.Steps[0] with { Name = "late" }).Title);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1_000, 0)]
    [InlineData(1_043.999_999_999, 0)]
    [InlineData(1_044, 1)]
    [InlineData(1_080, 2)]
    [InlineData(9_999, 2)]
    public void StepAt_ATime_IsTheLastThatHasBegun(double seconds, int index) =>
        Assert.Equal(index, new StepSchedule(Options, 1_000 * Second).StepAt((long)(seconds * Second)).Index);

    /// <summary>Threads are woken while users are missing, for the beginning of a period, and from its end on.</summary>
    [Theory]
    [InlineData(99, false, false)]
    [InlineData(100, true, false)]
    [InlineData(299, true, false)]
    [InlineData(300, true, true)]
    [InlineData(349, true, true)]
    [InlineData(350, true, false)]
    [InlineData(399, true, false)]
    [InlineData(400, true, true)]
    public void HasWork_OfAStep_IsForMissingUsersAndTheEdgesOfItsPeriod(long now, bool whileUsersAreMissing, bool once)
    {
        UserStep step = new(0, 0, 10, BeginNanos: 100, SettleNanos: 200, FromNanos: 300, ToNanos: 400);
        Assert.Equal((whileUsersAreMissing, once), (step.HasWork(now, lacksUsers: true, edgeNanos: 50), step.HasWork(now, lacksUsers: false, edgeNanos: 50)));
    }

    [Theory]
    [InlineData(0, 1_000.00)]
    [InlineData(199, 1_001.99)]
    [InlineData(200, 1_044.00)]
    [InlineData(201, 1_080.00)]
    [InlineData(400, 1_081.99)]
    public void LoginNanosOf_UsersAroundASteps_AreInTheirStep(int number, double seconds) =>
        Assert.Equal((long)Math.Round(seconds * Second), new StepSchedule(Options, 1_000 * Second).LoginNanosOf(number));

    /// <summary>A number of users that is requested while they run: the first beyond the present number changes at once.</summary>
    [Theory]
    [InlineData(30, 10, 10, 5_000)]
    [InlineData(30, 10, 29, 6_900)]
    [InlineData(10, 30, 30, 5_000)]
    [InlineData(10, 30, 29, 5_100)]
    [InlineData(10, 30, 10, 7_000)]
    public void DueNanosOf_AUser_IsByItsDistanceFromThePresentNumber(int users, int before, int own, long millis) =>
        Assert.Equal(millis * Clock.NanosPerMilli, new UserTarget(users, before, 5 * Second, Rate: 10).DueNanosOf(own));

    [Fact]
    public void LoginRetries_OfMoreReasonsThanAreKept_AreAddedUp()
    {
        LoginRetries retries = new(), all = new();
        Assert.Equal((null, null), (retries.Describe(), retries.FindMain()));
        for (int reason = 0; reason < 8; reason++)
            retries.Add($"reason {reason}");
        retries.Add("reason 7");
        Assert.Equal("reason 7", retries.FindMain());
        retries.Add("reason 8"); // the ninth
        retries.Add("reason 9");
        retries.Add("reason 0");
        retries.Add("reason 7");
        all.Add(retries);
        all.Add(retries);
        Assert.Equal("reason 7", all.FindMain());
        Assert.Equal("Log-ins tried again: 26 (6 times: reason 7; 4 times: other reasons; 4 times: reason 0; 2 times: reason 1; 2 times: reason 2; "
            + "2 times: reason 3; 2 times: reason 4; 2 times: reason 5; 2 times: reason 6)", all.Describe());
    }

    [Theory]
    [InlineData(989, "received 98.9 % of what was due")]
    [InlineData(990, null)]
    [InlineData(1_010, null)]
    [InlineData(1_011, "received 101.1 % of what was due")]
    public void FindFault_OfReceivedUpdates_AllowsAHundredth(long updates, string? fault) =>
        Assert.Equal(fault, Measure(new() { Updates = updates, UsersIn = 10 }).FindFault());

    [Theory]
    [InlineData("rate>99%", 991, null)]
    [InlineData("rate>99%", 990, "rate>99%: 99%")]
    [InlineData("rate>=495", 990, null)]
    [InlineData("lost<3", 1_000, null)]
    [InlineData("lost<2", 1_000, "lost<2: 2")]
    [InlineData("memory<=3MB", 1_000, null)]
    [InlineData("memory<3MB", 1_000, "memory<3MB: 3 MB")]
    public void FindMiss_AtALimit_IsMissedBeyondIt(string limits, long updates, string? miss)
    {
        Period period = new() { Updates = updates, UsersIn = 10, Counts = new(2, 0, 0, 0) };
        string? found = Measure(period).FindMiss(Threshold.TryParseList(limits, UsersPerfOptions.UntilMetrics)!, workingSetBytes: 3 * 1_048_576);
        Assert.Equal(miss is null, found is null);
        if (miss is not null && !miss.Contains("MB: 3", StringComparison.Ordinal))
            Assert.Equal(miss, found);
    }

    [Fact]
    public void Expected_OfAStep_IsTheRateOverItsPeriod()
    {
        MeasuredStep step = Measure(new());
        Assert.Equal((2.0, 1_000.0, null), (step.Seconds, step.Expected, (step with { DueRate = 0 }).Expected));
        Assert.Equal("0 of 10 users were in", step.FindFault());
    }

    [Fact]
    public void Period_WithoutSamples_HasNoExtremes()
    {
        Period period = new(), other = new(), sum = new();
        Assert.Equal((0L, 0L, 0L, 0.0), (period.Count, period.MinMicros, period.MaxMicros, period.MeanMicros));
        other.Record(7);
        other.Record(4);
        other.Record(10);
        Assert.Equal((3L, 4L, 10L, 21L, 7.0), (other.Count, other.MinMicros, other.MaxMicros, other.SumMicros, other.MeanMicros));
        sum.Add(period);
        sum.Add(other);
        sum.Add(period);
        Assert.Equal((3L, 4L, 10L, 21L), (sum.Count, sum.MinMicros, sum.MaxMicros, sum.SumMicros));
        sum.Record(2);
        Assert.Equal((4L, 2L, 10L), (sum.Count, sum.MinMicros, sum.MaxMicros));
    }

    /// <summary>One sample has a mean and extremes, but no percentile.</summary>
    [Fact]
    public void Describe_PeriodWithOneSample_ShowsIt()
    {
        Period period = new() { UsersIn = 10, Updates = 7 };
        Assert.Equal("  step 3: 10 users: received 7 of 1000, mean - ms, min -, max -, p99 -", PeriodLog.Describe(Measure(period)));
        period.Record(1_500);
        Assert.Equal("  step 3: 10 users: received 7 of 1000, mean 1.500 ms, min 1.500, max 1.500, p99 -", PeriodLog.Describe(Measure(period)));
    }

    [Fact]
    public void PeriodCounts_OfAThread_AreItsFaults()
    {
        CounterSet counters = new(UserCounter.Schema);
        (Counter Counter, long Amount)[] amounts =
        [
            (UserCounter.UsersLost, 1), (UserCounter.UsersRefused, 2), (Counter.UpdatesSkipped, 40), (Counter.UpdatesLate, 8), (Counter.UpdatesOutOfOrder, 16),
                (Counter.UpdatesRepeated, 64),
        ];
        foreach ((Counter counter, long amount) in amounts)
            counters.Add(counter, amount);
        PeriodCounts counts = PeriodCounts.Of(counters);
        Assert.Equal(new PeriodCounts(3, 32, 16, 64), counts);
        Assert.Equal(new PeriodCounts(1, 30, 13, 60), counts - new PeriodCounts(2, 2, 3, 4));
        Assert.Equal(new PeriodCounts(5, 34, 19, 68), counts + new PeriodCounts(2, 2, 3, 4));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(4, true)]
    [InlineData(5, false)]
    public void IsBy_AUser_IsTrueForTheLowestNumbers(int number, bool posts)
    {
        UserPosts few = new(Rate: 0.25, Contributors: 5);
        Assert.Equal((posts, 4 * Second), (few.IsBy(number), few.GapNanos));
        Assert.Equal((null, int.MaxValue), (UserPosts.Of(Options), UserPosts.Of(Options with { PostRate = 1 })!.Contributors));
    }

    /// <summary>Users that are refused together try again at different times: 0.4 to 0.6 s after the first failure.</summary>
    [Fact]
    public void RecoveryOf_Users_DiffersFromUserToUser()
    {
        double[] waits = [.. Enumerable.Range(0, 1_000).Select(number => UserPlan.RecoveryOf(number).FirstRetry.TotalSeconds)];
        Assert.Equal((0.4, 1_000), (waits[0], waits.Distinct().Count()));
        Assert.All(waits, wait => Assert.InRange(wait, 0.4, 0.6));
        Assert.InRange(waits.Count(wait => wait > 0.5), 490, 510);
        Assert.Equal((TimeSpan.FromSeconds(8), false), (UserPlan.RecoveryOf(3).MaxRetry, UserPlan.RecoveryOf(3).Watchlist));
    }

    [Fact]
    public void CreateSession_OfAUser_HasANameAndANumberOfItsOwn()
    {
        UserPlan plan = new(Options with { UserName = "u", PostRate = 1 }, ItemList.Create(["A", "B"]),
            [new ConnectOptions { Host = "a", Port = 1 }, new ConnectOptions { Host = "b", Port = 2 }]);
        ConsumerSessionOptions[] users = [plan.CreateSession(0), plan.CreateSession(6)];
        Assert.Equal(["u1", "u7"], users.Select(user => user.Identity!.UserName));
        Assert.Equal([1, 7], users.Select(user => (int)user.Poster.Id));
        Assert.Equal((2, "a", "b"), (plan.Addresses, plan.ConnectOf(4).Host, plan.ConnectOf(5).Host));
    }

    /// <summary>Spread, each user begins at another item of the list; of the same pattern all begin at its first.</summary>
    [Theory]
    [InlineData(false, 0, 0)]
    [InlineData(false, 6, 6)]
    [InlineData(true, 0, 0)]
    [InlineData(true, 6, 0)]
    public void CreateSession_Pattern_IsThatOfTheUserOrOfTheFirst(bool isSame, int number, int first)
    {
        UserPlan plan = new(Options with { Subjects = 1_000, Subscriptions = 3, HasSamePattern = isSame }, ItemList.CreateNumbered("I", 1_000),
            [new ConnectOptions { Host = "a", Port = 1 }]);
        Assert.Equal(ItemStride.Of(1_000, 3, first), plan.CreateSession(number).Stride);
    }

    // The first number of the default message counts the updates of a source.
    [Fact]
    public void Fields_OfAPost_AreTheTwoPricesAfterTheFirstNumber()
    {
        TemplateField[] numbers = [.. MessageData.Default(FieldDictionary.Default).Refresh.Fields.Where(field => field.Type == DataType.Real)];
        Assert.Equal(numbers[1..3].Select(field => field.FieldId), UserPosts.Fields.Fields.Select(field => field.FieldId));
        byte[] room = new byte[100];
        RwfWriter writer = new(room);
        UserPosts.Fields.EncodeList(ref writer);
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(room.AsSpan(0, writer.Written), out FieldListReader fields));
        int read = 0;
        for (; fields.TryReadNext(out FieldEntry field) == DecodeResult.Success; read++)
        {
            Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadReal(field.Content, out RwfReal price));
            Assert.Equal(327.68, (double)price.Value / 100);
            Assert.Equal(12, (int)price.Hint); // two decimals
        }

        Assert.Equal(2, read);
    }

    private static MeasuredStep Measure(Period period) =>
        new(new UserStep(2, 0, 10, 0, 0, 3 * Second, 5 * Second), period, DateTime.UnixEpoch, Asked: 10, DueRate: 500);
}
