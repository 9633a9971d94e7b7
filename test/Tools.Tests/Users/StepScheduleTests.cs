using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class StepScheduleTests
{
    private static readonly UsersPerfOptions Options = new()
    {
        Steps = StepList.TryParse("250,501,1500"),
        LoginRate = 100,
        WarmupSeconds = 10,
        SettleSeconds = 5,
        PeriodSeconds = 30,
    };

    [Fact]
    public void Steps_OfARamp_FollowEachOther()
    {
        StepSchedule schedule = new(Options, Seconds(100));

        // log-ins 3 s, warm-up 10, settling 5, period 30; then 3, 5, 30; then 10, 5, 30
        Assert.Equal([Seconds(100), Seconds(148), Seconds(186)], schedule.Steps.Select(step => step.BeginNanos));
        Assert.Equal([Seconds(118), Seconds(156), Seconds(201)], schedule.Steps.Select(step => step.FromNanos));
        Assert.Equal([Seconds(148), Seconds(186), Seconds(231)], schedule.Steps.Select(step => step.ToNanos));
        Assert.Equal(Seconds(231), schedule.EndNanos);
    }

    [Fact]
    public void LoginNanosOf_UsersOfAStep_AreAsFarApartAsTheRateSays()
    {
        StepSchedule schedule = new(Options, 0);

        Assert.Equal(0, schedule.LoginNanosOf(0));
        Assert.Equal(Seconds(1), schedule.LoginNanosOf(100));
        Assert.Equal(Seconds(48), schedule.LoginNanosOf(250));
        Assert.Equal(long.MaxValue, schedule.LoginNanosOf(1500));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(7)]
    public void Parts_Together_AreTheWhole(int parts)
    {
        StepSchedule[] all =
            [.. Enumerable.Range(1,
                parts).Select(part => new StepSchedule(Options with { Run = Options.Run with { Part = new(part, parts) } }, 0))];
        foreach (int total in Options.Steps!.Totals)
        {
            Assert.Equal(total, all.Sum(part => part.ShareOf(total)));
            Assert.InRange(all.Max(part => part.ShareOf(total)) - all.Min(part => part.ShareOf(total)), 0, 1);
            IEnumerable<int> numbers = all.SelectMany(part => Enumerable.Range(0, part.ShareOf(total)).Select(part.NumberOf));
            Assert.Equal(Enumerable.Range(0, total), numbers.Order());
        }

        Assert.All(all, part => Assert.Equal(new StepSchedule(Options, 0).Steps, part.Steps));
    }

    [Fact]
    public void LoginPace_LateStart_CatchesUpAtTwiceTheRate()
    {
        LoginPace pace = new(startNanos: Seconds(10), gapNanos: Seconds(2));
        List<long> logins = [];
        for (int user = 0; user < 8; user++)
        {
            logins.Add(pace.DelayedFrom(Seconds(user * 2)) / Clock.NanosPerSecond);
            pace.RecordLogin();
        }

        Assert.Equal([10, 11, 12, 13, 14, 15, 16, 17], logins); // the schedule has 0, 2, 4 ...
        Assert.Equal(Seconds(40), pace.DelayedFrom(Seconds(40)));
    }

    [Theory]
    [InlineData(-60, "")]
    [InlineData(600, "")]
    [InlineData(2_000, "UsersPerf: -startAt was 20")] // and the time to get this far
    public void StartAt_TooLongAgo_IsRefusedAndSaysHowLate(int secondsAgo, string beginning)
    {
        string at = DateTime.UtcNow.AddSeconds(-secondsAgo).ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
        using StringWriter output = new(), error = new();
        int code = UsersPerf.Program.Run(["-startAt", at, "-warmup", "980", "-settle", "20", "-itemFile", "missing.xml"], output, error); // looked for next
        Assert.Equal(beginning.Length == 0 ? 3 : 2, code);
        Assert.StartsWith(beginning, error.ToString(), StringComparison.Ordinal);
        Assert.Equal(beginning.Length > 0, error.ToString().Contains("more than -warmup and -settle make up for (1000 s)", StringComparison.Ordinal));
    }

    [Fact]
    public void Steps_WithoutAList_AreOneThatIsNotMeasured()
    {
        StepSchedule schedule = new(new UsersPerfOptions { Users = 30, Run = Options.Run with { Part = new(2, 3) } }, 0);

        Assert.False(schedule.HasPeriods);
        Assert.Equal(30, schedule.ShareOf(Assert.Single(schedule.Steps).Users));
        Assert.Equal(long.MaxValue, schedule.EndNanos);
    }

    private static long Seconds(long seconds) => seconds * Clock.NanosPerSecond;
}
