using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Reports;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class UsersSweepTests
{
    private static readonly UsersLoad High = UsersLoad.All[2];

    [Fact]
    public void Find_AllVariantsOfALoad_IsASweepForEachOfItsParameters()
    {
        IReadOnlyList<UsersVariant> planned = UsersVariant.Plan(High, new() { HasAllVariants = true }, out _);
        IReadOnlyList<UsersSweep> sweeps = UsersSweep.Find([.. planned.Select((variant, i) => Done(variant, i + 1))]);

        Assert.Equal(["size", "burstMax"], sweeps.Select(sweep => sweep.Parameter));
        Assert.Equal(["54", "108", "162", "216"], sweeps[0].Variants.Select(sweeps[0].ValueOf));
        Assert.Equal(["0", "0.025", "0.05", "0.1"], sweeps[1].Variants.Select(sweeps[1].ValueOf));
        Assert.All(sweeps, sweep => Assert.Equal(500, sweep.ComparedUsers)); // the others have their last step alone
        Assert.All(sweeps, sweep => Assert.Equal("base", sweep.Best!.Variant.Name)); // all held it: it has the least mean
    }

    [Fact]
    public void Find_TwoParametersCrossed_SaysWithWhat()
    {
        UsersOptions options = new() { Sweeps = ["sessionThreads=1,2,4", "sourceThreads=1,2"], Steps = StepList.TryParse("100,200") };
        IReadOnlyList<UsersVariant> planned = UsersVariant.Plan(High, options, out _);
        // means in the order of the plan, source by session threads: 1/1, 2/1, 1/2, 2/2, 1/4, 2/4
        int[] means = [60, 50, 40, 30, 35, 45];
        IReadOnlyList<UsersSweep> sweeps = UsersSweep.Find([.. planned.Select((variant, i) => Done(variant, means[i]))]);

        Assert.Equal(["sourceThreads", "sessionThreads"], sweeps.Select(sweep => sweep.Parameter));
        Assert.All(sweeps, sweep => Assert.Equal((6, 200), (sweep.Variants.Count, sweep.ComparedUsers)));
        Assert.Equal(["1", "1", "2", "2", "4", "4"], sweeps[1].Variants.Select(sweeps[1].ValueOf));
        Assert.Equal("sweep of sessionThreads (High): best 2 with sourceThreads 2, at least 200 users, mean 30.000 ms at 200 users",
            sweeps[1].Describe());
        TextTable table = UsersTables.Sweep(sweeps[1]);
        Assert.Equal("High: sweep of sessionThreads, best 2", table.Title);
        Assert.Equal(["sessionThreads", "with", "Capacity (users)", "Mean (ms) at 200 users"], table.Columns.Take(4));
        Assert.Equal(["2", "sourceThreads 2", "at least 200", "30.000"], table.Rows.Single(row => row[^1].Text == "best").Take(4).Select(cell => cell.Text));
        Assert.Equal(4, UsersCharts.Sweep(sweeps[1]).Chart.Lines.Count); // mean and p99 with either of the other's values
    }

    [Fact]
    public void Best_OfRampsThatHeldDifferentUsers_IsTheOneThatHeldMost()
    {
        UsersOptions options = new() { Sweeps = ["size=54,108"], Steps = StepList.TryParse("100,200") };
        IReadOnlyList<UsersVariant> planned = UsersVariant.Plan(High, options, out _);
        UsersSweep sweep = Assert.Single(UsersSweep.Find([Done(planned[0], 1, goodSteps: 1), Done(planned[1], 100)]));
        Assert.Equal("108", sweep.ValueOf(sweep.Best!));
        Assert.Equal("sweep of size (High): best 108, at least 200 users, mean 100.000 ms at 200 users", sweep.Describe());
    }

    [Fact]
    public void Best_NoneHeldItsFirstStep_IsNone()
    {
        UsersOptions options = new() { Sweeps = ["pattern=spread,same"], Steps = StepList.TryParse("100") };
        IReadOnlyList<UsersVariant> planned = UsersVariant.Plan(High, options, out _);
        UsersSweep sweep = Assert.Single(UsersSweep.Find([Done(planned[0], 1, 0), Done(planned[1], 2, 0)]));
        Assert.Null(sweep.Best);
        Assert.Equal("sweep of pattern (High): no ramp held its first step", sweep.Describe());
        Assert.Equal(["spread", "same"], sweep.Variants.Select(sweep.ValueOf)); // words as they were given
        Assert.EndsWith("none held its first step", UsersTables.Sweep(sweep).Title, StringComparison.Ordinal);
    }

    [Fact]
    public void Find_RampsWithoutACommonStep_AreComparedByTheirCapacityAlone()
    {
        UsersVariant first = new(High, "a", High.Base, StepList.TryParse("100")!),
            second = new(High, "b", High.Base with { Size = 108 }, StepList.TryParse("300")!);
        UsersSweep sweep = Assert.Single(UsersSweep.Find([Done(first, 1), Done(second, 2)]));
        Assert.Null(sweep.ComparedUsers);
        Assert.Equal("sweep of size (High): best 108, at least 300 users", sweep.Describe());
        Assert.Equal("Over the values of size, (no number of users that all were measured with). Best: 108.", UsersCharts.Sweep(sweep).Chart.Note);
    }

    [Fact]
    public void Find_OneRamp_IsNoSweep() => Assert.Empty(UsersSweep.Find([Done(new(High, "base", High.Base, StepList.TryParse("100")!), 1)]));

    private static FinishedVariant Done(UsersVariant variant, int meanMillis, int goodSteps = int.MaxValue)
    {
        StepRow[] steps = [.. variant.Steps.Totals.Select((users, i) => new StepRow
        {
            Scenario = variant.Load.Name,
            Variant = variant.Name,
            Step = i + 1,
            Utc = DateTime.UnixEpoch,
            UsersAsked = users,
            UsersIn = i < goodSteps ? users : users - 1,
            Seconds = 2,
            Expected = 100,
            Received = 100,
            Samples = 100,
            SumMicros = 100_000 * meanMillis,
            MinMicros = 1,
            MaxMicros = 1_000_000,
            P99 = 2_000 * meanMillis,
        })];
        return new(variant, variant.Name, new RunDocument
        {
            Scenario = variant.Load.Name,
            Verdict = RunVerdict.Ok,
            Reason = null,
            ExitCode = (int)ExitCode.Success,
            StartUtc = DateTime.UnixEpoch,
            EndUtc = DateTime.UnixEpoch,
            Inputs = new Dictionary<string, System.Text.Json.JsonElement>(),
            Figures = null,
            Assertions = [],
            Roles = [],
            Links = [],
            Machine = ThisMachine.Description,
            Steps = steps,
            Capacity = RampCapacity.Find(steps, _ => true),
        });
    }
}
